"""The last weight of a subject, whether a session took it or it was weighed on its own."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path

from rig.core.journal.kinds import Weighed
from rig.records.session.history import past_sessions
from rig.records.subject_events import EventScan, day_of, read_events

Moment = datetime.datetime


def last_weight(folder: Path, until: Moment) -> tuple[float, datetime.date] | None:
    """Return the last weight of a subject up to a moment, in grams, with its day. Raises ``RecordError``."""
    weights = sorted(_weights(folder, until.timestamp()), key=lambda pair: pair[0])
    return (weights[-1][1], Moment.fromtimestamp(weights[-1][0]).date()) if weights else None


def is_taken_back(events: EventScan, grams: float, start: Moment) -> bool:
    """Whether the weight of a session is that of an entry of its day that was voided after the start."""
    return any(
        line.weight_g == grams
        and day_of(line) == start.date()
        and line.t_us <= start.timestamp() * 1e6 <= events.voids[line.seq].t_us
        for line in events.lines
        if isinstance(line, Weighed) and line.seq in events.voids
    )


def _weights(folder: Path, until: float) -> Iterator[tuple[float, float]]:
    """Yield the time and the grams of each weighing up to a time, and of the newest session with a weight."""
    events = read_events(folder)
    for line in events.of_kind(Weighed):
        if line.t_us / 1e6 <= until:
            yield line.t_us / 1e6, float(line.weight_g)
    for past in past_sessions(folder):
        if past.voided is None:
            grams, start = past.header.weight_g, past.header.start_time
            if grams is None or start is None or start.timestamp() > until or is_taken_back(events, grams, start):
                continue
            yield start.timestamp(), grams
            return
