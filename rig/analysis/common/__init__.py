"""Shared parts of the analyses: the plug-in interface, reading of sessions, statistics, tables and figure style.

Imports ``rig.records``, ``rig.config`` and ``rig.core``; no analysis of a paradigm.
Begin at ``plugin`` (the interface), then ``sources`` (sessions and files to analyze) and ``arrays``.
"""
