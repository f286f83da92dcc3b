"""The chart of how rows are shared among the values of a column."""

from __future__ import annotations

from collections import Counter

import numpy as np

from rig.core.model.views import SharesBy
from rig.records.journal.read import Row
from rig.views.categories import Words, in_order, known_words
from rig.views.cells import is_true, label_of, unit_of, word_in
from rig.views.chart import Axis, Bars, Chart, Mark
from rig.views.fold import RowFold, Session

MAX_VALUES = 24


class SharesByFold(RowFold[SharesBy]):
    """The share of each value among all rows, and among those that were rewarded."""

    def __init__(self, view: SharesBy, session: Session) -> None:
        super().__init__(view, session)
        self._words = Words(known_words(self.described, view.column), MAX_VALUES)
        self._all: Counter[int] = Counter()
        self._rewarded: Counter[int] = Counter()

    def _row(self, row: Row) -> bool:
        word = word_in(row, self.view.column)
        if not word:
            return False
        place = self._words.place(word)
        self._all[place] += 1
        if self.view.rewarded and is_true(row.get(self.view.rewarded)):
            self._rewarded[place] += 1
        return True

    def _build(self) -> Chart:
        rows = self.rows_label
        if not self.view.rewarded:
            marks: list[Mark] = [self._bars(self._all, rows, 0, 0.0, 0.8)] if self._all else []
        else:
            marks = [self._bars(self._all, rows, 0, -0.2, 0.4), self._bars(self._rewarded, "rewards", 1, 0.2, 0.4)]
        words = in_order(self._words.places)
        unit = unit_of(self.described, self.view.column)
        x = Axis(label_of(self.view.column, unit), unit, ticks={float(at): word for at, word in enumerate(words)})
        y = Axis("share", bounds=(0, None))
        return self._chart(f"shares by {label_of(self.view.column, unit)}", x, y, marks if self._all else [])

    def _bars(self, counts: Counter[int], name: str, color: int, aside: float, width: float) -> Bars:
        places = [self._words.places[word] for word in in_order(self._words.places)]
        total = max(counts.total(), 1)
        heights = np.array([counts[place] / total for place in places], dtype=np.float64)
        return Bars(
            np.arange(len(places), dtype=np.float64) + aside, heights, f"{name} (n = {counts.total()})", color, width
        )
