"""A session whose lines are in memory alone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rig.core.journal.header import Header
from rig.core.journal.kinds import RowLine, SessionLine, TrialLine
from rig.core.model.rows import TRIAL_TABLE
from rig.records.journal.read import JOURNAL, DamagedLine, of_kind
from rig.records.recorded_session import RecordedSession
from tests.journal_lines import HEADER, made


class SessionOfLines(RecordedSession):
    """A session of lines; its header has further fields, and the columns of the rows."""

    def __init__(self, full_name: str, *lines: SessionLine, **fields: Any) -> None:
        rows = {TRIAL_TABLE if isinstance(line, TrialLine) else line.table: line.row for line in _rows(lines)}
        columns = {name: list(row) for name, row in rows.items()}
        trials = columns.pop(TRIAL_TABLE, [])
        header = made("header", **{**HEADER, "columns": trials, "tables": columns, **fields})
        assert isinstance(header, Header)
        super().__init__(Path(full_name) / JOURNAL, header)
        self.full_name = full_name
        self.subject, _, self.name = full_name.partition("/")
        self._lines = [header, *lines]

    def _iter_lines(self) -> Iterator[SessionLine | DamagedLine]:
        return iter(self._lines)


def _rows(lines: tuple[SessionLine, ...]) -> list[TrialLine | RowLine]:
    return [*of_kind(lines, TrialLine), *of_kind(lines, RowLine)]
