"""``rig show``: list plugins, and print schemas, parameters and state graphs.

May import ``rig.config`` and ``rig.session``; it runs no session.
Begin with ``protocols.py``.
"""
