"""Settle the rewards in doubt of the session before: its board has said, at the next OPEN, what it gave.

The board of a rig serves several subjects. So the session before may be another subject's: it is the latest one with
the same board among the real sessions in the data folder.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rig.core.errors import ConfigError, RecordError
from rig.core.journal.header import Footer
from rig.core.journal.kinds import Openings, StateLine
from rig.records.journal.read import DamagedLine, iter_lines, journal_of, read_ends
from rig.records.openings.board_answer import BoardAnswer
from rig.records.recover import CRASH, FAULT, Recovery, recover
from rig.records.session.history import journals
from rig.session.subject_folder import SubjectFolder
from rig.system.config_paths import NO_SUBJECTS

DAYS = 7
"""So many days a session may lie back: the board forgets it when it loses its power, and after some openings."""
MOST = 5
"""So many sessions in a row are settled: each may have crashed before it could settle the one before it."""
_CUT_OFF = (CRASH, FAULT)


@dataclass(frozen=True)
class SettledSession:
    """A session whose board has said afterwards what it gave."""

    folder: Path
    recovery: Recovery

    @property
    def name(self) -> str:
        """Return its subject, date and number: ``M1/2026-11-21/001``."""
        return "/".join(self.folder.parts[-3:])

    @property
    def text(self) -> str:
        """Return what the board's answer decided."""
        recovery = self.recovery
        left = f", {recovery.undecided} still in doubt and counted" if recovery.undecided else ""
        amounts = f"{recovery.confirmed} given, {recovery.refused} not given{left}"
        return f"{self.name}: its board has said what it gave: {amounts}"


def settle_previous(session: Path) -> list[SettledSession]:
    """Update the session before a real one; return the sessions whose records changed.

    A session that cannot be settled, because its subject is in use or its journal is damaged, stays in doubt.
    """
    settled: list[SettledSession] = []
    asked = session.resolve()
    for _ in range(MOST):
        with suppress(RecordError, ConfigError, OSError):
            previous, answer = _previous(asked)
            if previous is None or answer is None:
                break
            recovery = _settle(previous, answer)
            if recovery is not None and (recovery.confirmed or recovery.refused):
                settled.append(SettledSession(previous, recovery))
            if _has_settled(previous):
                break
            asked = previous
            continue
        break
    return settled


def _settle(previous: Path, answer: BoardAnswer) -> Recovery | None:
    footer = read_ends(journal_of(previous)).footer
    if footer is not None and not footer.unconfirmed_rewards:
        return None
    subject = previous.parent.parent
    with SubjectFolder(subject.parent, subject.name):
        return recover(previous, answer)


def _has_settled(session: Path) -> bool:
    """Whether a session could settle the one before it: a crash or a full disk keeps it from that."""
    footer = read_ends(journal_of(session)).footer
    return footer is not None and footer.reason not in _CUT_OFF


def _previous(session: Path) -> tuple[Path | None, BoardAnswer | None]:
    """Return the latest session before this one with its board, and what the board said in this one."""
    opened, header = _openings(journal_of(session)), read_ends(journal_of(session)).header
    start = None if header is None or header.simulated else header.start
    if opened is None or not opened.kept or start is None:
        return None, None
    data = session.parent.parent.parent
    since = (datetime.datetime.fromisoformat(start) - datetime.timedelta(days=DAYS)).date().isoformat()
    for _, journal in sorted(_before(data, start, since), reverse=True):
        other = _openings(journal)
        if other is not None and other.uid == opened.uid:
            return journal.parent, BoardAnswer(opened.uid, opened.power_ons, opened.kept, "/".join(session.parts[-3:]))
    return None, None


def _before(data: Path, start: str, since: str) -> Iterator[tuple[str, Path]]:
    """Yield the real sessions of all subjects from a day on that began before one, each with its start."""
    for subject in data.iterdir():
        if subject.name in NO_SUBJECTS or not subject.is_dir():
            continue
        for journal in journals(subject):
            if journal.parent.parent.name < since:
                break
            header = read_ends(journal).header
            if header is not None and not header.simulated and header.start is not None and header.start < start:
                yield header.start, journal


def _openings(journal: Path) -> Openings | None:
    """Return what the board said when a session began; a session's first state comes after it."""
    for line in iter_lines(journal, Openings, StateLine, Footer):
        if not isinstance(line, DamagedLine):
            return line if isinstance(line, Openings) else None
    return None
