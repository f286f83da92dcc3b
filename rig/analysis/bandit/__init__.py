"""Analysis of two-armed bandits (Beron et al. 2022)."""
