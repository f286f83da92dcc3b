"""Searches on a grid and on a line (Wu et al. 2017, Schulz et al. 2018): tasks, participants, analysis, tables."""
