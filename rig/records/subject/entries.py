"""The entries of a subject's record: each with its number, what it says, and whether it was voided.

A wrong entry is never removed. A later line voids it, and from then on it counts nowhere.
"""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import TypeAlias

from pydantic import BaseModel, Field

from rig.core.errors import ConfigError
from rig.core.journal.kinds import Facts, HandGiven, Remark, Retired, Unretired, Voided, Weighed
from rig.core.model.actions import Amount
from rig.core.model.line import kind_of
from rig.records.subject_events import EventScan, append_events, day_of, read_events

_EntryLine: TypeAlias = Facts | Weighed | HandGiven | Remark | Retired | Unretired
"""The kinds of lines that can be voided."""


class Entry(BaseModel):
    """One entry of a subject's record."""

    number: int = Field(description="its number in the record, which `rig subject void` takes")
    kind: str = Field(description="what was recorded: facts, weighed, given, remark, retired or unretired")
    day: datetime.date = Field(description="the day for which it counts")
    at: str = Field(description="the local time at which it was recorded")
    by: str = Field(description="who recorded it")
    text: str = Field(description="what it says")
    voided: str | None = Field(description="who voided it, and why; null if it counts")

    @property
    def full_text(self) -> str:
        """Return the entry with its number, time and author."""
        return f"entry {self.number} ({self.time_text}, {self.by}: {self.text})"

    @property
    def time_text(self) -> str:
        """Return when it was recorded, and for which day if that was another one."""
        of_day = "" if self.at.startswith(self.day.isoformat()) else f", for {self.day}"
        return self.at[:16].replace("T", " ") + of_day


def entries_of(scan: EventScan) -> list[Entry]:
    """Return the entries of a record, the oldest first; voided ones are marked."""
    return [_entry(line, scan.voids.get(line.seq)) for line in scan.lines if isinstance(line, _EntryLine)]


def void_entry(folder: Path, number: int, by: str, reason: str, at: datetime.datetime) -> Entry:
    """Record that an entry of a subject is void, and return it. Raises ``ConfigError`` and ``RecordError``."""
    entry = next((each for each in entries_of(read_events(folder)) if each.number == number), None)
    if entry is None:
        raise ConfigError(
            f"ID {number}: {folder.name} has no such entry: `rig subject record {folder.name}` lists them"
        )
    if entry.voided is not None:
        raise ConfigError(f"{folder.name}: {entry.full_text} is voided already: {entry.voided}")
    append_events(folder, [Voided(entry=number, reason=reason)], by, at)
    return entry


def last_entry(folder: Path, day: datetime.date) -> Entry:
    """Return the last entry of a subject that counts; it must be of ``day``, and not the one that added the subject.

    A command that is repeated once too often must not go through old days, nor remove the rules of the species. A merge
    copies older entries behind those of the day. Raises ``ConfigError`` and ``RecordError``.
    """
    name = folder.name
    scan = read_events(folder)
    counted = [line for line in scan.lines if isinstance(line, _EntryLine) and line.seq not in scan.voids]
    if not counted:
        raise ConfigError(f"{name}: has no entry that could be taken back")
    of_day = [line for line in counted if line.at[:10] == day.isoformat()]
    last = (of_day or counted)[-1]
    entry = _entry(last, None)
    if not of_day or (isinstance(last, Facts) and "species" in last.facts):
        raise ConfigError(
            f"{name}: has no other entry of today. The last one is {entry.full_text}; "
            f"`rig subject void {name} {entry.number} --reason WHY` takes it back"
        )
    return entry


def _entry(line: _EntryLine, void: Voided | None) -> Entry:
    return Entry(
        number=line.seq,
        kind=kind_of(line),
        day=day_of(line),
        at=line.at,
        by=line.by,
        text=_text(line),
        voided=None if void is None else f"{void.by}: {void.reason}",
    )


def _text(line: _EntryLine) -> str:
    match line:
        case Facts(facts=facts):
            values = (f"{name} {'removed' if value is None else value}" for name, value in facts.items())
            return f"facts: {', '.join(values) or 'none'}"
        case Weighed():
            return f"{line.weight_g:g} g, {line.when} the session"
        case HandGiven():
            return _given_text(line)
        case Remark():
            return line.text
        case Retired():
            return f"retired: {line.reason}"
        case Unretired():
            return f"no longer retired: {line.reason}"


def _given_text(line: HandGiven) -> str:
    amounts = (Amount(ul=line.ul), Amount(pellets=line.pellets), Amount(access_s=line.access_s))
    parts = [str(amount) for amount in amounts if amount != Amount()]
    parts += [f"{line.food_g:g} g of food"] if line.food_g else []
    reasons = [line.reason] if line.reason != "by hand" else []
    reasons += [f"closes the top-up of {line.top_up_for}"] if line.top_up_for is not None else []
    return f"{', '.join(parts) or 'nothing'} by hand" + (f" ({', '.join(reasons)})" if reasons else "")
