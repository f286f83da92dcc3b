"""The camera tracker: a process finds the light on the animal, frame by frame.

May import ``rig.core``; only the camera process imports OpenCV.
Begin with ``interface.py``, then ``process.py``.
"""
