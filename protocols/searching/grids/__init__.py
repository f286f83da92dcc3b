"""Search on grids and lines with correlated rewards: environments, learning, and choice, as pure functions."""
