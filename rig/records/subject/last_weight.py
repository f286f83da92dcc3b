"""The last weight of a subject, whether a session took it or it was weighed on its own."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path

from rig.core.journal.lines import Line
from rig.records.journal.read import JOURNAL, read_ends
from rig.records.session.history import PastSession, past_sessions
from rig.records.subject_events import EventScan, day_of, read_events

Moment = datetime.datetime


def last_weight(folder: Path, until: Moment) -> tuple[float, datetime.date] | None:
    """Return the last weight of a subject up to a moment, in grams, with its day. Raises ``RecordError``."""
    weights = sorted(_weights(folder, until.timestamp()), key=lambda pair: pair[0])
    return (weights[-1][1], Moment.fromtimestamp(weights[-1][0]).date()) if weights else None


def is_taken_back(events: EventScan, grams: float, start: Moment) -> bool:
    """Whether the weight of a session is that of an entry of its day that was voided after the start."""
    voided = (line for line in events.lines if line["k"] == "weighed" and line["seq"] in events.voids)
    return any(
        line["weight_g"] == grams
        and day_of(line) == start.date()
        and line["t"] <= start.timestamp() * 1e6 <= events.voids[line["seq"]]["t"]
        for line in voided
    )


def _weights(folder: Path, until: float) -> Iterator[tuple[float, float]]:
    """Yield the time and the grams of each weighing up to a time, and of the newest session with a weight."""
    events = read_events(folder)
    for line in events.of_kind("weighed"):
        if line["t"] / 1e6 <= until:
            yield line["t"] / 1e6, float(line["weight_g"])
    for past in past_sessions(folder):
        if isinstance(past, PastSession) and past.voided is None:
            header: Line = read_ends(past.folder / JOURNAL).header or {}
            grams, start = header.get("weight_g"), header.get("start")
            if isinstance(grams, int | float) and start is not None:
                began = Moment.fromisoformat(start)
                if began.timestamp() <= until and not is_taken_back(events, grams, began):
                    yield began.timestamp(), float(grams)
                    return
