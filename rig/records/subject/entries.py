"""The entries of a subject's record: each with its number, what it says, and whether it was voided.

A wrong entry is never removed. A later line voids it, and from then on it counts nowhere.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from pathlib import Path

from pydantic import BaseModel, Field

from rig.core.errors import ConfigError
from rig.core.journal.lines import Line
from rig.core.model.actions import Amount
from rig.records.subject_events import Event, EventScan, append_events, read_events


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
    return [_entry(line, scan.voids.get(line["seq"])) for line in scan.lines if line["k"] in _TEXTS]


def void_entry(folder: Path, number: int, by: str, reason: str, at: datetime.datetime) -> Entry:
    """Record that an entry of a subject is void, and return it. Raises ``ConfigError`` and ``RecordError``."""
    entry = next((each for each in entries_of(read_events(folder)) if each.number == number), None)
    if entry is None:
        raise ConfigError(
            f"ID {number}: {folder.name} has no such entry: `rig subject record {folder.name}` lists them"
        )
    if entry.voided is not None:
        raise ConfigError(f"{folder.name}: {entry.full_text} is voided already: {entry.voided}")
    append_events(folder, [Event("voided", {"entry": number, "reason": reason})], by, at)
    return entry


def last_entry(folder: Path, day: datetime.date) -> Entry:
    """Return the last entry of a subject that counts; it must be of ``day``, and not the one that added the subject.

    A command that is repeated once too often must not go through old days, nor remove the rules of the species. A merge
    copies older entries behind those of the day. Raises ``ConfigError`` and ``RecordError``.
    """
    name = folder.name
    scan = read_events(folder)
    counted = [line for line in scan.lines if line["k"] in _TEXTS and line["seq"] not in scan.voids]
    if not counted:
        raise ConfigError(f"{name}: has no entry that could be taken back")
    of_day = [line for line in counted if line["at"][:10] == day.isoformat()]
    last = (of_day or counted)[-1]
    entry = _entry(last, None)
    if not of_day or "species" in last.get("facts", ()):
        raise ConfigError(
            f"{name}: has no other entry of today. The last one is {entry.full_text}; "
            f"`rig subject void {name} {entry.number} --reason WHY` takes it back"
        )
    return entry


def _entry(line: Line, void: Line | None) -> Entry:
    return Entry(
        number=line["seq"],
        kind=line["k"],
        day=datetime.datetime.fromtimestamp(line["t"] / 1e6).date(),
        at=line["at"],
        by=line["by"],
        text=_TEXTS[line["k"]](line),
        voided=None if void is None else f"{void['by']}: {void['reason']}",
    )


def _facts_text(line: Line) -> str:
    facts = ", ".join(f"{name} {'removed' if value is None else value}" for name, value in line["facts"].items())
    return f"facts: {facts or 'none'}"


def _given_text(line: Line) -> str:
    food_g = line.get("food_g", 0.0)
    amounts = (Amount(ul=line["ul"]), Amount(pellets=int(line["pellets"])), Amount(access_s=line["access_s"]))
    parts = [*(str(amount) for amount in amounts if amount != Amount()), *([f"{food_g:g} g of food"] if food_g else [])]
    reasons = [line["reason"]] if line["reason"] != "by hand" else []
    closed = [f"closes the top-up of {line['top_up_for']}"] if "top_up_for" in line else []
    why = ", ".join((*reasons, *closed))
    return f"{', '.join(parts) or 'nothing'} by hand{f' ({why})' if why else ''}"


_TEXTS: Mapping[str, Callable[[Line], str]] = {
    "facts": _facts_text,
    "weighed": lambda line: f"{line['weight_g']:g} g, {line['when']} the session",
    "given": _given_text,
    "remark": lambda line: str(line["text"]),
    "retired": lambda line: f"retired: {line['reason']}",
    "unretired": lambda line: f"no longer retired: {line['reason']}",
}
"""The text of each kind of line that can be voided."""
