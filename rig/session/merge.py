"""Merge two records of one animal, whose name was mistyped once: sessions and entries of the wrong one move.

The order makes it safe to be killed at any moment; the same command completes it:

1. Each session moves as `rig session reassign` does.
2. One write adds copies of the entries to the right record, with a `merged` line: up to which entry they were copied.
3. One write voids these entries in the wrong record, and retires it. It stays.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from rig.config.subject import load_subject
from rig.core.errors import ConfigError
from rig.core.journal.kinds import Facts, HandGiven, Merged, Remark, Retired, SubjectEvent, Voided, Weighed
from rig.records.session.moves import unfinished_moves
from rig.records.subject.deliveries import session_folders
from rig.records.subject.known_subject import load_facts, load_known_subject
from rig.records.subject.retirement import check_not_retired, retirement
from rig.records.subject_events import append_copies, append_events, read_events
from rig.session.reassign import check_session, reassign
from rig.session.subject_folder import SubjectFolder

_OF_ONE_ANIMAL = ("species", "sex", "birth")
"""Facts in which two records of one animal do not differ."""


@dataclass(frozen=True)
class MergeResult:
    """How many sessions and entries a merge moved."""

    sessions: int
    entries: int


def merge(data: Path, wrong: str, right: str, by: str, reason: str, at: datetime.datetime) -> MergeResult:
    """Move the record of a wrong name into that of the right one. Raises ``ConfigError`` and ``RecordError``."""
    subjects = SubjectFolder(data, wrong), SubjectFolder(data, right)
    old, new = (subject.folder for subject in subjects)
    sessions = sorted(session_folders(old))
    _check(old, new, sessions)
    for session in sessions:
        reassign(data, session, right, by, reason, at)
    with ExitStack() as locks:
        # In one order, so that two merges cannot block each other.
        for subject in sorted(subjects, key=lambda folder: folder.name):
            locks.enter_context(subject)
        lines = _copy(old, new, by, reason, at)
        # What was recorded meanwhile was not copied: it stays until the command is repeated.
        copied = [line.seq for line in _counted(old) if line.seq <= _copied_upto(old, new)]
        voids = [Voided(entry=number, reason=f"merged into {right}") for number in copied]
        retired = [] if retirement(old) else [Retired(reason=f"merged into {right}: {reason}")]
        if voids or retired:
            append_events(old, [*voids, *retired], by, at)
        for subject in subjects:  # an earlier try may have been killed before it
            subject.rebuild_state()
    return MergeResult(len(sessions), len(lines))


def _check(old: Path, new: Path, sessions: list[Path]) -> None:
    """Check that both are records of one animal, and that all of the old one can move. Raises ``ConfigError``."""
    if old == new:
        raise ConfigError(f"{old.name}: cannot be merged into itself: wanted two names")
    check_not_retired(new)
    facts = load_facts(old), load_facts(new)
    for name in _OF_ONE_ANIMAL:
        values = [getattr(subject_facts, name) for subject_facts in facts]
        if None not in values and values[0] != values[1]:
            raise ConfigError(
                f"{old.name} and {new.name} are not one animal: {name} is {values[0]} and {values[1]}. "
                f"If that is mistyped: rig subject set NAME --{name} VALUE"
            )
    for session in sessions:
        check_session(session)
    if damage := read_events(old).amounts_damage:
        raise ConfigError(
            f"{old}: its record is damaged ({damage[0]}): `rig subject give {old.name} AMOUNT --session events.jsonl` "
            "settles it first"
        )
    for move in unfinished_moves(old):
        if move.new.parents[1] != new:
            raise ConfigError(move.unfinished_text)


def _copy(old: Path, new: Path, by: str, reason: str, at: datetime.datetime) -> list[SubjectEvent]:
    """Write what an earlier try has not yet copied to the right record; return the copied lines."""
    done = _copied_upto(old, new)
    upto = max((line.seq for line in read_events(old).lines), default=0)
    lines = [line for line in _counted(old) if done < line.seq <= upto]
    merged = Merged(old=old.name, new=new.name, upto=upto, reason=reason)
    if lines or done < 0:
        append_copies(new, [*_missing_facts(old, new), *lines], [merged], by, at)
    return lines


def _copied_upto(old: Path, new: Path) -> int:
    """Return the number of the last entry that merges have copied; -1 before the first of them."""
    merges = read_events(new).of_kind(Merged)
    return max((line.upto for line in merges if (line.old, line.new) == (old.name, new.name)), default=-1)


def _counted(folder: Path) -> Iterator[SubjectEvent]:
    """Return the entries of a record that count, in their order, without its facts."""
    return read_events(folder).of_kind(Weighed, HandGiven, Remark)


def _missing_facts(old: Path, new: Path) -> Iterator[Facts]:
    """Yield one line with the facts of the wrong record that the right one does not contradict.

    Without them nothing would be due: today without a species, and on the days before the right record had one.
    """
    known, file = load_facts(new).model_dump(mode="json", exclude_none=True), load_subject(new).model_fields_set
    if "species" in known:  # which restricts it, where its facts do not
        known.setdefault("restriction", load_known_subject(new).restriction)
    others = load_facts(old).model_dump(mode="json", exclude_none=True)
    facts = {name: value for name, value in others.items() if name not in file and known.get(name, value) == value}
    first = next(read_events(old).of_kind(Facts), None)
    if facts and first is not None:
        yield replace(first, facts=facts)
