"""Latencies of a session: how late the host's orders were executed, and the times that its table has of the subject."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from rig.core.journal.lines import Line
from rig.core.model.columns import described_in
from rig.core.model.rows import TRIAL_TABLE

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


def order_latencies(lines: Iterable[Line]) -> LatencyRow | None:
    """Return how long the host's batches took; None if no board executed any.

    The line of a batch has the task time of its cause: the board's stamp of an edge, or a deadline. The board also
    stamps the execution.
    """
    sent: dict[int, int] = {}
    took_us: list[int] = []
    for line in lines:
        kind = line["k"]
        if kind == "command":
            sent[line["batch"]] = line["t"]
        elif kind == "batch_done" and line["batch"] in sent:
            took_us.append(max(0, line["t"] - sent.pop(line["batch"])))
        elif kind == "continued" or (kind == "fault" and line["what"] in ("lease_expired", "reset")):
            sent.clear()  # numbers of batches begin again
    return _row("orders", ORDERS, (us / 1000 for us in took_us))


def stamp_errors(lines: Iterable[Line]) -> Iterator[LatencyRow]:
    """Yield the bounds of error of times that another clock than the board's stamped, by the kind of line."""
    bounds: dict[str, list[float]] = {}
    for line in lines:
        bound = line.get("uncertainty_us")
        if type(bound) is int:
            bounds.setdefault(line["k"], []).append(bound / 1000)
    for kind, values in sorted(bounds.items()):
        row = _row(kind.replace("_", " "), "largest error of its time on the board's clock", values)
        if row is not None:
            yield row


def subject_latencies(header: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> Iterator[LatencyRow]:
    """Yield the durations that the trial table has: columns in seconds or milliseconds that are no times of events."""
    for name, column in described_in(header, TRIAL_TABLE).items():
        factor = _TO_MS.get(str(column.get("unit")))
        if factor is None or column.get("kind") != "number" or name == "t" or name.startswith("t_"):
            continue
        values = [factor * float(value) for row in rows if is_number(value := row.get(name))]
        latency = _row(name, str(column.get("text", "")), values)
        if latency is not None:
            yield latency


def is_number(value: Any) -> TypeGuard[int | float]:
    """Whether a value of a table is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _row(name: str, text: str, values_ms: Iterable[float]) -> LatencyRow | None:
    ordered = sorted(values_ms)
    return LatencyRow(name, text, ordered) if ordered else None
