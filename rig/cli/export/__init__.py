"""``rig export``: write sessions to files of other programs."""
