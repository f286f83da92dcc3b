"""The expected time and firing of each edge, from the levels driven on its pin.

The stamp of an edge is its first instant. It fires once it has lasted the input's minimum time, and not before the
end of the lock-out that the previous edge has started.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from rig.core.model.board import Input
from rig.core.model.events import Edge


class ExpectedEvent(NamedTuple):
    """A reported edge: when it was driven, and when it is due to fire."""

    edge: Edge
    at_us: float
    due_us: float


def expected_events(channel: Input, puts: Sequence[tuple[float, int]], edges: Sequence[Edge]) -> list[ExpectedEvent]:
    """Return for each reported edge of an input the driven change to its level that is nearest to its stamp."""
    times = {level: [at for at, put in puts if put == level] for level in (0, 1)}
    events = []
    locked_until = 0.0
    for edge in edges:
        at = _nearest(times[edge.level], edge.t_us)
        confirm = channel.confirm_on_us if edge.level else channel.confirm_off_us
        events.append(ExpectedEvent(edge, at, max(at + confirm, locked_until)))
        # From the stamp, not from the firing: the board does the same.
        locked_until = at + channel.debounce_us
    return events


def _nearest(times: Sequence[float], t_us: float) -> float:
    place = bisect_left(times, t_us)
    return min(times[max(0, place - 1) : place + 1], key=lambda at: abs(at - t_us))
