"""What rats did on a T-maze with an adjusting delay: pure functions of lap tables and tracks (Papale et al. 2012)."""
