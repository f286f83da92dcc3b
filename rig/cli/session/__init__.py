"""``rig session``: see and control the sessions that run on this computer.

May import ``rig.system`` and ``rig.session``.
Begin with ``session.py``.
"""
