"""What a protocol is made of: states, waits, rows, random streams, and the runner of its states.

It imports `rig.core.engine`, `rig.core.model` and `rig.core.errors`.
Begin with `task` (the base class of every protocol) and `runner`.
"""
