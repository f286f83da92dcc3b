"""Charts with a line of symbols for each word of a column: choices with rewards and odds, and outcomes."""

from __future__ import annotations

from rig.core.model.views import Choices, Outcomes
from rig.records.journal.read import Row
from rig.views.categories import Words, known_words, style
from rig.views.cells import number_of, word_in
from rig.views.chart import NEUTRAL, Chart, Curve, Floats, Mark, Points
from rig.views.fold import RowFold, Session
from rig.views.growing import GrowingPoints

MAX_WORDS = 16
REWARDED, UNREWARDED = 2, NEUTRAL
"""Colors; the sizes and the places of the symbols differ too."""
_ASIDE = 0.13
"""Rewarded trials stand so much above the middle of their line, others below: thousands are still told apart."""
_ODDS_HEIGHT = 0.8
"""Probabilities from 0 to 1 take so much of a word's line, which is 1 high."""


class ChoicesFold(RowFold[Choices]):
    """Choices trial by trial, rewarded or not, with the odds of each."""

    def __init__(self, view: Choices, session: Session) -> None:
        super().__init__(view, session)
        self._words = Words(known_words(self.described, view.column), MAX_WORDS)
        self._rewarded, self._unrewarded, self._empty = GrowingPoints(), GrowingPoints(), GrowingPoints()
        self._odds = {name: (column, GrowingPoints()) for name, column in view.odds.items()}

    def _row(self, row: Row) -> bool:
        number, y = self.row_number, -float(self._words.place_in(row, self.view.column))
        if not word_in(row, self.view.column):
            self._empty.add(number, y)
        elif self.is_rewarded(row, self.view.rewarded):
            self._rewarded.add(number, y + _ASIDE)
        else:
            self._unrewarded.add(number, y - _ASIDE)
        for name, (column, points) in self._odds.items():
            odds = number_of(row.get(column))
            points.add(number - 0.5, (odds - 0.5) * _ODDS_HEIGHT - self._words.place(name))
        return True

    def _build(self) -> Chart:
        rewarded, unrewarded, empty = self._rewarded, self._unrewarded, self._empty
        marks: list[Mark] = [
            Curve(points.x, points.y, "" if index else "odds, as the height in a line", NEUTRAL, steps=True, faint=True)
            for index, (_, points) in enumerate(self._odds.values())
        ]
        by_reward = bool(self.view.rewarded)
        marks.append(Points(rewarded.x, rewarded.y, "rewarded, above" if by_reward else "", REWARDED, "tick", 11))
        if by_reward:
            marks.append(Points(unrewarded.x, unrewarded.y, "not rewarded, below", UNREWARDED, "tick", 6))
        if len(empty):
            marks.append(Points(empty.x, empty.y, "", 3, "cross", 5))
        return self._chart(
            self.label(self.view.column),
            self.row_axis,
            self._words.axis(self.label(self.view.column)),
            [*marks, self.moments],
        )


class OutcomesFold(RowFold[Outcomes]):
    """Outcomes trial by trial, with how many there were of each."""

    def __init__(self, view: Outcomes, session: Session) -> None:
        super().__init__(view, session)
        self._words = Words(known_words(self.described, view.column), MAX_WORDS)
        self._points: dict[int, GrowingPoints] = {}

    def _row(self, row: Row) -> bool:
        place = self._words.place_in(row, self.view.column)
        self._points.setdefault(place, GrowingPoints()).add(self.row_number, -place)
        return True

    def _build(self) -> Chart:
        counts = {place: len(points) for place, points in self._points.items()}
        marks: list[Mark] = [self._mark(place, points.x, points.y) for place, points in sorted(self._points.items())]
        label = self.label(self.view.column)
        return self._chart(label, self.row_axis, self._words.axis(label, counts), [*marks, self.moments])

    def _mark(self, place: int, x: Floats, y: Floats) -> Points:
        return Points(x, y, "", style(place)[0], "tick", 9)
