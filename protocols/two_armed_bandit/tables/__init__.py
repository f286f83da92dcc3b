"""Decision files: the public format of the paper's authors."""
