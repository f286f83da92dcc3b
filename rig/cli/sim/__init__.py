"""``rig sim`` and ``rig demo``: run sessions of virtual subjects."""
