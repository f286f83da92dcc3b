"""Delay discounting on a T-maze with a tone countdown (Papale et al. 2012): task, virtual rats, analysis, tables."""
