"""``rig boxes``: what the boxes of a file are about to run, and the launcher, a window that starts and controls them.

Begin with ``show.py``.
"""
