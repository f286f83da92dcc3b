"""Timing of a board, measured at its pins by a probe.

May import ``rig.boards`` and ``rig.core``; no simulator, because a probe (``rig/boards/pin_probe.py``) is enough.
Begin with ``suite.py``, then ``bench.py``.
"""
