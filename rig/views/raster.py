"""The raster: when inputs and outputs went on, around a time of each trial."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rig.core.errors import RecordError
from rig.core.journal.header import Footer
from rig.core.journal.kinds import FAULTS, AllOffDone, BatchDone, Command, OutputDone, RowLine, TrialLine
from rig.core.model.events import BoardTime, Continued, Edge, SequenceStarted, ZoneEvent
from rig.core.model.line import Line
from rig.core.model.views import Raster, as_names
from rig.records.journal.read import Row
from rig.records.outputs.lanes import Lanes
from rig.records.outputs.spans import Lane
from rig.views.categories import style
from rig.views.cells import moment_of, number_of
from rig.views.chart import NEUTRAL, Axis, Chart, Curve, Floats, Mark, Points
from rig.views.fold import RowFold, Session
from rig.views.growing import Growing, GrowingPoints

MAX_EVENTS = 20_000
"""Most symbols of a channel; those of the last trials stay."""

_OF_INPUTS = (Edge, ZoneEvent)
_OF_OUTPUTS = (
    *(Command, BatchDone, BoardTime, SequenceStarted, OutputDone, *FAULTS, AllOffDone, Continued),
    Footer,
)
"""Lines that say when outputs were on; most of a journal, so that a raster of inputs alone does not read them."""


class RasterFold(RowFold[Raster]):
    """Onsets of channels around a time of each trial."""

    def __init__(self, view: Raster, session: Session) -> None:
        super().__init__(view, session)
        self._channels = as_names(view.channels)
        known = session.header.rig.channels
        inputs = {name for name, channel in known.items() if channel.direction == "input"}
        has_outputs = any(channel not in inputs for channel in self._channels)
        self.kinds = (*self.kinds, *_OF_INPUTS, *(_OF_OUTPUTS if has_outputs else ()))
        self._lanes = Lanes()
        self._trials = GrowingPoints()
        self._until_s = Growing()

    def _took(self, line: Line) -> bool:
        if isinstance(line, (TrialLine, RowLine)):
            return super()._took(line)
        self._lanes.take(line)
        # Each may be an onset, or change one: only what draws the chart asks which.
        return bool(len(self._trials))

    def _row(self, row: Row) -> bool:
        at_s = number_of(row.get(self.view.at))
        if np.isnan(at_s):
            return False
        until_s = number_of(row.get(self.view.until))
        self._trials.add(at_s, self.row_number)
        self._until_s.add(min(at_s + self.view.after_s, math.inf if math.isnan(until_s) else until_s))
        return True

    def _lane(self, channel: str) -> Lane:
        try:
            found = self._lanes.inputs.get(channel) or self._lanes.outputs.get(channel)
        except RecordError:  # more onsets than any session has
            found = None
        return Lane() if found is None else found

    def _build(self) -> Chart:
        view = self.view
        marks: list[Mark] = []
        latest = 1.0
        for index, channel in enumerate(self._channels):
            x, y = self._around(np.array(self._lane(channel).starts, dtype=np.int64))
            latest = max(latest, float(x.max(initial=0.0)))
            color, symbol = style(index)
            one = len(self._channels) == 1
            marks.append(Points(x, y, channel, color, "tick" if one else symbol, 5 if one else 3))
        at = moment_of(view.at)
        zero = Curve(
            np.zeros(2), np.array([0.0, self._trials.y.max(initial=0.0) + 1]), "", NEUTRAL, dashed=True, width=1
        )
        axis = Axis(f"time from {at}", "s", bounds=(-view.before_s, min(view.after_s, 1.05 * latest)))
        return self._chart(f"{', '.join(self._channels)} around {at}", axis, self.row_axis, [*marks, zero])

    def _around(self, starts_us: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Return the onsets of a channel around each trial's time: seconds from it, and the number of the trial."""
        onsets_s = np.sort(self.session.timeline.task_s(starts_us))
        at_s, number, until_s = self._trials.x, self._trials.y, self._until_s.values
        first = np.searchsorted(onsets_s, at_s - self.view.before_s)
        count = np.maximum(np.searchsorted(onsets_s, until_s, side="right") - first, 0)
        while count.sum() > MAX_EVENTS:  # the first half of the trials is left out
            half = (len(count) + 1) // 2
            at_s, number, first, count = at_s[half:], number[half:], first[half:], count[half:]
        place = np.repeat(first - np.concatenate([[0], np.cumsum(count)[:-1]]), count) + np.arange(count.sum())
        return onsets_s[place] - np.repeat(at_s, count), np.repeat(number, count)
