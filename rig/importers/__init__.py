"""The reader of CSV tables that checks every row; experiments parse published tables with it, in their ``tables``.

Imports ``rig.core`` (errors, cells), ``rig.system`` (tables of text) and ``rig.devices.base``; no analysis, no session.
Begin at ``tables`` (``read_table``), then ``protocols/two_armed_bandit/tables/decisions.py`` for an example.
"""
