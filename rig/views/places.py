"""The map of where rows happened: pecks on a screen, or choices on a grid."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rig.core.journal.kinds import RowLine, SceneLine, TrialLine
from rig.core.model.line import Line
from rig.core.model.views import Places
from rig.records.journal.read import Row
from rig.views.cells import label_of, number_of, unit_of, word_in
from rig.views.chart import NEUTRAL, Chart, Mark, Points, Rings, Tiles, floats
from rig.views.fold import RowFold, Session
from rig.views.growing import GrowingPoints

MAX_RINGS = 64
MAX_TILES = 10_000
MAX_ROWS = 50
"""So many rows of a grid have a number on the axis at most."""
_MANY = 500
"""So many points are drawn smaller."""
_LENGTHS = ("cm", "mm", "px")


class _Disk(NamedTuple):
    x: float
    y: float
    radius: float

    def has(self, x: float, y: float) -> bool:
        return math.hypot(x - self.x, y - self.y) <= self.radius


class PlacesFold(RowFold[Places]):
    """Where rows happened, with the disks of the screen, or with tiles shaded by their last value."""

    kinds = (TrialLine, RowLine, SceneLine)

    def __init__(self, view: Places, session: Session) -> None:
        super().__init__(view, session)
        self._disks: dict[_Disk, str] = {}
        self._clear()
        self._unit = unit_of(self.described, view.x)

    def _clear(self) -> None:
        self._rewarded, self._others = GrowingPoints(), GrowingPoints()
        self._tiles: dict[tuple[float, float], float] = {}
        self._rows: set[float] = set()

    def _took(self, line: Line) -> bool:
        return self._scene(line) if isinstance(line, SceneLine) else super()._took(line)

    def _scene(self, scene: SceneLine) -> bool:
        if self._unit != "cm":
            return False
        for disk in _disks(scene.items):
            if len(self._disks) < MAX_RINGS:
                self._disks.setdefault(disk, "")
        return True

    def _row(self, row: Row) -> bool:
        if begins := self.begins_part(row, self.view.within):
            self._clear()
        x, y = number_of(row.get(self.view.x)), number_of(row.get(self.view.y))
        if math.isnan(x) or math.isnan(y):
            return begins
        if self.view.down:
            self._rows.add(y)
            y = -y
        (self._rewarded if self.is_rewarded(row, self.view.rewarded) else self._others).add(x, y)
        if self.view.label and (word := word_in(row, self.view.label)):
            for disk in self._disks:
                if disk.has(x, y):
                    self._disks[disk] = word
        if self.view.shade and len(self._tiles) < MAX_TILES:
            self._tiles[x, y] = number_of(row.get(self.view.shade))
        return True

    def _build(self) -> Chart:
        view = self.view
        marks: list[Mark] = [*self._shades(), *self._rings()]
        size = 4.0 if len(self._rewarded) + len(self._others) < _MANY else 2.0
        if not view.shade:
            name = "rewarded" if view.rewarded else ""
            marks.append(Points(self._rewarded.x, self._rewarded.y, name, 1, "circle", 1.5 * size))
        if view.rewarded:  # the rings come last: many rewards would hide them
            marks.append(Points(self._others.x, self._others.y, "not rewarded", NEUTRAL, "ring", size))
        x, y = self.axis_of((view.x,)), self.axis_of((view.y,))
        if view.down:
            y = replace(y, ticks={-row: f"{row:g}" for row in self._rows_between()[:MAX_ROWS]})
        same = self._unit == unit_of(self.described, view.y) and self._unit in (*_LENGTHS, "")
        return self._chart(f"where {self.rows_label} fell", x, y, marks, is_map=same)

    def _rows_between(self) -> list[float]:
        """Return the rows from the first to the last, also those in which nothing was."""
        rows = sorted(self._rows)
        if rows and rows[-1] - rows[0] < MAX_ROWS and all(row.is_integer() for row in rows):
            return [float(row) for row in range(int(rows[0]), int(rows[-1]) + 1)]
        return rows

    def _shades(self) -> list[Mark]:
        if not self._tiles:
            return []
        places = np.array(list(self._tiles), dtype=np.float64)
        unit = unit_of(self.described, self.view.shade)
        name = f"last {label_of(self.view.shade, unit)}{f' ({unit})' if unit else ''}"
        return [Tiles(places[:, 0], places[:, 1], floats(self._tiles.values()), name)]

    def _rings(self) -> list[Mark]:
        if not self._disks:
            return []
        unit = unit_of(self.described, self.view.label)
        texts = tuple(f"{word} {unit}".strip() for word in self._disks.values())
        circles = np.array(list(self._disks), dtype=np.float64)
        return [Rings(circles[:, 0], circles[:, 1], circles[:, 2], texts)]


def _disks(items: Iterable[object]) -> Iterable[_Disk]:
    """Yield the disks among the items of a scene."""
    for item in items:
        # A scene that changes the one before names kept items by their places: their disks are there already.
        if isinstance(item, dict) and item.get("kind") == "disk":
            x, y, diameter = (number_of(item.get(name)) for name in ("x_cm", "y_cm", "diameter_cm"))
            if not math.isnan(x + y + diameter):
                yield _Disk(x, y, abs(diameter) / 2)
