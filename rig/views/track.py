"""The map of a tracked animal's path: all of it pale, and the last trials in color."""

from __future__ import annotations

from collections import deque
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rig.core.journal.kinds import PositionsLine, RowLine, TrialLine
from rig.core.model.line import Line
from rig.core.model.views import Track
from rig.records.journal.read import Row
from rig.records.track.follow import NewPositions, PositionsFollower
from rig.views.categories import Words, known_words, style
from rig.views.cells import number_of, word_of
from rig.views.chart import NEUTRAL, Axis, Chart, Curve, Floats, Mark, Rings, floats
from rig.views.fold import RowFold, Session

N = TypeVar("N", bound=np.generic)
LAST_TRIALS = 6
"""So many of the last trials are in color."""
MAX_PALE = 8_000
"""The pale path is thinned out to so many points at most."""
MAX_RECENT = 20_000
"""So many of the last positions are kept as they are: five minutes at 60 Hz."""


def _last(before: NDArray[N], added: NDArray[N]) -> NDArray[N]:
    return np.concatenate([before, added])[-MAX_RECENT:]


class _Thinned:
    """A path of which every second point is left out whenever it has become too long."""

    def __init__(self) -> None:
        self.x, self.y = np.empty(0), np.empty(0)
        self._step = 1
        self._next = 0
        """How many points behind the last one the next one is that stays."""

    def extend(self, found: NewPositions) -> None:
        self.x = np.concatenate([self.x, found.x_cm[self._next :: self._step]])
        self.y = np.concatenate([self.y, found.y_cm[self._next :: self._step]])
        self._next = (self._next - len(found.x_cm)) % self._step
        while len(self.x) > MAX_PALE:
            # Counted from the first point of all, so that it does not matter how the points came.
            self._next += self._step * (len(self.x) % 2)
            self.x, self.y = self.x[::2], self.y[::2]
            self._step *= 2


class TrackFold(RowFold[Track]):
    """The path of the animal, from the positions that the journal names."""

    kinds = (TrialLine, RowLine, PositionsLine)

    def __init__(self, view: Track, session: Session) -> None:
        super().__init__(view, session)
        self._positions = None if session.folder is None else PositionsFollower(session.folder)
        self._words = Words(known_words(self.described, view.by))
        self._ends: deque[tuple[int, int]] = deque(maxlen=LAST_TRIALS + 1)
        """When the last trials ended, and the place of the word of each."""
        self._recent = NewPositions(np.empty(0, dtype=np.int64), np.empty(0), np.empty(0))
        self._pale = _Thinned()
        self._t_us = 0
        """The time of the last row."""

    def _took(self, line: Line) -> bool:
        if not isinstance(line, PositionsLine):
            self._t_us = line.t_us
            return super()._took(line)
        if self._positions is not None:
            self._positions.note(line)
        return self._positions is not None

    def _row(self, row: Row) -> bool:
        self._ends.append((self._t_us, self._words.place_in(row, self.view.by)))
        return True

    def _build(self) -> Chart:
        if self._positions is not None:
            found = self._positions.read()
            self._pale.extend(found)
            self._recent = NewPositions(
                _last(self._recent.t_us, found.t_us),
                _last(self._recent.x_cm, found.x_cm),
                _last(self._recent.y_cm, found.y_cm),
            )
        marks: list[Mark] = [*self._zones()]
        is_empty = not len(self._pale.x)
        if not is_empty:
            marks += [Curve(self._pale.x, self._pale.y, "", NEUTRAL, width=0.6, faint=True), *self._last_trials()]
        x, y = Axis("x", "cm"), Axis("y", "cm")
        empty = "no camera has tracked the animal"
        return self._chart("path", x, y, [] if is_empty else marks, is_map=True, empty=empty)

    def _last_trials(self) -> list[Mark]:
        """Return the paths of the last trials by their words, and of the trial that runs."""
        t_us, names = self._recent.t_us, self.names(self._words, self.view.by)
        ends = [end for end, _ in self._ends]
        cuts = [0, *np.searchsorted(t_us, ends), len(t_us)]
        marks: list[Mark] = []
        named: set[int] = set()
        # Of the first end that is kept the start is known only if no earlier one was dropped.
        first = 1 if len(self._ends) > LAST_TRIALS else 0
        for index in range(first, len(ends)):
            group = self._ends[index][1]
            name = names[group] if self.view.by and group not in named else ""
            named.add(group)
            marks.append(self._part(cuts[index], cuts[index + 1], name, style(group)[0]))
        return [*marks, self._part(cuts[-2], cuts[-1], f"since the last {self.row_axis.label}", NEUTRAL)]

    def _part(self, start: int, end: int, name: str, color: int) -> Curve:
        x, y = self._recent.x_cm, self._recent.y_cm
        return Curve(x[start:end], y[start:end], name, color, dashed=color % 2 > 0, width=1.4)

    def _zones(self) -> list[Mark]:
        """Return the circles of the rig file in which a tracker sees the animal."""
        circles = {
            name: [number_of(device.get(key)) for key in ("x_cm", "y_cm", "radius_cm")]
            for name, device in self.session.header.rig.devices.items()
        }
        known = {name: circle for name, circle in circles.items() if not np.isnan(circle).any()}
        if not known:
            return []
        columns: list[Floats] = [floats(column) for column in zip(*known.values(), strict=True)]
        return [Rings(columns[0], columns[1], columns[2], tuple(word_of(name) for name in known))]
