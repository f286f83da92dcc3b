"""``rig board``: list, check, flash and benchmark boards.

May import ``rig.boards``, ``rig.diagnostics`` and ``rig.session``.
Begin with ``check.py``.
"""
