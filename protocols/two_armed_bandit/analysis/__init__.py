"""Analysis of two-armed bandits (Beron et al. 2022): rates, times, recovery after swaps, models of choice.

Imports ``rig.analysis.common``, ``rig.table_files`` and the journal's readers; no board, no session, no other analysis.
Begin at ``analysis`` (the plug-in), then ``report`` (every quantity of a condition) and ``stack`` (the data layout).
"""
