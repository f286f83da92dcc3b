"""What a protocol has recorded of a session: the rows of its tables, and its notes."""

from __future__ import annotations

from rig.core.journal.header import Header
from rig.core.journal.kinds import Note, RowLine, TrialLine
from rig.core.model.rows import TRIAL_TABLE
from rig.records.tables.table import recorded_tables


class ProtocolTables:
    """The tables of a protocol and its notes, of the lines taken so far."""

    kinds = (TrialLine, RowLine, Note)
    """The kinds of lines that hold them."""

    def __init__(self, header: Header) -> None:
        self.recorded = recorded_tables(header)
        """The trials, and further tables."""
        self.notes: list[Note] = []

    def take(self, line: TrialLine | RowLine | Note) -> None:
        """Read the next of these lines."""
        match line:
            case TrialLine():
                self._add(TRIAL_TABLE, line)
            case RowLine():
                self._add(line.table, line)
            case Note():
                self.notes.append(line)

    def _add(self, table: str, line: TrialLine | RowLine) -> None:
        recorded = self.recorded[table]
        recorded.rows.append([line.row[column.name] for column in recorded.columns])
        recorded.times_us.append(line.t_us)
