"""The lines that a task writes (states, rows, notes): to the journal first, then to the session's observer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rig.core.engine.cell_check import WrongCell, cell_check, plain_value, value_text
from rig.core.engine.observer import SessionObserver
from rig.core.engine.task_time import TaskTime
from rig.core.errors import RecordError, TaskError
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import ParamsChanged, StateLine
from rig.core.journal.values import plain
from rig.core.journal.writable import text_of, unwritable_columns
from rig.core.model.code_lines import CodeLine
from rig.core.model.reward import Reward
from rig.core.model.rows import TRIAL_TABLE, Row, line_of, seal, trace_lines

WRONG_CELL, WRONG_CELLS = "wrong_cell", "wrong_cells"
"""The notes of the first wrong cell of a column, and of all of them at the session's end."""
_MAX_COLUMNS = 100
"""The most columns with wrong cells that are noted by name: names of unknown columns may be computed."""
_FURTHER = "further columns"
_JSON = (str, int, float, bool, type(None), list, tuple, dict)


class TaskLog:
    """The lines of one task, stamped with its time; ``rows`` counts those of the trial table.

    A wrong cell is an error, as is another `mistake` in the rows. In a real session (``keep_mistakes``) it is a note.
    """

    def __init__(
        self, journal: Journal, time: TaskTime, observer: SessionObserver, *, keep_mistakes: bool = False
    ) -> None:
        self.rows = 0
        self.keep_mistakes = keep_mistakes
        self._wrong: Counter[str] = Counter()
        self._mistakes: set[str] = set()
        self._journal = journal
        self._time = time
        self._observer = observer

    def state(self, name: str) -> None:
        """Write that the task enters a state."""
        self._journal.write(StateLine(self._time.now_us, name))
        self._observer.on_state(name)

    def in_task_time(self, rewards: list[Reward]) -> list[Reward]:
        """Return rewards with their times as a protocol sees them."""
        task_us = self._time.pauses.task_us
        return [
            reward if task_us(reward.t_us) == reward.t_us else replace(reward, t_us=task_us(reward.t_us))
            for reward in rewards
        ]

    def note(self, fields: Mapping[str, Any]) -> None:
        """Write a note."""
        values = dict(fields)
        self._journal.note(self._time.now_us, values.pop("what", ""), **values)
        self._observer.on_note(fields)

    def mistake(self, what: str, detail: str) -> None:
        """Raise ``TaskError``; in a real session write a note of the first mistake of this kind."""
        if not self.keep_mistakes:
            raise TaskError(detail)
        if what not in self._mistakes:
            self._mistakes.add(what)
            self.note({"what": what, "detail": detail})

    def params(self, trial: int, changed: Mapping[str, object]) -> None:
        """Write that parameters have other values from a trial on."""
        self._journal.write(ParamsChanged(self._time.now_us, trial, plain(changed)))

    def row(self, row: Row) -> None:
        """Write a row of the trial table. Raises ``TaskError`` for a wrong cell."""
        self._write_row(row, TRIAL_TABLE, None)
        self.rows += 1
        self._observer.on_row(row)

    def record(self, table: str, row: Row, recorded_at: CodeLine | None = None) -> None:
        """Write a row of a further table, recorded by a line of the protocol. Raises ``TaskError`` for a wrong cell."""
        self._write_row(row, table, recorded_at)
        self._observer.on_record(table, row)
        if not self.keep_mistakes and recorded_at is not None:
            trace_lines(row, recorded_at)
            seal(row, "self.record(row)")

    def conclude(self) -> None:
        """Write how many cells of each column were wrong, if any were."""
        if self._wrong:
            self.note({"what": WRONG_CELLS, "cells": dict(self._wrong)})

    def _write_row(self, row: Row, table: str, line: CodeLine | None) -> None:
        values: Mapping[str, object] = _with_plain(row)
        wrong = self._wrong_cells(row, values)
        if wrong:
            self._refuse(row, wrong, line)
            values = _with_texts(row, [cell.column for cell in wrong if type(cell.value) not in _JSON])
        try:
            self._journal.row(self._time.now_us, table, values)
        except RecordError:
            raise
        except Exception:  # of a value that is no JSON
            columns = unwritable_columns(values)
            known = {cell.column for cell in wrong}
            unwritable = [
                WrongCell(column, values[column], "a value that JSON has") for column in columns if column not in known
            ]
            if unwritable:
                self._refuse(row, unwritable, line)
            wrong = [*wrong, *unwritable]
            self._journal.row(self._time.now_us, table, _with_texts(row, columns))
        for cell in wrong:
            self._note_wrong(table, cell)

    def _wrong_cells(self, row: Row, values: Mapping[str, object]) -> Sequence[WrongCell]:
        try:
            return cell_check(type(row)).wrong_cells(row, values, self._time.task_now_us / 1e6)
        except Exception as error:  # the mistake of an object in a cell: it must not end a real session
            if not self.keep_mistakes:
                raise
            return [WrongCell("", type(row).__name__, f"a row that can be checked: {text_of(error)}")]

    def _refuse(self, row: Row, wrong: Sequence[WrongCell], line: CodeLine | None) -> None:
        """Raise ``TaskError`` with the first line at fault, unless the session keeps what is wrong."""
        if self.keep_mistakes:
            return
        name = type(row).__name__
        error = TaskError("; ".join(f"{name}.{cell.column} is {_text(cell)}" for cell in wrong))
        error.where = line_of(row, wrong[0].column) or line
        raise error

    def _note_wrong(self, table: str, cell: WrongCell) -> None:
        column = f"{table}.{cell.column}" if cell.column else table
        if column not in self._wrong and len(self._wrong) >= _MAX_COLUMNS:
            column = _FURTHER
        self._wrong[column] += 1
        if self._wrong[column] == 1:
            self.note({"what": WRONG_CELL, "column": column, "detail": _text(cell)})


def _text(cell: WrongCell) -> str:
    return f"{value_text(cell.value)}, wanted {cell.wanted}"


def _with_plain(row: Row) -> Mapping[str, object]:
    """Return the values of a row in which plain values stand for those of numpy; the row then has them, too."""
    values = row.values()
    for column, value in values.items():
        plain = plain_value(value)
        if plain is not value:
            object.__setattr__(row, column, plain)
            values[column] = plain
    return values


def _with_texts(row: Row, columns: Iterable[str]) -> Mapping[str, object]:
    """Return the values of a row in which texts stand for the values of some columns; the row then has them, too."""
    for column in set(columns).intersection(row.columns()):
        object.__setattr__(row, column, text_of(getattr(row, column)))
    return row.values()
