"""No board: a rig of which everything is connected to the computer, such as a screen alone.

May import ``rig.boards`` and ``rig.core``.
Begin with ``board.py``.
"""
