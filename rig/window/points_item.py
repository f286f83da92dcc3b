"""Symbols of a chart, each drawn once per pixel: thousands of trials cost no more than the pixels they fill."""

from __future__ import annotations

from functools import partial

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from rig.views.chart import Floats, Symbol

EDGE_PX = 1.6
_WIDEST = 1 << 20
"""More pixels than a window has: a column and a row in one number are found faster than in two."""
SHARPNESS = 2
"""Pixels of a symbol's picture per pixel of the window, which may be shown enlarged."""


class PointsItem(pg.GraphicsObject):  # type: ignore[misc]
    """Draws one symbol at many places."""

    def __init__(self, symbol: Symbol, size_px: float, color: QColor) -> None:
        super().__init__()
        self._size_px = size_px + 2 * EDGE_PX
        self._picture = _picture(symbol, size_px, color)
        self._places: Floats = np.empty((2, 0))
        self._box = QRectF()

    def set_places(self, x: Floats, y: Floats) -> None:
        """Set the places, all of them finite."""
        self.prepareGeometryChange()
        self._places = np.stack((x, y))
        self._box = QRectF()
        if len(x):
            self._box = QRectF(QPointF(x.min(), y.min()), QPointF(x.max(), y.max()))
        self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802 - Qt's name
        """Return the places with room for the symbols."""
        wide, high = (self._size_px * (length or 0.0) for length in self._pixel())
        return self._box.adjusted(-wide, -high, wide, high)

    def _pixel(self) -> tuple[float, float]:
        wide, high = self.pixelVectors()
        return (0.0, 0.0) if wide is None or high is None else (abs(wide.x()), abs(high.y()))

    def viewTransformChanged(self) -> None:  # noqa: N802 - pyqtgraph's name
        """Handle a zoom: the symbols keep their size in pixels."""
        self.prepareGeometryChange()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw the symbol once in each pixel that has a place."""
        to_pixels = painter.worldTransform()
        x = self._places[0] * to_pixels.m11() + to_pixels.dx()
        y = self._places[1] * to_pixels.m22() + to_pixels.dy()
        painter.save()
        painter.resetTransform()
        box = painter.viewport()
        visible = (np.abs(x) < 2 * box.width()) & (np.abs(y) < 2 * box.height())
        half = self._size_px / 2
        left, top = (np.round(place[visible] - half).astype(np.int64) for place in (x, y))
        pixels = np.sort(left * _WIDEST + top + _WIDEST // 2)
        pixels = pixels[np.diff(pixels, prepend=pixels[:1] - 1) > 0]  # `np.unique` would import a package more
        draw, picture = painter.drawPixmap, self._picture
        for column, row in zip((pixels // _WIDEST).tolist(), (pixels % _WIDEST - _WIDEST // 2).tolist(), strict=True):
            draw(column, row, picture)
        painter.restore()


def _picture(symbol: Symbol, size_px: float, color: QColor) -> QPixmap:
    """Return the picture of a symbol, with a clear edge."""
    side = round(SHARPNESS * (size_px + 2 * EDGE_PX))
    picture = QPixmap(side, side)
    picture.setDevicePixelRatio(SHARPNESS)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    box = QRectF(EDGE_PX, EDGE_PX, size_px, size_px)
    painter.setPen(QPen(color, EDGE_PX))
    painter.setBrush(Qt.BrushStyle.NoBrush if symbol == "ring" else color)
    center = box.center()
    draw = {
        "circle": partial(painter.drawEllipse, box),
        "ring": partial(painter.drawEllipse, box),
        "square": partial(painter.drawRect, box),
        "triangle": partial(
            painter.drawPolygon, QPolygonF([QPointF(center.x(), box.top()), box.bottomRight(), box.bottomLeft()])
        ),
        "tick": partial(painter.drawLine, QPointF(center.x(), box.top()), QPointF(center.x(), box.bottom())),
        "cross": partial(_draw_cross, painter, box),
    }
    draw[symbol]()
    painter.end()
    return picture


def _draw_cross(painter: QPainter, box: QRectF) -> None:
    painter.drawLine(box.topLeft(), box.bottomRight())
    painter.drawLine(box.topRight(), box.bottomLeft())
