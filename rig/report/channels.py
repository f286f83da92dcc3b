"""How often each input and output of a session changed, and how long it was on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rig.records.outputs.lanes import Lanes
from rig.records.outputs.spans import OPEN, Lane


@dataclass(frozen=True)
class ChannelRow:
    """One input or output: how often it was on, for how long in all, and at most."""

    name: str
    is_input: bool
    times: int
    total_us: int
    longest_us: int


def channel_rows(lanes: Lanes, end_us: int, inactive: Iterable[str] = ()) -> list[ChannelRow]:
    """Return the inputs, then the outputs, by name; ``inactive`` inputs never changed."""
    inputs = {**{name: Lane() for name in inactive}, **lanes.inputs}
    return [*_rows(inputs, end_us, is_input=True), *_rows(lanes.outputs, end_us, is_input=False)]


def _rows(lanes: dict[str, Lane], end_us: int, *, is_input: bool) -> Iterator[ChannelRow]:
    for name, lane in sorted(lanes.items()):
        spans = zip(lane.starts, lane.ends, strict=True)
        lengths = [max(0, (end_us if end == OPEN else min(end, max(end_us, start))) - start) for start, end in spans]
        yield ChannelRow(name, is_input, len(lengths), sum(lengths), max(lengths, default=0))
