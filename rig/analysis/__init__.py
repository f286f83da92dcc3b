"""Analyses of recorded sessions for ``rig analyze``: one package per paradigm, pure functions of arrays.

Imports ``rig.records``, ``rig.table_files`` and the journal's readers; no board, no session, no protocol.
Begin at ``common.plugin`` (the interface of an analysis), then ``bandit.analysis`` for an example.
"""
