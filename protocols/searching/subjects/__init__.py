"""Virtual participants of searches for rewards on a grid or a line."""
