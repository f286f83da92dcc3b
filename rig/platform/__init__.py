"""What POSIX and Windows do differently: no other package asks which system this is.

It imports nothing of ours. Each module has one subject and the same names on every system.
Begin with `processes.is_running`.
"""
