"""Which sessions the window shows: named ones, those of the boxes of a laboratory, or all that run."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from rig.platform.processes import is_running
from rig.records.journal.read import JOURNAL
from rig.supervisor.started import StartedSession, StartedSessions
from rig.window.running_sessions import FindsSessions

RECENT = datetime.timedelta(hours=12)
"""A box whose session ended is shown for so long after its start."""


class Target(NamedTuple):
    """A session to show; a later one with the same ``place`` takes its tab."""

    place: str
    journal: Path
    name: str = ""


class Targets(Protocol):
    """Says which sessions there are now."""

    def find(self) -> Sequence[Target]:
        """Return the sessions to show; it never waits."""


class NamedTargets:
    """Sessions that a person has named."""

    def __init__(self, journals: Sequence[Path]) -> None:
        self._found = [Target(str(journal), journal) for journal in journals]

    def find(self) -> Sequence[Target]:
        """Return them."""
        return self._found


class RunningTargets:
    """All sessions that run on this computer under this user."""

    def __init__(self, sessions: FindsSessions) -> None:
        self._sessions = sessions

    def find(self) -> Sequence[Target]:
        """Return those that the last look has found."""
        return [Target(str(folder), folder / JOURNAL) for folder in sorted(self._sessions.look())]


class BoxTargets:
    """The newest session of each box that was started with its records in one data folder."""

    def __init__(self, data: Path, boxes: Sequence[str] = ()) -> None:
        self._started = StartedSessions(data)
        self._boxes = boxes

    def find(self) -> Sequence[Target]:
        """Return those that have records."""
        return [
            Target(each.box, Path(each.folder) / JOURNAL, each.box)
            for each in self._started.newest()
            if each.folder is not None and (not self._boxes or each.box in self._boxes) and is_recent(each)
        ]


def is_recent(started: StartedSession) -> bool:
    """Whether a session runs, or was started in the last hours."""
    at = datetime.datetime.fromisoformat(started.at)
    return datetime.datetime.now() - at < RECENT or is_running(started.pid, started.mark)
