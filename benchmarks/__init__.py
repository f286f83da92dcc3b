"""Benchmarks behind the numbers of the pages: ratios, each measured within one run.

Imports everything: ``rig``, ``sim_hardware``, ``protocols``, and for the screen also ``tests``.
Begin at ``python -m benchmarks``, then ``measure`` (a number and its bound) and ``stack`` (a whole session).
"""
