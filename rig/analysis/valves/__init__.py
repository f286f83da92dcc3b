"""The figure of a valve's calibration.

Imports ``rig.analysis.common`` and ``rig.maintenance``.
"""
