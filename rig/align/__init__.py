"""Align recordings of other systems with sessions: `rig align`; for programs, `Mapping` and `alignments_of`."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rig.records.alignments.alignment import Mapping, alignments_of

__all__ = ["Mapping", "alignments_of"]


def __getattr__(name: str) -> "Any":
    # Looked up on first use: the arguments of `rig align` are made from a module here, and must not wait for numpy.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from rig.records.alignments import alignment

    return getattr(alignment, name)
