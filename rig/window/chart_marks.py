"""The marks of a chart as items of pyqtgraph, whose data can be set again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from rig.views.chart import Bands, Bars, Curve, Floats, Mark, Moments, Points, Rings, Tiles
from rig.window.mark_items import MAX_TEXT, BandsItem, MomentsItem, RingsItem, TilesItem
from rig.window.points_item import PointsItem
from rig.window.theme import Theme

Bounds = tuple[float, float, float, float]
"""The least and the most x, and the least and the most y; NaN where there is none."""
NO_BOUNDS: Bounds = (np.nan, np.nan, np.nan, np.nan)
FAINT_OPACITY = 0.35
PLATE_OPACITY = 0.75
"""The word of a ring lies on a plate, through which the points below it are still seen."""
ABOVE_ALL = 10
"""Qt's height of words that points must not hide; all other items are at 0 or below."""
FARTHEST = 1e15
"""A number beyond it is nothing that a person measures, and axes cannot count there."""


@dataclass(frozen=True)
class Scale:
    """Which axes of a chart are logarithmic."""

    x_log: bool = False
    y_log: bool = False

    def x(self, values: Floats) -> Floats:
        """Return places on the axis; what has none is NaN."""
        return _scaled(values, log=self.x_log)

    def y(self, values: Floats) -> Floats:
        """Return places on the axis; what has none is NaN."""
        return _scaled(values, log=self.y_log)


def _scaled(values: Floats, *, log: bool) -> Floats:
    with np.errstate(all="ignore"):
        placed = np.log10(values) if log else np.asarray(values, dtype=np.float64)
        return np.where(np.abs(placed) <= FARTHEST, placed, np.nan)


class DrawnMark(ABC):
    """One mark in a plot."""

    items: tuple[object, ...]
    bounds: Bounds = NO_BOUNDS
    """The places that it takes: none of what lies behind other marks, and shows when these changed."""

    @abstractmethod
    def set_mark(self, mark: Any, scale: Scale) -> None:
        """Draw a mark that has the same look."""


def bounds_of(x: Floats, y: Floats) -> Bounds:
    """Return the bounds of places; those that miss a coordinate count for nothing."""
    there = np.isfinite(x) & np.isfinite(y)
    if not there.any():
        return NO_BOUNDS
    return float(x[there].min()), float(x[there].max()), float(y[there].min()), float(y[there].max())


class DrawnPoints(DrawnMark):
    """Symbols."""

    def __init__(self, mark: Points, theme: Theme) -> None:
        self._item = PointsItem(mark.symbol, mark.size, QColor(theme.color(mark.color)))
        self.items = (self._item,)

    def set_mark(self, mark: Points, scale: Scale) -> None:
        """Draw the points."""
        x, y = scale.x(mark.x), scale.y(mark.y)
        there = np.isfinite(x) & np.isfinite(y)
        self._item.set_places(x[there], y[there])
        self.bounds = bounds_of(x, y)


class DrawnCurve(DrawnMark):
    """A line or steps."""

    def __init__(self, mark: Curve, theme: Theme) -> None:
        color = QColor(theme.color(mark.color))
        color.setAlphaF(FAINT_OPACITY if mark.faint else 1)
        style = Qt.PenStyle.DashLine if mark.dashed else Qt.PenStyle.SolidLine
        pen = pg.mkPen(color, width=mark.width, style=style)
        self._item = pg.PlotCurveItem(
            pen=pen, connect="finite", stepMode="right" if mark.steps else None, skipFiniteCheck=False
        )
        self.items = (self._item,)

    def set_mark(self, mark: Curve, scale: Scale) -> None:
        """Draw the line."""
        x, y = scale.x(mark.x), scale.y(mark.y)
        self._item.setData(x, y)
        self.bounds = bounds_of(x, y)


class DrawnBars(DrawnMark):
    """Upright bars."""

    def __init__(self, mark: Bars, theme: Theme) -> None:
        self._item = pg.BarGraphItem(
            x=[], height=[], width=mark.width, brush=theme.color(mark.color), pen=pg.mkPen(None)
        )
        self.items = (self._item,)

    def set_mark(self, mark: Bars, scale: Scale) -> None:
        """Draw the bars."""
        x, height = scale.x(mark.x), scale.y(mark.height)
        there = np.isfinite(x) & np.isfinite(height)
        self._item.setOpts(x=x[there], height=height[there], width=mark.width)
        low_x, high_x, low, high = bounds_of(x, height)
        self.bounds = low_x - mark.width / 2, high_x + mark.width / 2, min(0.0, low), max(0.0, high)


class DrawnBands(DrawnMark):
    """Shaded ranges of x."""

    def __init__(self, mark: Bands, theme: Theme) -> None:
        self._item = BandsItem(QColor(theme.color(mark.color)))
        self.items = (self._item,)

    def set_mark(self, mark: Bands, scale: Scale) -> None:
        """Draw the bands."""
        self._item.set_bands(scale.x(mark.start), scale.x(mark.end))


class DrawnRings(DrawnMark):
    """Circles with words."""

    def __init__(self, mark: Rings, theme: Theme) -> None:
        color, plate = QColor(theme.color(mark.color)), QColor(theme.background)
        plate.setAlphaF(PLATE_OPACITY)
        self._item = RingsItem(color)
        self._texts = [pg.TextItem(text[:MAX_TEXT], color=color, anchor=(0.5, 0.5), fill=plate) for text in mark.texts]
        for text in self._texts:
            text.setZValue(ABOVE_ALL)
        self.items = (self._item, *self._texts)

    def set_mark(self, mark: Rings, scale: Scale) -> None:
        """Draw the rings."""
        x, y, radius = scale.x(mark.x), scale.y(mark.y), _scaled(mark.radius, log=False)
        there = np.isfinite(x) & np.isfinite(y) & np.isfinite(radius)
        self._item.set_rings(x[there], y[there], radius[there])
        for text, at_x, at_y in zip(self._texts, np.nan_to_num(x), np.nan_to_num(y), strict=False):
            text.setPos(at_x, at_y)
        low_x, _, low_y, _ = bounds_of(x - radius, y - radius)
        _, high_x, _, high_y = bounds_of(x + radius, y + radius)
        self.bounds = low_x, high_x, low_y, high_y


class DrawnTiles(DrawnMark):
    """Squares whose opacity is a value."""

    def __init__(self, mark: Tiles, theme: Theme) -> None:
        self._item = TilesItem(QColor(theme.color(0)))
        self.items = (self._item,)

    def set_mark(self, mark: Tiles, scale: Scale) -> None:
        """Draw the tiles."""
        x, y = scale.x(mark.x), scale.y(mark.y)
        self._item.set_tiles(x, y, _scaled(mark.value, log=False), mark.side)
        low_x, high_x, low_y, high_y = bounds_of(x, y)
        half = mark.side / 2
        self.bounds = low_x - half, high_x + half, low_y - half, high_y + half


class DrawnMoments(DrawnMark):
    """Upright lines with words."""

    def __init__(self, mark: Moments, theme: Theme) -> None:
        self._item = MomentsItem(QColor(theme.faint))
        self.items = (self._item,)

    def set_mark(self, mark: Moments, scale: Scale) -> None:
        """Draw the moments."""
        self._item.set_moments(scale.x(mark.x), mark.texts)


_DRAWN: Mapping[type, Callable[[Any, Theme], DrawnMark]] = {
    Points: DrawnPoints,
    Curve: DrawnCurve,
    Bars: DrawnBars,
    Bands: DrawnBands,
    Rings: DrawnRings,
    Tiles: DrawnTiles,
    Moments: DrawnMoments,
}


def drawn_mark(mark: Mark, theme: Theme) -> DrawnMark:
    """Return an empty mark with the look of ``mark``."""
    return _DRAWN[type(mark)](mark, theme)
