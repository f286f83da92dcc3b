"""Write sessions to files that other programs read."""
