"""The cumulative record: counts over the time of the session."""

from __future__ import annotations

import numpy as np

from rig.core.model.views import Cumulative
from rig.records.journal.read import Row
from rig.views.categories import Words, known_words, line_style
from rig.views.cells import is_true, number_of
from rig.views.chart import Axis, Chart, Curve, Mark, Points
from rig.views.fold import MINUTES, RowFold, Session
from rig.views.growing import GrowingPoints


class CumulativeFold(RowFold[Cumulative]):
    """The count of rows over the time of the session, with rewards as ticks."""

    def __init__(self, view: Cumulative, session: Session) -> None:
        super().__init__(view, session)
        self._words = Words(known_words(self.described, view.by))
        self._curves: dict[int, GrowingPoints] = {}
        self._rewards = GrowingPoints()

    def _row(self, row: Row) -> bool:
        x = number_of(row.get(self.view.at)) / 60
        if np.isnan(x):
            return False
        place = self._words.place_in(row, self.view.by)
        points = self._curves.setdefault(place, GrowingPoints())
        points.add(x, len(points) + 1)
        if self.view.rewarded and is_true(row.get(self.view.rewarded)):
            self._rewards.add(x, len(points))
        return True

    def _build(self) -> Chart:
        names = self.names(self._words, self.view.by) or [""]
        marks: list[Mark] = [
            Curve(points.x, points.y, names[place], steps=True, **line_style(place))
            for place, points in sorted(self._curves.items())
        ]
        if len(self._rewards):
            marks.append(Points(self._rewards.x, self._rewards.y, "rewarded", 2, "tick", 5))
        y = Axis(f"{self.rows_label} so far", bounds=(0, None))
        return self._chart("cumulative record", MINUTES, y, [*marks, self.session.timeline.at_minutes()])
