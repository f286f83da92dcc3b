"""All that ``rig subject show`` prints of one subject, in one model."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, Field

from rig.config.subject_facts import SubjectFacts
from rig.core.journal.kinds import Merged, Remark, Renamed, SessionMoved, Voided
from rig.records.session.brief import SessionBrief
from rig.records.session.history import past_journals
from rig.records.session.moves import unfinished_moves
from rig.records.session.task_version import stage_text
from rig.records.subject.days import SubjectDay, subject_days
from rig.records.subject.due import due_of
from rig.records.subject.entries import Entry, entries_of
from rig.records.subject.known_subject import load_known_subject
from rig.records.subject_events import EVENTS, EventScan, read_events


class DatedText(BaseModel):
    """A note or a change of a subject, with its time and its author."""

    at: str = Field(description="the local time at which it was recorded")
    by: str = Field(description="who recorded it")
    text: str = Field(description="the text")


class SubjectReport(BaseModel):
    """A subject: facts, rules, days, stage, open top-up, notes, and changes of its name and sessions."""

    subject: str = Field(description="its name")
    facts: SubjectFacts = Field(description="its facts")
    restriction: str = Field(description="what is restricted: water, food or none")
    baseline_g: float | None = Field(description="its baseline weight, in grams")
    baseline_date: datetime.date | None = Field(description="the day on which that was measured")
    implant_g: float | None = Field(description="the weight of its implant, which the percentages are without")
    baseline_warning: str = Field(description="why the baseline is to be taken again; empty if it holds")
    stage: str | None = Field(description="curriculum and stage of its newest session that has one")
    sessions: int = Field(description="how many real sessions it has, without voided ones")
    days: list[SubjectDay] = Field(description="its last days, the oldest first")
    due_today: str | None = Field(description="what is due today; null if nothing is")
    open_top_ups: list[str] = Field(description="what was due on earlier days and was never confirmed")
    notes: list[DatedText] = Field(description="notes, the oldest first")
    entries: list[Entry] = Field(description="the entries of its record, voided ones too, the oldest first")
    changes: list[DatedText] = Field(description="voids, renamings, merges, and sessions moved to it or away from it")
    unfinished: list[str] = Field(description="moves of sessions that were interrupted, and what completes them")
    damage: list[str] = Field(description="lines of its events that cannot be read")


def subject_report(
    folder: Path, at: datetime.datetime, most_days: int, top_up_days: int | None = None
) -> SubjectReport:
    """Return the report of a subject; of ``top_up_days`` see `subject_days`.

    Raises ``ConfigError`` and ``RecordError``.
    """
    known = load_known_subject(folder)
    past = past_journals(folder)
    counted = [session for session in past if not isinstance(session, SessionBrief) or session.voided is None]
    stages = (session.header.curriculum for session in counted if isinstance(session, SessionBrief))
    newest = next((stage for stage in stages if stage is not None), None)
    events = read_events(folder)
    today = at.date()
    due = due_of(folder, today)
    return SubjectReport(
        subject=folder.name,
        facts=known.facts,
        restriction=known.restriction,
        baseline_g=known.on(today).rules.baseline_g,
        implant_g=known.on(today).rules.implant_g,
        baseline_warning=known.baseline_warning(today),
        baseline_date=known.rules.baseline_date,
        stage=None if newest is None else stage_text(newest),
        sessions=len(counted),
        days=subject_days(folder, known, today, most_days, top_up_days),
        due_today=next((each.top_up.amount for each in due if each.day == today), None),
        open_top_ups=[f"{each.day}: {each.top_up.amount} ({each.why})" for each in due if each.day < today],
        notes=[DatedText(at=line.at, by=line.by, text=line.text) for line in events.of_kind(Remark)],
        entries=entries_of(events),
        changes=list(_changes(events, folder)),
        unfinished=[move.unfinished_text for move in unfinished_moves(folder)],
        damage=[f"{folder / EVENTS}: {text}" for text in events.damage],
    )


def _changes(events: EventScan, folder: Path) -> Iterator[DatedText]:
    entries = {entry.number: entry for entry in entries_of(events)}
    for line in events.lines:
        match line:
            case Voided() if line.entry in entries:
                text = f"voided {entries[line.entry].full_text}: {line.reason}"
            case Merged():
                text = f"the record of {line.old} was merged into {line.new}: {line.reason}"
            case Renamed():
                text = f"renamed from {line.old} to {line.new}: {line.reason}"
            case SessionMoved() if line.new == folder.name:
                text = f"{line.place} was recorded as {line.session} of {line.old}: {line.reason}"
            case SessionMoved():
                text = f"{line.session} belongs to {line.new}, as {line.place}: {line.reason}"
            case _:
                continue
        yield DatedText(at=line.at, by=line.by, text=text)
