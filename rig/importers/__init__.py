"""Readers of CSV tables: published formats of other laboratories, and the columns of ``trials.csv``.

Imports ``rig.core`` (errors, cells), ``rig.system`` (tables of text) and ``rig.devices.base``; no analysis, no session.
Begin at ``tables`` (``read_table``, which checks every row), then ``decisions`` for an example.
"""
