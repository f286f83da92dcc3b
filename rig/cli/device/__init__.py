"""``rig device``: find the verb, the rigs and the devices that a line names; the verbs are in ``rig.maintenance``.

Begin with ``device.py``.
"""
