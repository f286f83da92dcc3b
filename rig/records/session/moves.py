"""Where a session is that was moved to another subject, or whose subject has another name now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rig.core.journal.kinds import Renamed, SessionMoved
from rig.records.journal.read import JOURNAL
from rig.records.subject_events import EVENTS, read_events

_MOST_MOVES = 100
"""So many moves of one session are followed; more are a circle of damaged events."""


@dataclass(frozen=True)
class Reassignment:
    """A session that belongs to another subject: its folder now, and at the right subject."""

    old: Path
    new: Path

    @property
    def session(self) -> str:
        """Return the session's name at the subject under which it was recorded."""
        return _name(self.old)

    @property
    def place(self) -> str:
        """Return the session's name at the right subject."""
        return _name(self.new)

    @property
    def unfinished_text(self) -> str:
        """Return what a person does about a move that was killed."""
        wrong, right = self.old.parents[1].name, self.new.parents[1].name
        return (
            f"the move of {wrong}/{self.session} to {right} was interrupted: complete it with "
            f"`rig session reassign {wrong}/{self.session} {right} --reason WHY`"
        )


def _name(folder: Path) -> str:
    return f"{folder.parent.name}/{folder.name}"


def moves_of(folder: Path) -> Iterator[SessionMoved]:
    """Yield the moves of a subject's sessions, the newest first. Raises ``RecordError``."""
    return reversed(list(read_events(folder).of_kind(SessionMoved)))


def unfinished_moves(folder: Path) -> list[Reassignment]:
    """Return the moves from or to a subject that were killed before their session moved. Raises ``RecordError``."""
    data = folder.parent
    moves = (Reassignment(data / line.old / line.session, data / line.new / line.place) for line in moves_of(folder))
    return [move for move in moves if (move.old / JOURNAL).exists() and not (move.new / JOURNAL).exists()]


def find_session(folder: Path) -> Path:
    """Return where a session is now; where no event says so, its folder as it was. Raises ``RecordError``."""
    place = folder
    for _ in range(_MOST_MOVES):
        if (place / JOURNAL).exists():
            return place
        following = _following(place)
        if following is None:
            break
        place = following
    return folder


def _following(place: Path) -> Path | None:
    subject, data = place.parents[1], place.parents[2]
    if not subject.is_dir():
        return next((other / place.relative_to(subject) for other in _called_before(data, subject.name)), None)
    names = {subject.name, *(line.old for line in read_events(subject).of_kind(Renamed))}
    for line in moves_of(subject):
        if line.session == _name(place) and line.old in names:
            return data / line.new / line.place
    return None


def _called_before(data: Path, name: str) -> Iterator[Path]:
    """Yield the subjects that once had a name."""
    for events in sorted(data.glob(f"*/{EVENTS}")):
        if any(line.old == name for line in read_events(events.parent).of_kind(Renamed)):
            yield events.parent
