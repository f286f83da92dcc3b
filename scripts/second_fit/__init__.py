"""A second fit of the models of the grid bandit, which shares no code with that of ``rig analyze``."""
