"""``rig subject``: weigh and feed subjects, and manage their records."""
