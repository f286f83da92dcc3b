"""The chart of shares over the last completed trials."""

from __future__ import annotations

from rig.core.model.shares import COMPLETED, fulfills
from rig.core.model.views import RunningShare, as_names
from rig.records.journal.read import Row
from rig.views.categories import line_style
from rig.views.cells import number_of, word_of
from rig.views.chart import Axis, Chart, Curve, Mark
from rig.views.fold import RowFold, Session
from rig.views.growing import GrowingPoints
from rig.views.running import RunningShareOf


class RunningShareFold(RowFold[RunningShare]):
    """Shares of the row's class, each over the last completed trials."""

    def __init__(self, view: RunningShare, session: Session) -> None:
        super().__init__(view, session)
        known = session.header.shares
        self._shares = {name: known[name] for name in as_names(view.shares) if name in known}
        self._running = {name: RunningShareOf(view.over) for name in self._shares}
        self._points = {name: GrowingPoints() for name in self._shares}
        self._beside = {column: GrowingPoints() for column in as_names(view.beside)}
        self._before: Row | None = None

    def _row(self, row: Row) -> bool:
        number = self.row_number
        for column, points in self._beside.items():
            points.add(number - 0.5, number_of(row.get(column)))
        if row.get("outcome") in COMPLETED:
            for name, share in self._shares.items():
                is_fulfilled = fulfills(share, row, self._before)
                if is_fulfilled is not None:
                    self._points[name].add(number, self._running[name].add(is_fulfilled))
            self._before = row
        return True

    def _build(self) -> Chart:
        marks: list[Mark] = [
            Curve(points.x, points.y, self.label(column), index + 3, steps=True, dashed=True)
            for index, (column, points) in enumerate(self._beside.items())
        ]
        marks += [
            Curve(points.x, points.y, self._label(name), **line_style(index))
            for index, (name, points) in enumerate(self._points.items())
        ]
        over = f"of the last {self.view.over} completed trials"
        title = f"{self._label(next(iter(self._shares)))}, {over}" if len(self._shares) == 1 else f"shares {over}"
        axis = Axis("share", bounds=(-0.02, 1.02))
        return self._chart(title, self.row_axis, axis, [*marks, self.moments], empty="no completed trial yet")

    def _label(self, name: str) -> str:
        return word_of(self._shares[name].label) or self.label(name)
