"""Analyses of the grid bandit and of the risky bandit (Wu et al. 2017, Schulz et al. 2018).

Begin at ``rounds`` (what all else reads), then
``behavior`` (measures without a model), ``fits`` (models) and ``safe_sets``.
"""
