"""Boards: drivers, transports, the wire protocol, and the files of the firmware.

May import ``rig.core``, ``rig.camera`` and ``rig.screen``; never ``rig.session`` or a simulator.
Begin with ``driver_lookup.py``, then ``serial/board.py``.
"""
