"""An observer that a test tells what to do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rig.core.engine.observer import SessionObserver
from rig.core.model.board import BoardInfo
from rig.core.model.rows import Row


class RecordingObserver(SessionObserver):
    """Keeps the rows of a session, and does what a test wants when it is opened, between trials or at a row."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.records: list[tuple[str, Row]] = []
        self.notes: list[Mapping[str, Any]] = []
        self.opened: Callable[[BoardInfo], object] = lambda opened: None
        self.resting: Callable[[], object] = lambda: None
        self.at_row: Callable[[Row], object] = lambda row: None

    def on_opened(self, opened: BoardInfo) -> None:
        self.opened(opened)

    def between_trials(self) -> None:
        self.resting()

    def on_row(self, row: Row) -> None:
        self.rows.append(row)
        self.at_row(row)

    def on_record(self, table: str, row: Row) -> None:
        self.records.append((table, row))

    def on_note(self, fields: Mapping[str, Any]) -> None:
        self.notes.append(fields)
