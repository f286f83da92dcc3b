"""What the board of one session has sampled, read from the files beside its journal, in bounded memory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rig.core.journal.header import Header, RecordedRig
from rig.core.journal.kinds import SamplesLine
from rig.core.model.line import Line
from rig.records.sampled.history import Floats, Steps, ValueHistory, steps_from
from rig.records.sampled.samples import FORMAT, samples_path
from rig.records.side_file.follow import RecordFollower
from rig.records.tables.sampled import levels_of, period_us_of, scale_of, scaled, unit_of

MAX_SOURCES = 16
"""The most sources that are shown; a journal may name any number."""


@dataclass(frozen=True)
class ValueRow:
    """The values of one source that are drawn, and the levels of its thresholds.

    ``problem`` says what cannot be read of them.
    """

    name: str
    lengths: tuple[Steps, ...]
    scale: float = 1.0
    unit: str = ""
    thresholds: tuple[float, ...] = ()
    problem: str = ""

    @property
    def words(self) -> str:
        """Return what its label says."""
        return f"{self.name} ({self.unit})" if self.unit else self.name

    def extremes(self, edges_us: Floats) -> tuple[Floats, Floats]:
        """Return the least and the greatest value in its unit between each two times; NaN where there is none."""
        steps = steps_from(self.lengths, float(edges_us[0]))
        if steps is None:
            nothing = np.full(len(edges_us) - 1, np.nan)
            return nothing, nothing
        low, high = steps.extremes(edges_us)
        return scaled(low, self.scale), scaled(high, self.scale)


class SessionValues:
    """A fold over the lines of a journal; the values that they name are read by `read_some`, a few at a time."""

    kinds = (Header, SamplesLine)

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._rig = RecordedRig("", {}, {}, {})
        self._sources: dict[str, tuple[RecordFollower, ValueHistory]] = {}

    def take(self, line: Line) -> None:
        """Handle the next line."""
        if isinstance(line, SamplesLine):
            if line.source not in self._sources and len(self._sources) < MAX_SOURCES:
                follower = RecordFollower(samples_path(self._folder, line.source), FORMAT)
                self._sources[line.source] = follower, ValueHistory(period_us_of(self._rig, line.source))
            if line.source in self._sources:
                self._sources[line.source][0].note(line)
        elif isinstance(line, Header):
            self._rig = line.rig

    def read_some(self) -> bool:
        """Read the next values of one source; return whether there were any to read."""
        for follower, history in self._sources.values():
            if follower.has_more:
                records = follower.read_some()
                history.add(records["t_us"].astype(np.int64), records["value"].astype(np.int64))
                return True
        return False

    def rows(self) -> list[ValueRow]:
        """Return the values of each source, in the order of the sources' first values."""
        return [self._row(source, *parts) for source, parts in self._sources.items()]

    def _row(self, source: str, follower: RecordFollower, history: ValueHistory) -> ValueRow:
        scale, unit, levels = scale_of(self._rig, source), unit_of(self._rig, source), levels_of(self._rig, source)
        problems = [
            f"{count} {what}{'s' * (count != 1)} {verb}"
            for count, what, verb in (
                (follower.unreadable, "block", "cannot be read"),
                (history.left_out, "value", "with a wrong time left out"),
            )
            if count
        ]
        problem = f"{follower.path.name}: {', '.join(problems)}" if problems else ""
        return ValueRow(source, history.lengths, scale, unit, tuple(levels), problem)
