"""``rig run``: run a session in real time, or those of several boxes.

Begin with ``session.py``; ``before.py`` and ``top_up_after.py`` are what a person is asked before and after it.
"""
