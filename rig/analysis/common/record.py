"""A session recorded by ``rig``, as an analysis reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rig.core.journal.lines import Line
from rig.records.journal.read import rows_of


@dataclass(frozen=True)
class Record:
    """A recorded session; ``lines`` are the journal lines of the kinds that the analysis reads."""

    name: str
    subject: str
    folder: Path
    lines: Sequence[Line]

    @property
    def header(self) -> Line:
        """Return the header, the first line."""
        return self.lines[0]

    @property
    def rows(self) -> list[Line]:
        """Return the rows of the trial table."""
        return rows_of(self.lines)
