"""The size of blocks of samples, and what they take of the line."""

from __future__ import annotations

from rig.boards.wire import frame
from rig.boards.wire.kind import Kind
from rig.boards.wire.messages import COUNTS, SAMPLES
from rig.core.model.board import AnalogSource, Source

LONGEST_BLOCK_US = 100_000
"""A block is sent no later than this after its first value, so that a window beside the session is up to date."""

_FRAME_BYTES = frame.LONGEST_FRAME - frame.LONGEST_PAYLOAD + 1
"""What a frame and its delimiter add to a payload."""


def values_per_block(kind: Kind, period_us: int) -> int:
    """Return how many values a full block has."""
    most = (frame.LONGEST_PAYLOAD - kind.size.size) // kind.value_bytes
    return max(1, min(most, LONGEST_BLOCK_US // period_us))


def bytes_per_s(source: Source) -> float:
    """Return how many bytes of the line a source takes in a second, with the heads of its blocks."""
    kind = SAMPLES if isinstance(source, AnalogSource) else COUNTS
    values = values_per_block(kind, source.period_us)
    block_bytes = kind.size.size + values * kind.value_bytes + _FRAME_BYTES
    return block_bytes * 1e6 / (values * source.period_us)
