"""The two-armed bandit at three nose ports (Beron et al. 2022): task, virtual mice, analysis, decision files."""
