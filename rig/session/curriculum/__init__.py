"""Load a curriculum, check its rules, and select the stage of the next session.

It may import build and records; it runs no session.
Begin with `curriculum.Curriculum`.
"""
