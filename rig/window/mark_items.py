"""Items of a chart that pyqtgraph does not have: bands, rings, tiles and moments."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from rig.views.chart import Floats
from rig.window.theme import TINY_PX

BAND_OPACITY = 0.12
PALEST_TILE = 0.08
"""The opacity of the lowest value: its tile is still told apart from no tile."""
MAX_TEXT = 24
"""A longer word of a ring or a moment is cut: it would cover its neighbors."""


class _OverView(pg.GraphicsObject):  # type: ignore[misc]
    """Something that is drawn over the whole height of the view, whatever part of the chart it shows."""

    def boundingRect(self) -> QRectF:  # noqa: N802 - Qt's name
        """Return the view."""
        view = self.viewRect()
        return QRectF() if view is None else view

    def viewRangeChanged(self) -> None:  # noqa: N802 - pyqtgraph's name
        """Handle a zoom or a move."""
        self.prepareGeometryChange()


class BandsItem(_OverView):
    """Ranges of x, shaded over the whole height."""

    def __init__(self, color: QColor) -> None:
        super().__init__()
        color.setAlphaF(BAND_OPACITY)
        self._color = color
        self._bands: NDArray[np.float64] = np.empty((0, 2))
        self.setZValue(-10)

    def set_bands(self, starts: Floats, ends: Floats) -> None:
        """Set the ranges."""
        bands = np.stack((starts, ends), axis=1)
        self._bands = bands[np.isfinite(bands).all(axis=1)]
        self.update()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw what is visible."""
        view = self.viewRect()
        if view is None:
            return
        visible = self._bands[(self._bands[:, 1] >= view.left()) & (self._bands[:, 0] <= view.right())]
        for start, end in np.clip(visible, view.left(), view.right()):
            painter.fillRect(QRectF(start, view.top(), end - start, view.height()), self._color)


class RingsItem(pg.GraphicsObject):  # type: ignore[misc]
    """Circles in the units of the axes."""

    def __init__(self, color: QColor) -> None:
        super().__init__()
        self._pen = pg.mkPen(color, width=1.2)
        self._rings: NDArray[np.float64] = np.empty((0, 3))

    def set_rings(self, x: Floats, y: Floats, radius: Floats) -> None:
        """Set the circles."""
        self.prepareGeometryChange()
        self._rings = np.stack((x, y, radius), axis=1)
        self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802 - Qt's name
        """Return everything that is drawn."""
        if not len(self._rings):
            return QRectF()
        x, y, radius = self._rings.T
        left, top = float((x - radius).min()), float((y - radius).min())
        return QRectF(left, top, float((x + radius).max()) - left, float((y + radius).max()) - top)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw what is visible."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._pen)
        for x, y, radius in self._rings:
            painter.drawEllipse(QPointF(x, y), radius, radius)


class TilesItem(pg.GraphicsObject):  # type: ignore[misc]
    """Squares, the higher their value the darker."""

    def __init__(self, color: QColor) -> None:
        super().__init__()
        self._color = color
        self._tiles: NDArray[np.float64] = np.empty((0, 3))
        self._side = 1.0
        self.setZValue(-5)

    def set_tiles(self, x: Floats, y: Floats, value: Floats, side: float) -> None:
        """Set the squares around places."""
        self.prepareGeometryChange()
        tiles = np.stack((x, y, value), axis=1)
        self._tiles = tiles[np.isfinite(tiles).all(axis=1)]
        self._side = side
        self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802 - Qt's name
        """Return everything that is drawn."""
        if not len(self._tiles):
            return QRectF()
        (left, top), (right, bottom) = self._tiles[:, :2].min(axis=0), self._tiles[:, :2].max(axis=0)
        half = self._side / 2
        return QRectF(left - half, top - half, right - left + self._side, bottom - top + self._side)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw the squares."""
        if not len(self._tiles):
            return
        values = self._tiles[:, 2]
        # Equal values are all the highest.
        high, span = values.max(), np.ptp(values) or 1.0
        color = QColor(self._color)
        for x, y, value in self._tiles.tolist():
            color.setAlphaF(1 - (1 - PALEST_TILE) * float((high - value) / span))
            painter.fillRect(QRectF(x - self._side / 2, y - self._side / 2, self._side, self._side), color)


class MomentsItem(_OverView):
    """Dotted upright lines, with their words where these have room."""

    def __init__(self, color: QColor) -> None:
        super().__init__()
        self._pen = pg.mkPen(color, width=1, style=Qt.PenStyle.DotLine)
        self._moments: list[tuple[float, str]] = []
        self.setZValue(-8)

    def set_moments(self, x: Floats, texts: Sequence[str]) -> None:
        """Set the lines and their words."""
        pairs = zip(x.tolist(), texts, strict=False)
        self._moments = sorted((at, text[:MAX_TEXT]) for at, text in pairs if np.isfinite(at))
        self.update()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw the visible lines."""
        view = self.viewRect()
        if view is None:
            return
        font = QFont(painter.font())
        font.setPixelSize(TINY_PX)
        words = QFontMetrics(font)
        painter.setPen(self._pen)
        to_pixels, free_px = painter.worldTransform(), -np.inf
        top, bottom = sorted(to_pixels.map(corner).y() for corner in (view.topLeft(), view.bottomLeft()))
        painter.save()
        painter.resetTransform()
        painter.setFont(font)
        for at, text in self._moments:
            if view.left() <= at <= view.right():
                x = to_pixels.map(QPointF(at, 0)).x()
                painter.drawLine(QPointF(x, top), QPointF(x, bottom))
                if x >= free_px:
                    painter.drawText(QPointF(x + 3, top + words.ascent()), text)
                    free_px = x + 8 + words.horizontalAdvance(text)
        painter.restore()
