"""Where a tracked animal was: the side file of a session."""
