"""The stimulus screen: a window in a process of its own, and the board that includes it.

May import ``rig.core``; only the stimulus process imports PySide6.
Begin with ``board_with_screen.py``, then ``window_screen.py``.
"""
