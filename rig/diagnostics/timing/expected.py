"""When an edge should have been reported and fired, from what was done to the pin.

The stamp of an edge is its first instant. It fires when it has lasted as long as its input demands, and not before
the lock-out that the edge before it has begun.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from rig.core.model.board import Input
from rig.core.model.events import Edge


class ExpectedEvent(NamedTuple):
    """An edge that was reported: when it was, and when it fires."""

    edge: Edge
    at_us: float
    due_us: float


def expected_events(channel: Input, puts: Sequence[tuple[float, int]], edges: Sequence[Edge]) -> list[ExpectedEvent]:
    """Find for each reported edge of an input what had been done to it: the change to that level next to its stamp."""
    times = {level: [at for at, put in puts if put == level] for level in (0, 1)}
    found = []
    locked_until = 0.0
    for edge in edges:
        at = _nearest(times[edge.level], edge.t_us)
        confirm = channel.confirm_on_us if edge.level else channel.confirm_off_us
        found.append(ExpectedEvent(edge, at, max(at + confirm, locked_until)))
        locked_until = at + channel.debounce_us
    return found


def _nearest(times: Sequence[float], t_us: float) -> float:
    place = bisect_left(times, t_us)
    return min(times[max(0, place - 1) : place + 1], key=lambda at: abs(at - t_us))
