"""A session recorded by ``rig``, as an analysis reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rig.core.journal.header import Footer, Header
from rig.core.journal.kinds import Note, RowLine, SessionLine, TrialLine
from rig.records.journal.read import Row, of_kind


@dataclass(frozen=True)
class Record:
    """A recorded session; ``lines`` are the journal lines of the kinds that the analysis reads, in order."""

    name: str
    subject: str
    folder: Path
    header: Header
    lines: Sequence[SessionLine]

    @property
    def footer(self) -> Footer | None:
        """Return the last line; None of a session that the program did not end."""
        last = self.lines[-1] if self.lines else None
        return last if isinstance(last, Footer) else None

    @property
    def trials(self) -> list[TrialLine]:
        """Return the lines of the trial table: rows with the time at which each was complete."""
        return list(of_kind(self.lines, TrialLine))

    @property
    def rows(self) -> list[Row]:
        """Return the rows of the trial table."""
        return [line.row for line in self.trials]

    def table_lines(self, name: str) -> list[RowLine]:
        """Return the lines of a further table, for an analysis that reads `RowLine`."""
        return [line for line in of_kind(self.lines, RowLine) if line.table == name]

    def table(self, name: str) -> list[Row]:
        """Return the rows of a further table, for an analysis that reads `RowLine`."""
        return [line.row for line in self.table_lines(name)]

    def notes(self, what: str) -> list[Note]:
        """Return the notes that say ``what``, for an analysis that reads `Note`."""
        return [note for note in of_kind(self.lines, Note) if note.what == what]
