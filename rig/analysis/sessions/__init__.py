"""Analysis of sessions of any protocol: one session on one page, and one subject over days.

Imports ``rig.analysis.common`` and the units of ``rig.core``; no other analysis.
Begin at ``analysis`` (the plug-in), then ``visits`` (what every journal has).
"""
