"""Charts of numbers: trial by trial, and how often they occur."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rig.core.model.views import Histogram, Numbers, as_names
from rig.records.journal.read import Row
from rig.views.categories import LineStyle, Words, known_words, line_style, style
from rig.views.cells import number_of
from rig.views.chart import NEUTRAL, Axis, Chart, Curve, Floats, Mark, Points
from rig.views.fold import RowFold, Session
from rig.views.growing import Growing, GrowingPoints
from rig.views.running import RunningMedian

BINS = 40
"""Bins of a histogram, from the lowest to the highest number."""


class NumbersFold(RowFold[Numbers]):
    """Numbers trial by trial, or along another column, with their running medians."""

    def __init__(self, view: Numbers, session: Session) -> None:
        super().__init__(view, session)
        self._columns = as_names(view.columns)
        self._words = Words(known_words(self.described, view.by))
        self._clear()

    def _clear(self) -> None:
        self._points: dict[int, GrowingPoints] = {}
        self._joined = [GrowingPoints() for _ in self._columns]
        self._medians = [GrowingPoints() for _ in self._columns]
        self._running = [RunningMedian(self.view.over) for _ in self._columns]
        self._beside = {column: GrowingPoints() for column in as_names(self.view.beside)}

    def _row(self, row: Row) -> bool:
        if begins := self.begins_part(row, self.view.within):
            self._clear()
        x = number_of(row.get(self.view.at)) if self.view.at else float(self.row_number)
        if np.isnan(x):
            return begins
        for column, points in self._beside.items():
            points.add(x, number_of(row.get(column)))
        for place, column in enumerate(self._columns):
            self._number(place, x, number_of(row.get(column)), row)
        return True

    def _number(self, place: int, x: float, y: float, row: Row) -> None:
        if np.isnan(y) or (self.view.log and y <= 0):
            return
        group = self._words.place_in(row, self.view.by) if self.view.by else place
        self._points.setdefault(group, GrowingPoints()).add(x, y)
        if self.view.joined:
            self._joined[place].add(x, y)
        if self.view.over:
            self._medians[place].add(x, self._running[place].add(y))

    def _build(self) -> Chart:
        view = self.view
        names = self.group_names(self._words, self._columns, view.by)
        marks: list[Mark] = [mark for place in range(len(self._columns)) for mark in self._curves(place)]
        for place, points in sorted(self._points.items()):
            color, symbol = style(place)
            marks.append(Points(points.x, points.y, names[place], color, symbol, 4))
        marks += [self._beside_curve(place, column) for place, column in enumerate(self._beside)]
        moments = [] if view.at else [self.moments]
        axis = self.axis_of((view.at,)) if view.at else self.row_axis
        return self._chart(
            self.labels(self._columns), axis, self.axis_of(self._columns, log=view.log), [*marks, *moments]
        )

    def _curves(self, place: int) -> Iterator[Mark]:
        """Yield the steps and the running median of a column."""
        view, is_single = self.view, len(self._columns) == 1
        joined, median = self._joined[place], self._medians[place]
        if view.joined:
            yield Curve(joined.x, joined.y, "", NEUTRAL if view.by else style(place)[0], steps=True, width=1)
        if view.over:
            name = "" if is_single else f"{self.label(self._columns[place])}, "
            look = LineStyle(color=NEUTRAL, dashed=False, width=2.0) if is_single else line_style(place)
            yield Curve(median.x, median.y, f"{name}median of {view.over}", **look)

    def _beside_curve(self, place: int, column: str) -> Mark:
        points = self._beside[column]
        # Along another column than the number of the row the places may come in any order.
        order = np.argsort(points.x, kind="stable") if self.view.at else slice(None)
        return Curve(points.x[order], points.y[order], self.label(column), place + 3, steps=True, dashed=True)


class HistogramFold(RowFold[Histogram]):
    """How often numbers occur."""

    def __init__(self, view: Histogram, session: Session) -> None:
        super().__init__(view, session)
        self._columns = as_names(view.columns)
        self._words = Words(known_words(self.described, view.by))
        self._values: dict[int, Growing] = {}

    def _row(self, row: Row) -> bool:
        for place, column in enumerate(self._columns):
            value = number_of(row.get(column))
            if np.isnan(value) or (self.view.log and value <= 0):
                continue
            group = self._words.place_in(row, self.view.by) if self.view.by else place
            self._values.setdefault(group, Growing()).add(value)
        return True

    def _build(self) -> Chart:
        view = self.view
        names = self.group_names(self._words, self._columns, view.by)
        every = [values.values for values in self._values.values()]
        edges = _edges(np.concatenate(every) if every else np.empty(0), log=view.log)
        marks: list[Mark] = []
        for place, values in sorted(self._values.items()):
            counts, _ = np.histogram(values.values, edges)
            name = f"{names[place]} (n = {len(values)})"
            ends = np.concatenate([[0.0], counts, [0.0]])
            marks.append(Curve(np.concatenate([edges[:1], edges]), ends, name, steps=True, **line_style(place)))
        x, y = self.axis_of(self._columns, log=view.log), Axis(self.rows_label, bounds=(0, None))
        return self._chart(self.labels(self._columns), x, y, marks)


def _edges(values: Floats, *, log: bool) -> Floats:
    """Return the edges of the bins; extreme values share the outer ones."""
    if not len(values):
        return np.array([0.0, 1.0])
    low, high = float(values.min()), float(values.max())
    if low == high:
        return np.array([low - 0.5, low + 0.5]) if not log else np.array([low / 1.1, low * 1.1])
    return np.geomspace(low, high, BINS + 1) if log else np.linspace(low, high, BINS + 1)
