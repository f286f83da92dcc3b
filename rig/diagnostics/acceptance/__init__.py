"""The acceptance of a rig's hardware: from an unpacked board to the first drop, step by step.

May import ``rig.boards`` and ``rig.diagnostics``. Begin with ``results.py``, then ``site.py``.
"""
