"""Latencies of a session: how late the host's orders were executed, and the times that its table has of the subject."""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeGuard

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


@dataclass(frozen=True)
class LatencyRow:
    """A distribution of latencies, in milliseconds, sorted."""

    name: str
    text: str
    values_ms: Sequence[float]

    def quantile(self, part: float) -> float:
        """Return the smallest value that at least this fraction does not exceed, without interpolation."""
        return self.values_ms[max(0, math.ceil(part * len(self.values_ms)) - 1)]


class OrderLatencies:
    """How long the host's batches took.

    The line of a batch has the task time of its cause: the board's stamp of an edge, or a deadline. The board also
    stamps the execution.
    """

    kinds = (Command, BatchDone, Continued, LeaseExpired, Fault)

    def __init__(self) -> None:
        self._sent: dict[int, int] = {}
        self._took_us = array("q")

    def take(self, line: Line) -> None:
        """Read the next line."""
        match line:
            case Command(batch=batch):
                self._sent[batch] = line.t_us
            case BatchDone(batch=batch) if batch in self._sent:
                self._took_us.append(max(0, line.t_us - self._sent.pop(batch)))
            case Continued() | LeaseExpired() | Fault(what="reset"):
                self._sent.clear()  # numbers of batches begin again

    def row(self) -> LatencyRow | None:
        """Return their distribution; None if no board executed any."""
        return _row("orders", ORDERS, (us / 1000 for us in self._took_us))


class StampErrors:
    """The bounds of error of times that another clock than the board's stamped."""

    kinds = (FrameShown, Hover, Key, OperatorNote, PositionsLine, Request, Touch, ZoneEvent)

    def __init__(self) -> None:
        self._bounds_us: defaultdict[str, array[int]] = defaultdict(lambda: array("q"))

    def take(self, line: FrameShown | Hover | Key | OperatorNote | PositionsLine | Request | Touch | ZoneEvent) -> None:
        """Read the next line."""
        self._bounds_us[kind_of(line)].append(line.uncertainty_us)

    def rows(self) -> Iterator[LatencyRow]:
        """Yield their distribution, by the kind of line."""
        for kind, values in sorted(self._bounds_us.items()):
            text = "largest error of its time on the board's clock"
            row = _row(kind.replace("_", " "), text, (us / 1000 for us in values))
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


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a value of a table is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _row(name: str, text: str, values_ms: Iterable[float]) -> LatencyRow | None:
    ordered = sorted(values_ms)
    return LatencyRow(name, text, ordered) if ordered else None
