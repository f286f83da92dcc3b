"""``rig session``: see and control the sessions that run on this computer, and correct those that have ended.

May import ``rig.system`` and ``rig.session``.
Begin with ``control.py``.
"""
