"""``rig study``: run a study of virtual subjects, and compare its figures."""
