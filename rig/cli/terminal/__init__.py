"""What commands print and ask: start screen, end screen, questions, JSON.

May import ``rig.live``, ``rig.records`` and ``rig.config``; it starts no session.
Begin with ``start_screen.py``.
"""
