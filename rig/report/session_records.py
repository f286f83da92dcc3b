"""What a session's folder holds: its journal as far as it is good, and facts about the computer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rig.core.errors import RecordError
from rig.core.journal.header import Footer, Header
from rig.core.journal.kinds import SessionLine
from rig.records.journal.read import JournalScan, Row, journal_of, scan_journal, tables_of
from rig.records.session.environment import read_environment
from rig.records.session.subject import subject_of


@dataclass(frozen=True)
class SessionRecords:
    """The records of one session, whose journal has a header."""

    journal: Path
    header: Header
    scan: JournalScan
    environment: Mapping[str, Any]

    @property
    def lines(self) -> list[SessionLine]:
        """Return the good lines of its journal; the first is the header."""
        return self.scan.lines

    @property
    def folder(self) -> Path:
        """Return the session's folder."""
        return self.journal.parent

    @property
    def name(self) -> str:
        """Return the session's date and number: ``2026-11-21/001``."""
        return "/".join(self.journal.absolute().parts[-3:-1])

    @cached_property
    def subject(self) -> str:
        """Return the subject to whom the session belongs now, which may be another one than its header says."""
        recorded = self.header.subject or self.journal.absolute().parent.parent.parent.name
        return subject_of(self.folder, recorded or "no name")

    @property
    def footer(self) -> Footer | None:
        """Return the line that marks the end; None of a session that runs or broke off."""
        return self.scan.footer

    @property
    def end_us(self) -> int:
        """Return the time of the end, or else of the last line."""
        return self.scan.end_us

    @cached_property
    def tables(self) -> dict[str, list[Row]]:
        """Return the rows of every table."""
        return tables_of(self.lines, self.header)


def read_records(session: Path) -> SessionRecords:
    """Read a session's folder or journal. Raises ``RecordError`` for one without a header that can be read."""
    journal = journal_of(session)
    scan = scan_journal(journal)
    header = scan.lines[0] if scan.lines else None
    if not isinstance(header, Header):
        why = next((f": {item.why}" for item in scan.damage if item.line == 1), "")
        raise RecordError(f"{journal}: has no header line that can be read{why}: no report can be made of it")
    return SessionRecords(journal, header, scan, read_environment(journal.parent))


def fact(facts: Mapping[str, Any], *keys: str) -> Any:
    """Return a fact by the keys that lead to it; None where there is none."""
    found: Any = facts
    for key in keys:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found
