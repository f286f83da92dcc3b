"""Checks and measurements without a session: host, ports, channels, latencies.

May import ``rig.boards`` and ``rig.core``; no simulator.
Begin with ``port_checks.py`` or ``io_test.py``.
"""
