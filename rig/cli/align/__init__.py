"""``rig align``: align another system's recording with a session."""
