"""Past sessions of a subject, looked at from their ends: what began, how it ended, whether it counts.

Of a journal only its first and its last line are read here, and the trial table when it is asked for: a subject may
have hundreds of sessions.
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from rig.core.errors import RecordError
from rig.core.journal.header import Footer, Free, Header, RecordedStage
from rig.core.journal.kinds import TrialLine
from rig.core.model.actions import Amount
from rig.records.journal.read import JOURNAL, Row, read_ends, rows_of, scan_journal
from rig.records.session.never_began import never_began
from rig.records.session.void import void_text
from rig.system.atomic_files import os_error_text

ADVANCING_REASONS = ("time_limit", "reward_limit", "trial_limit", "task_finished")
"""Reasons of an end after which a session counts."""
ADVANCING_WITH_MIN_TRIALS = ("operator", "idle")
"""After these it counts when it had the protocol's ``min_trials``."""


def advances_state(reason: str, trials: int, min_trials: int) -> bool:
    """Whether a session that ended so counts for those that come after it."""
    return reason in ADVANCING_REASONS or (reason in ADVANCING_WITH_MIN_TRIALS and trials >= min_trials)


@dataclass(frozen=True, slots=True)
class PastSession:
    """A session that was: ``reason`` is None where it has no end, as after a crash or while it runs."""

    folder: Path
    protocol: str
    protocol_name: str
    """What people call it."""
    curriculum: RecordedStage | None
    """What its header says of the curriculum; None outside of one."""
    reason: str | None
    trials: int
    advances_state: bool
    simulated: bool
    """Whether no subject was there."""
    from_records: str | None
    """The name of the real session whose records this simulated one began from; None where it did not."""
    given: Amount
    """What it gave, by its end; nothing without one."""
    stamp: tuple[int, int]
    """Size and time of its journal: another one may stand there another day."""
    voided: str | None = None
    """Who voided it, and why; it then counts nowhere but in what was given."""

    @property
    def name(self) -> str:
        """Return the name of its folder below the subject's: ``2026-11-21/001``."""
        return f"{self.folder.parent.name}/{self.folder.name}"

    def carried_over(self) -> tuple[Free, Free]:
        """Read what it began with, and what it left for the next session. Raises ``RecordError``."""
        ends = read_ends(self.folder / JOURNAL)
        return _carry_over(ends.header), _carry_over(ends.footer)

    def rows(self) -> list[Row]:
        """Read the rows of its trial table from the journal. Raises ``RecordError`` when one is missing or damaged."""
        path = self.folder / JOURNAL
        scan = scan_journal(path, TrialLine)
        if len(scan.lines) != self.trials:
            for item in scan.damage:
                raise RecordError(f"{path}:{item.line}: a row of its table cannot be trusted: {item.why}")
            raise RecordError(f"{path}: has {len(scan.lines)} rows of its table, and its end says {self.trials}")
        return rows_of(scan.lines)


def _carry_over(line: Header | Footer | None) -> Free:
    return {} if line is None else line.carry_over


def journals(folder: Path) -> Iterator[Path]:
    """Return the journals of a subject, the newest first, without those of sessions that never began.

    Raises ``RecordError`` where one may lie that is not seen.
    """
    for day in session_days(folder):
        yield from journals_of(folder, day)


def session_days(folder: Path) -> list[datetime.date]:
    """Return the days of which a subject's folder may hold sessions, the newest first. Raises ``RecordError``."""
    return sorted(map(datetime.date.fromisoformat, _entries(folder, _is_day)), reverse=True)


def journals_of(folder: Path, day: datetime.date) -> Iterator[Path]:
    """Return the journals of a subject's day, the newest first. Raises ``RecordError`` as `journals` does."""
    place = folder / day.isoformat()
    # Sorted as numbers: session 1000 comes after 999.
    for number in sorted(_entries(place, str.isdecimal), key=int, reverse=True):
        session = place / number
        names = _entries(session, lambda name: True)
        if JOURNAL in names and not _never_began(session, names):
            yield session / JOURNAL


def _never_began(session: Path, names: list[str]) -> bool:
    try:
        return never_began(session, names)
    except OSError:  # the one who reads it says so
        return False


def _is_day(name: str) -> bool:
    # 2026-02-31 only looks like a day, and what counts days would fail at it.
    if len(name) != 10 or name[4] != "-":
        return False
    try:
        datetime.date.fromisoformat(name)
    except ValueError:
        return False
    return True


def _entries(folder: Path, wanted: Callable[[str], bool]) -> list[str]:
    try:
        return [name for name in os.listdir(folder) if wanted(name)]
    except (FileNotFoundError, NotADirectoryError):  # a subject that is new, or another program's file
        return []
    except OSError as error:
        raise RecordError(f"{folder}: cannot be read: {os_error_text(error)}") from error


def past_sessions(folder: Path, *, simulated: bool = False) -> Iterator[PastSession | Path]:
    """Return a subject's past sessions, the newest first; a journal that has no header is given as its path.

    Simulated sessions are no past of a real subject, wherever they lie, nor real ones of a simulated subject: its past
    goes on in the real subject's folder only before a session that began from the records there.
    """
    for past in all_sessions(folder):
        if isinstance(past, PastSession) and past.simulated != simulated:
            continue
        yield past
        if simulated and isinstance(past, PastSession) and past.from_records is not None:
            yield from _up_to(past.from_records, folder.parent.parent / folder.name)
            return


def _up_to(name: str, folder: Path) -> Iterator[PastSession | Path]:
    """Return a real subject's sessions from one of that name back."""
    for past in past_sessions(folder):
        session = past.folder if isinstance(past, PastSession) else past.parent
        if _place(session.parent.name, session.name) <= _place(*name.split("/")):
            yield past


def _place(day: str, number: str) -> tuple[str, int]:
    return day, int(number)


def all_sessions(folder: Path) -> Iterator[PastSession | Path]:
    """Return the sessions in a subject's folder, real or simulated; otherwise as :func:`past_sessions`."""
    for path in journals(folder):
        try:
            status = path.stat()
            past = _read_past_session(path, status.st_size, status.st_mtime_ns)
        except OSError as error:
            raise RecordError(f"{path}: cannot be read: {os_error_text(error)}") from error
        voided = void_text(path.parent)
        if past is not None and voided is not None:
            past = replace(past, voided=voided, advances_state=False)
        yield past or path


@lru_cache(maxsize=4096)
def _read_past_session(path: Path, size: int, mtime_ns: int) -> PastSession | None:
    """Read a journal of so many bytes once: a campaign asks for the same ones every day."""
    ends = read_ends(path)
    header, footer = ends.header, ends.footer
    if header is None:
        return None
    reason, trials = (None, 0) if footer is None else (footer.reason, footer.trials)
    enough = reason is not None and advances_state(reason, trials, header.min_trials)
    return PastSession(
        folder=path.parent,
        protocol=header.protocol,
        protocol_name=header.protocol_name,
        curriculum=header.curriculum,
        reason=reason,
        trials=trials,
        advances_state=enough,
        simulated=header.simulated,
        from_records=header.from_records,
        given=Amount() if footer is None else Amount(footer.ul, footer.pellets, footer.access_s),
        stamp=(size, mtime_ns),
    )
