"""Independent jobs in this process, in several processes of this computer, or on a cluster.

It may import system, terminal and core only.
Begin with `open_engine.open_engine` and `engine.Engine`.
"""
