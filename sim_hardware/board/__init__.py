"""A Python model of the board, which follows the wire protocol as the firmware does.

May import ``rig.boards`` and ``rig.core``. Begin with `board` (messages, lease, events), then `chip` (orders and
reflexes); `inputs`, `outputs` and `ticks` are its parts.
"""
