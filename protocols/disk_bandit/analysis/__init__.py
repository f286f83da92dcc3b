"""Analysis of the disk bandit with variable intervals, pigeons and people (Racey et al. 2011): shares, rates, theta.

Imports ``rig.analysis.common``, ``rig.table_files`` and the journal's cells; no board, no other analysis.
Begin at ``analysis`` (the plug-in), then ``pecks`` (one session as arrays), ``cells`` (counts) and ``luce`` (the fit).
"""
