"""The base classes of the folds that make a chart of a journal's lines, and what all folds of a session share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from rig.core.journal.header import Header
from rig.core.journal.kinds import RowLine, TrialLine
from rig.core.model.line import Line
from rig.core.model.rows import TRIAL_TABLE
from rig.core.model.views import View
from rig.records.journal.read import Row
from rig.views.categories import Words
from rig.views.cells import is_true, label_of, shortened, unit_of, word_in, word_of
from rig.views.chart import Axis, Chart, Mark, Moments
from rig.views.timeline import Timeline

V_co = TypeVar("V_co", bound=View, covariant=True)
MINUTES = Axis("session time", "min")
_MAX_TITLE = 80


@dataclass(frozen=True)
class Session:
    """What all folds of one session share: its header, its folder (None for lines without one), and its time."""

    header: Header
    folder: Path | None = None
    timeline: Timeline = field(default_factory=Timeline)


class ViewFold(ABC, Generic[V_co]):
    """A fold of a journal's lines that makes the chart of one view; ``take`` takes lines of its ``kinds`` only."""

    kinds: tuple[type[Line], ...] = (TrialLine, RowLine)

    def __init__(self, view: V_co, session: Session) -> None:
        self.view = view
        self.session = session
        self.table = view.table
        self.described = session.header.described(view.table)
        self._changes = 0
        self._drawn: tuple[tuple[int, ...], Chart] | None = None

    def take(self, line: Line) -> None:
        """Handle the next line of the session."""
        self._changes += self._took(line)

    def chart(self) -> Chart:
        """Return the chart of the lines so far: the same object again, unless something has changed."""
        state = self._state()
        if self._drawn is None or self._drawn[0] != state:
            self._drawn = state, self._build()
        return self._drawn[1]

    def _state(self) -> tuple[int, ...]:
        return self._changes, self.session.timeline.changes

    @abstractmethod
    def _took(self, line: Line) -> bool:
        """Handle a line, and return whether it changes the chart."""

    @abstractmethod
    def _build(self) -> Chart:
        """Build the chart."""

    def _chart(
        self,
        default_title: str,
        x: Axis,
        y: Axis,
        marks: list[Mark],
        *,
        is_map: bool = False,
        empty: str = Chart.empty,
    ) -> Chart:
        title = shortened(self.view.title or default_title, _MAX_TITLE)
        kept = [mark for mark in marks if not isinstance(mark, Moments) or len(mark.x)]
        return Chart(title, x, y, tuple(kept), is_map, empty)


class RowFold(ViewFold[V_co]):
    """A fold of the rows of one table."""

    def __init__(self, view: V_co, session: Session) -> None:
        super().__init__(view, session)
        self._is_trials = view.table == TRIAL_TABLE
        columns = session.header.columns_by_table.get(view.table)
        self._first = columns[0] if columns else ""
        self._first_counts = True
        """Whether the first column has counted the rows so far."""
        self._where = [(name, word_of(value)) for name, value in view.where.items()]
        self._last_word = ""
        """What `begins_part` compares the next row with."""

    def _took(self, line: Line) -> bool:
        match line:
            case TrialLine(row=row) if self._is_trials:
                pass
            case RowLine(table=self.table, row=row):
                pass
            case _:
                return False
        self._first_counts &= row.get(self._first) == self.row_number
        if any(word_of(row.get(name)) != wanted for name, wanted in self._where):
            return False
        return self._row(row)

    @abstractmethod
    def _row(self, row: Row) -> bool:
        """Handle a row of the table, and return whether it changes the chart."""

    def begins_part(self, row: Row, column: str) -> bool:
        """Whether a row has another word in a column than the row before it, such as a new round."""
        before, self._last_word = self._last_word, word_in(row, column)
        return self._last_word != before

    @property
    def row_number(self) -> int:
        """Return the number of the table's last row, counted from 1."""
        return self.session.timeline.rows[self.table]

    @property
    def row_axis(self) -> Axis:
        """Return the axis of the table's rows, counted from 1."""
        return Axis(word_of(self.view.rows) or self._row_word)

    @property
    def rows_label(self) -> str:
        """Return what the rows are called, in the plural."""
        word = self._row_word
        return word_of(self.view.rows) or (f"{word}s" if " " not in word else "rows")

    @property
    def _row_word(self) -> str:
        described = self.described.get(self._first)
        if self._first_counts and described is not None and described.kind == "integer":
            return label_of(self._first)  # it counts the rows, such as `lap`
        return "trial" if self._is_trials else f"row of {label_of(self.table)}"

    @property
    def moments(self) -> Moments:
        """Return the pauses, breaks and changes between the rows."""
        return self.session.timeline.after_rows(self.table)

    def axis_of(self, columns: tuple[str, ...], *, log: bool = False) -> Axis:
        """Return the axis of numbers of columns: named as the only one, or by what all have in common."""
        units = {unit_of(self.described, column) for column in columns}
        unit = units.pop() if len(units) == 1 else ""
        if len(columns) == 1:
            return Axis(label_of(columns[0], unit), unit, log=log)
        return Axis(_COMMON.get(unit, "value"), "" if unit == "probability" else unit, log=log)

    def label(self, column: str) -> str:
        """Return what a column is called in a legend."""
        return label_of(column, unit_of(self.described, column))

    def labels(self, columns: Sequence[str]) -> str:
        """Return what several columns are called together, such as in a title."""
        return ", ".join(map(self.label, columns))

    def group_names(self, words: Words, columns: Sequence[str], by: str) -> list[str]:
        """Return what groups of numbers are called in a legend: by the words of ``by``, or else by their columns."""
        return self.names(words, by) if by else [self.label(column) for column in columns]

    def names(self, words: Words, column: str) -> list[str]:
        """Return what the words of a column are called in a legend: a number alone would say nothing."""
        label = self.label(column)
        return [f"{label} {word}" if word[:1].isdigit() else word for word in words.places]

    def is_rewarded(self, row: Row, column: str) -> bool:
        """Whether a row is drawn as rewarded; every row is if no column says so."""
        return not column or is_true(row.get(column))


_COMMON = {
    "s": "duration",
    "ms": "duration",
    "min": "duration",
    "ul": "volume",
    "cm": "length",
    "Hz": "frequency",
    "probability": "probability",
}
"""What numbers of a unit are called together."""
