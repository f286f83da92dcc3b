"""Load a curriculum, check its rules, and select the stage of the next session.

It may import spec, config, records and core; it runs no session.
Begin with `curriculum.Curriculum`.
"""
