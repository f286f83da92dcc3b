"""``rig report``, ``catalog``, ``replay``, ``recover`` and ``watch``: read the records of sessions."""
