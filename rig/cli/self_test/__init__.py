"""``rig self-test``: replay shipped and recent sessions, and name what this computer lacks."""
