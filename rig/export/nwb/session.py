"""Read what one session recorded: its journal, and the files beside it that add facts of the machine and positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from rig.core.errors import RecordError
from rig.core.journal.cells import escape_surrogates
from rig.core.journal.header import Footer, Header
from rig.core.journal.kinds import SessionLine
from rig.core.model.rows import TRIAL_TABLE
from rig.export.computed import fill_computed
from rig.export.other_clocks import OtherClocks, read_other_clocks
from rig.export.session_tables import SessionTables
from rig.export.table import Table
from rig.export.times import session_s
from rig.records.journal.read import JournalScan, journal_of, read_ends, scan_journal
from rig.records.session.environment import read_environment
from rig.records.session.subject import subject_of
from rig.records.session.task_clock import TaskClock
from rig.records.track.positions import POSITIONS
from rig.records.track.read import Records, read_positions


class Track(NamedTuple):
    """The positions of a session, and what of them is missing, in words."""

    records: Records | None = None
    missing: str = ""


@dataclass(frozen=True)
class Session:
    """One recorded session; ``environment`` is empty without a file of that name."""

    journal: Path
    header: Header
    scan: JournalScan
    environment: Mapping[str, Any]

    @property
    def folder(self) -> Path:
        """Return its folder."""
        return self.journal.parent

    @property
    def lines(self) -> Sequence[SessionLine]:
        """Return the good lines of its journal."""
        return self.scan.lines

    @property
    def name(self) -> str:
        """Return its day and number, such as ``2026-11-21-001``; its start if the folder has another name."""
        day, number = self.folder.parent.name, self.folder.name
        with suppress(ValueError):
            return f"{datetime.strptime(day, '%Y-%m-%d'):%Y-%m-%d}-{int(number):03}"
        return f"{self.start:%Y-%m-%d-%H%M%S}"

    @property
    def subject(self) -> str | None:
        """Return the name of the subject to which it belongs now."""
        recorded = self.header.subject
        return None if recorded is None else subject_of(self.folder.absolute(), recorded)

    @property
    def simulated(self) -> bool:
        """Whether no real subject took part."""
        return self.header.simulated

    @cached_property
    def start(self) -> datetime:
        """Return when it began; a simulated session has no time zone and is taken as UTC. Raises ``RecordError``."""
        text = self.header.start
        if text is None:
            raise RecordError(f"{self.journal}: its header has no start: NWB needs the time of the session")
        start = datetime.fromisoformat(text)
        return start if start.tzinfo is not None else start.replace(tzinfo=UTC)

    @property
    def footer(self) -> Footer | None:
        """Return the line of its end; None if it broke off."""
        return self.scan.footer

    @property
    def is_complete(self) -> bool:
        """Whether its records have an end, and nothing of them is damaged."""
        return self.footer is not None and not (self.scan.damage or self.scan.torn_bytes or self.track.missing)

    @property
    def end_us(self) -> int:
        """Return when it ended, or its last line."""
        return self.scan.end_us

    @cached_property
    def _tables(self) -> SessionTables:
        tables = SessionTables(self.header)
        for line in self.lines:
            tables.take(line)
        fill_computed(self.folder, tables.recorded[TRIAL_TABLE])
        return tables

    @property
    def recorded(self) -> Mapping[str, Table]:
        """Return the tables of the protocol: the trials, and further ones."""
        return self._tables.recorded

    @cached_property
    def own(self) -> Mapping[str, Table]:
        """Return the tables that every session has. Raises ``RecordError``."""
        return self._tables.own()

    @property
    def clock(self) -> TaskClock:
        """Return the clock of its task."""
        return self._tables.clock

    def session_s(self, task_s: float) -> float:
        """Convert a time of a table to seconds of the session; without pauses it is the same number."""
        return session_s(self.clock, task_s)

    @cached_property
    def clocks(self) -> OtherClocks:
        """Return the clocks of other systems with which it is aligned."""
        return read_other_clocks(self.folder)

    @cached_property
    def track(self) -> Track:
        """Return the positions of a tracked animal, as far as they can be read."""
        path = self.folder / POSITIONS
        if not path.is_file():
            return Track()
        try:
            read = read_positions(path, self.lines)
        except RecordError as error:
            return Track(missing=str(error))
        lost = {"damaged records of positions left out": read.damaged, "records of positions missing": read.missing}
        return Track(read.records, "; ".join(f"{count} {what}" for what, count in lost.items() if count))


def read_session(path: Path, *, header_only: bool = False) -> Session:
    """Read a session's folder or journal, also one that is damaged or has no end. Raises ``RecordError``.

    With ``header_only`` its first line is its only one.
    """
    journal = journal_of(path)
    scan = _scan_header(journal) if header_only else scan_journal(journal)
    if not scan.lines or not isinstance(scan.lines[0], Header):
        raise RecordError(f"{journal}: has no header line: nothing can be made of it")
    return Session(journal, scan.lines[0], scan, escape_surrogates(read_environment(journal.parent)))


def _scan_header(journal: Path) -> JournalScan:
    header = read_ends(journal).header
    return JournalScan([] if header is None else [header], [], 0, 0)
