"""A board with the rig's own firmware on a serial port.

May import ``rig.boards.wire`` and ``rig.core``.
Begin with ``board.py``; ``link.py`` keeps the timers.
"""
