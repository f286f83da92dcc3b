"""Public tables of searches, and files of environments as parameters."""
