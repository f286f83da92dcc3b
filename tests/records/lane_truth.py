"""The spans of a simulated session as its pins had them, to hold `rig.records.outputs.lanes` against."""

from __future__ import annotations

from collections.abc import Iterable

from rig.core.journal.header import Footer
from rig.core.journal.kinds import AllOffDone
from rig.core.model.board import Output
from rig.core.model.events import Edge, ZoneEvent
from rig.core.model.line import Line
from rig.records.outputs.lanes import Lanes
from rig.records.outputs.spans import OPEN, Lane
from tests.harness import FaultHarness

Span = tuple[int, int]


def lanes_of(lines: Iterable[Line]) -> Lanes:
    lanes = Lanes()
    for line in lines:
        lanes.take(line)
    return lanes


def spans_of(lane: Lane | None) -> list[Span]:
    return [] if lane is None else list(zip(lane.starts, lane.ends, strict=True))


def pin_spans(harness: FaultHarness, channel: str) -> list[Span]:
    """Return when a pin was on; a tone that changes its frequency goes on."""
    spans: list[Span] = []
    on_us: int | None = None
    for t_us, value in harness.changes(channel):
        if value and on_us is None:
            on_us = t_us
        elif not value and on_us is not None:
            spans.append((on_us, t_us))
            on_us = None
    return spans if on_us is None else [*spans, (on_us, OPEN)]


def cut(spans: Iterable[Span], end_us: int) -> list[Span]:
    """Return the spans up to a time, without those that took no time."""
    ended = [(start, end_us if end == OPEN else min(end, end_us)) for start, end in spans]
    return [(start, end) for start, end in ended if start < end]


def compare_outputs(
    harness: FaultHarness,
    within_us: int = 5,
    *,
    late_us: int = 0,
    until_us: int | None = None,
    reported_within_us: int = 0,
) -> int:
    """Hold the spans of all outputs against the pins; return how many there were.

    Starts and ends may differ by ``within_us``, and be early by ``late_us``, as an edge is stamped before it fires. The
    starts of outputs with a limit are reported, and may differ by ``reported_within_us``.
    """
    ends = (line.t_us for line in harness.journal if isinstance(line, (AllOffDone, Footer)))
    end_us = max(ends) if until_us is None else until_us
    lanes, total = lanes_of(harness.journal), 0
    for channel in harness.spec.plan.wiring.channels:
        if isinstance(channel, Output):
            true = cut(pin_spans(harness, channel.name), end_us)
            found = cut(spans_of(lanes.outputs.get(channel.name)), end_us)
            text = f"{channel.name}: pins {true}, lanes {found}"
            assert len(true) == len(found), text
            for one, other in zip(true, found, strict=True):
                for real, said in zip(one, other, strict=True):
                    assert -within_us <= real - said <= within_us + late_us, text
            if channel.max_on_us is not None:
                late = [abs(real[0] - said[0]) for real, said in zip(true, found, strict=True)]
                assert max(late, default=0) <= reported_within_us, text
            total += len(true)
    return total


def compare_inputs(harness: FaultHarness) -> int:
    """Hold the spans of all inputs against the edges and zones of the journal."""
    total = 0
    for name, lane in lanes_of(harness.journal).inputs.items():
        lines = [line for line in harness.journal if isinstance(line, (Edge, ZoneEvent)) and line.channel == name]
        assert list(lane.starts) == [line.t_us for line in lines if line.level]
        assert [end for end in lane.ends if end != OPEN] == [line.t_us for line in lines if not line.level]
        total += len(lane.starts)
    return total
