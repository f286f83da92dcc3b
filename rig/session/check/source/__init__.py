"""The source of a protocol, read and never run, by its names: no types are inferred.

A rehearsal reaches some lines of a protocol; these checks reach all of them. Begin with ``findings.py``.
"""
