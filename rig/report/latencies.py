"""Latencies of a session: how late the host's orders were executed, and the times that its table has of the subject."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from rig.core.journal.header import Header
from rig.core.journal.kinds import BatchDone, Command, OperatorNote, PositionsLine
from rig.core.model.events import (
    Continued,
    Fault,
    FrameShown,
    Hover,
    Key,
    LeaseExpired,
    Request,
    Touch,
    ZoneEvent,
)
from rig.core.model.line import Line, kind_of
from rig.core.model.rows import TRIAL_TABLE
from rig.records.journal.read import Row

ORDERS = "from the event or deadline to the execution of the orders that follow from it"
_TO_MS = {"s": 1000.0, "ms": 1.0, "us": 0.001}
_OTHER_CLOCKS = (FrameShown, Hover, Key, OperatorNote, PositionsLine, Request, Touch, ZoneEvent)
"""Lines whose time was not stamped by the board."""


@dataclass(frozen=True)
class LatencyRow:
    """A distribution of latencies, in milliseconds, sorted."""

    name: str
    text: str
    values_ms: Sequence[float]

    def quantile(self, part: float) -> float:
        """Return the smallest value that at least this fraction does not exceed, without interpolation."""
        return self.values_ms[max(0, math.ceil(part * len(self.values_ms)) - 1)]


def order_latencies(lines: Iterable[Line]) -> LatencyRow | None:
    """Return how long the host's batches took; None if no board executed any.

    The line of a batch has the task time of its cause: the board's stamp of an edge, or a deadline. The board also
    stamps the execution.
    """
    sent: dict[int, int] = {}
    took_us: list[int] = []
    for line in lines:
        match line:
            case Command(batch=batch):
                sent[batch] = line.t_us
            case BatchDone(batch=batch) if batch in sent:
                took_us.append(max(0, line.t_us - sent.pop(batch)))
            case Continued() | LeaseExpired() | Fault(what="reset"):
                sent.clear()  # numbers of batches begin again
    return _row("orders", ORDERS, (us / 1000 for us in took_us))


def stamp_errors(lines: Iterable[Line]) -> Iterator[LatencyRow]:
    """Yield the bounds of error of times that another clock than the board's stamped, by the kind of line."""
    bounds: dict[str, list[float]] = {}
    for line in lines:
        if isinstance(line, _OTHER_CLOCKS):
            bounds.setdefault(kind_of(line), []).append(line.uncertainty_us / 1000)
    for kind, values in sorted(bounds.items()):
        row = _row(kind.replace("_", " "), "largest error of its time on the board's clock", values)
        if row is not None:
            yield row


def subject_latencies(header: Header, rows: Sequence[Row]) -> Iterator[LatencyRow]:
    """Yield the durations that the trial table has: columns in seconds or milliseconds that are no times of events."""
    for name, column in header.described(TRIAL_TABLE).items():
        factor = _TO_MS.get(column.unit)
        if factor is None or column.kind != "number" or name == "t" or name.startswith("t_"):
            continue
        values = [factor * float(value) for row in rows if is_number(value := row.get(name))]
        latency = _row(name, column.text, values)
        if latency is not None:
            yield latency


def is_number(value: Any) -> TypeGuard[int | float]:
    """Whether a value of a table is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _row(name: str, text: str, values_ms: Iterable[float]) -> LatencyRow | None:
    ordered = sorted(values_ms)
    return LatencyRow(name, text, ordered) if ordered else None
