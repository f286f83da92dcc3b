"""The chart of spans over the session's time, such as the intervals after which rewards wait."""

from __future__ import annotations

import math

import numpy as np

from rig.core.journal.kinds import Note, RowLine, TrialLine
from rig.core.model.line import Line
from rig.core.model.views import Spans
from rig.records.journal.read import Row
from rig.terminal.format import with_unit
from rig.views.categories import Words, known_words
from rig.views.cells import label_of, moment_of, number_of, unit_of, word_of
from rig.views.chart import NEUTRAL, Chart, Curve, Floats, Mark, Points
from rig.views.fold import MINUTES, RowFold, Session
from rig.views.growing import Growing, GrowingPoints

MAX_LINES = 24


class _Segments:
    """Segments along lines, as one curve with gaps."""

    def __init__(self) -> None:
        self._x, self._line = Growing(), Growing()

    def add(self, start_s: float, end_s: float, line: int) -> None:
        for x in (start_s / 60, end_s / 60, math.nan):
            self._x.add(x)
            self._line.add(line)

    @property
    def x(self) -> Floats:
        return self._x.values

    @property
    def line(self) -> Floats:
        return self._line.values


class SpansFold(RowFold[Spans]):
    """Spans that have ended, from rows; and those that have not, from notes of the protocol."""

    kinds = (TrialLine, RowLine, Note)

    def __init__(self, view: Spans, session: Session) -> None:
        super().__init__(view, session)
        self._words = Words(known_words(self.described, view.by), MAX_LINES)
        self._before, self._within = _Segments(), _Segments()
        self._ends = GrowingPoints()
        self._planned: list[tuple[int, float, float]] = []

    def _took(self, line: Line) -> bool:
        return self._note(line) if isinstance(line, Note) else super()._took(line)

    def _note(self, note: Note) -> bool:
        if not self.view.planned or note.what != self.view.planned:
            return False
        words, starts = _cells(note.fields.get("by")), _cells(note.fields.get("start"))
        since = _cells(note.fields.get("since")) or [None] * len(words)
        self._planned = [
            (self._words.place(word_of(word)), number_of(began), number_of(start))
            for word, began, start in zip(words[:MAX_LINES], since, starts, strict=False)
        ]
        return True

    def _row(self, row: Row) -> bool:
        view = self.view
        since, start, end = (number_of(row.get(name)) for name in (view.since, view.start, view.end))
        place = self._words.place_in(row, view.by)
        # What has no start, or no end, lasted until now, when the row was written.
        now_s = self.session.timeline.now_s
        if not math.isnan(since):
            self._before.add(since, now_s if math.isnan(start) else start, place)
        if not math.isnan(start):
            self._within.add(start, now_s if math.isnan(end) else end, place)
        if not math.isnan(end):
            self._ends.add(end / 60, place)
        return True

    def _state(self) -> tuple[int, ...]:
        # What has not ended grows with the time.
        return *super()._state(), int(self.session.timeline.now_s) if self._planned else 0

    def _build(self) -> Chart:
        view = self.view
        now_s = self.session.timeline.now_s
        open_before, open_within = _Segments(), _Segments()
        for place, since, start in self._planned:
            if since < min(start, now_s):
                open_before.add(since, min(start, now_s), place)
            if start < now_s:
                open_within.add(start, now_s, place)
        label = self.label(view.by)
        places = (self._before.line, open_before.line, self._within.line, open_within.line, self._ends.y)
        unit = unit_of(self.described, view.by)
        axis, lines = self._words.sorted_axis(with_unit(label, unit), np.concatenate(places))
        parts = np.split(lines, np.cumsum([len(part) for part in places])[:-1])
        begins, ends = moment_of(view.start), moment_of(view.end)
        marks: list[Mark] = [
            Curve(self._before.x, parts[0], "", NEUTRAL, width=0.8, faint=True),
            Curve(open_before.x, parts[1], "", NEUTRAL, width=0.8, faint=True),
            Curve(self._within.x, parts[2], f"{begins} to {ends}", 1, width=5),
            Curve(open_within.x, parts[3], f"{begins}, not yet {ends}", 3, dashed=True, width=5),
            Points(self._ends.x, parts[4], ends, 2, "tick", 9),
        ]
        return self._chart(label_of(view.table), MINUTES, axis, [*marks, self.session.timeline.at_minutes()])


def _cells(value: object) -> list[object]:
    return value if type(value) is list else []
