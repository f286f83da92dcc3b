"""The journal of a session: its lines, their checks, and the totals that follow from them.

It imports `rig.core.model` and `rig.core.errors`.
Begin with `journal` (writing) and `kinds` (every kind of line).
"""
