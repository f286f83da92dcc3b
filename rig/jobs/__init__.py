"""Independent jobs in this process, in several processes of this computer, or on a cluster.

It may import ``rig.system``, ``rig.terminal``, ``rig.platform`` and ``rig.core``.
Begin with `open_engine.open_engine` and `engine.Engine`; `process_count` has the number of processes.
"""
