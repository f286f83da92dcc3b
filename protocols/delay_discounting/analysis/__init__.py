"""Analysis of delay discounting on a T-maze (Papale et al. 2012): indifference, phases, turning at the choice point.

Imports ``rig.analysis.common``, ``rig.table_files`` and the readers of ``rig.records``; no board, no other analysis.
Begin at ``analysis`` (the plug-in), then ``laps`` (one session as arrays) and ``track`` (IdPhi from positions).
"""
