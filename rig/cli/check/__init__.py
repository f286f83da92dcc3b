"""``rig check``: find mistakes in files, and explain where their values come from."""
