"""What a session leaves for others to read: the rows of its tables, and its protocol's notes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rig.core.engine.observer import SessionObserver
from rig.core.model.rows import TRIAL_TABLE, Row

Tables = dict[str, list[dict[str, Any]]]


class RowCollector(SessionObserver):
    """Keeps the rows of the trial table and of ``further`` tables, and the notes, in their order."""

    def __init__(self, further: Iterable[str] = ()) -> None:
        self.tables: Tables = {name: [] for name in (TRIAL_TABLE, *further)}
        self.notes: list[dict[str, Any]] = []

    def on_row(self, row: Row) -> None:
        """Keep a row of the trial table."""
        self.tables[TRIAL_TABLE].append(row.values())

    def on_record(self, table: str, row: Row) -> None:
        """Keep a row of a further table."""
        self.tables[table].append(row.values())

    def on_note(self, fields: Mapping[str, Any]) -> None:
        """Keep a note."""
        self.notes.append(dict(fields))
