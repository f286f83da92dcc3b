"""Collect the rows of a session's tables and its protocol's notes in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rig.core.engine.observer import SessionObserver
from rig.core.journal.kinds import Note
from rig.core.model.rows import TRIAL_TABLE, Row

Tables = dict[str, list[dict[str, object]]]


class RowCollector(SessionObserver):
    """Collector of the rows of the trial table and of ``further`` tables, and of the notes, in order."""

    def __init__(self, further: Iterable[str] = ()) -> None:
        self.tables: Tables = {name: [] for name in (TRIAL_TABLE, *further)}
        self.notes: list[Note] = []

    def on_row(self, row: Row) -> None:
        """Add a row of the trial table."""
        self.tables[TRIAL_TABLE].append(row.values())

    def on_record(self, table: str, row: Row) -> None:
        """Add a row of a further table."""
        self.tables[table].append(row.values())

    def on_note(self, fields: Mapping[str, Any]) -> None:
        """Add a note."""
        values = dict(fields)
        self.notes.append(Note(0, values.pop("what", ""), values))
