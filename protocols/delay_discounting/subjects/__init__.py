"""The virtual rat on a T-maze (Papale et al. 2012): choices, timing of laps, and its path.

It acts through ``sim_hardware.world.body``; no board, no link, no protocol.
Begin at ``rat``, then ``choice`` and ``maze_walk`` (path).
"""
