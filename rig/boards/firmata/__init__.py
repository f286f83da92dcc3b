"""A board with StandardFirmata; the host times its outputs and filters its inputs.

May import ``rig.boards`` and ``rig.core``; needs pyfirmata2.
Begin with ``board.py``.
"""
