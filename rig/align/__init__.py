"""Align recordings of other systems with sessions: `rig align`; for programs, `Mapping` and `alignments_of`."""

from rig.records.alignments.alignment import Mapping, alignments_of

__all__ = ["Mapping", "alignments_of"]
