"""What analyses of recorded sessions share (``common``), and the one that suits every protocol (``sessions``).

Imports ``rig.records``, ``rig.table_files`` and the journal's readers; no board, no session, no protocol.
The analysis of an experiment is in its room. Begin at ``common.plugin`` (the interface of an analysis), then
``sessions.analysis`` for an example.
"""
