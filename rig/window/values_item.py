"""The values of sources over time, one lane for each: one column of pixels for each step of time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter, QPen
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from rig.views.sampled_values import ValueRow
from rig.window.span_history import Floats
from rig.window.theme import TINY_PX, Theme

ROWS = 4
"""The height of a lane of values, in lanes of spans: a curve needs room."""
MARGIN = 0.08
"""The part of a lane above and below its curve."""
LINE_PX = 2
"""The least height of a curve."""
PLATE_OPACITY = 0.75


class ValuesItem(pg.GraphicsObject):  # type: ignore[misc]
    """Draws lanes of values into the visible range of a plot, each between its least and its greatest visible value."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: Sequence[ValueRow] = ()
        self._top = 0
        self._color = self._text = self._faint = self._plate = QColor()

    def set_theme(self, theme: Theme) -> None:
        """Set the colors."""
        self._color, self._text = QColor(theme.value_color), QColor(theme.text)
        self._faint, self._plate = QColor(theme.faint), QColor(theme.background)
        self._plate.setAlphaF(PLATE_OPACITY)
        self.update()

    def set_rows(self, rows: Sequence[ValueRow], top: int) -> None:
        """Set what is drawn, and the place of the first lane."""
        if (len(rows), top) != (len(self._rows), self._top):
            self.prepareGeometryChange()
        self._rows, self._top = rows, top
        self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802 - Qt's name
        """Return everything that can be visible: the painting cuts itself to the view."""
        view = self.viewRect()
        if view is None:
            return QRectF()
        return QRectF(view.left(), self._top, view.width(), ROWS * len(self._rows))

    def viewRangeChanged(self) -> None:  # noqa: N802 - pyqtgraph's name
        """Handle a zoom or a move."""
        self.prepareGeometryChange()
        self.update()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw the lanes."""
        view = self.getViewBox()
        if not self._rows or view is None:
            return
        (first_s, last_s), _ = view.viewRange()
        pixels = max(1, round(view.width() * (widget.devicePixelRatioF() if widget is not None else 1)))
        edges_us = 1e6 * np.linspace(first_s, last_s, pixels + 1)
        to_pixels = painter.worldTransform()
        painter.save()
        painter.resetTransform()
        font = QFont(painter.font())
        font.setPixelSize(TINY_PX)
        painter.setFont(font)
        for index, row in enumerate(self._rows):
            top = self._top + ROWS * index
            lane = to_pixels.mapRect(QRectF(first_s, top + MARGIN, last_s - first_s, ROWS - 2 * MARGIN))
            self._draw(painter, row, lane, edges_us)
        painter.restore()

    def _draw(self, painter: QPainter, row: ValueRow, lane: QRectF, edges_us: Floats) -> None:
        low, high = row.extremes(edges_us)
        if np.isfinite(low).any():
            least, greatest = float(np.nanmin(low)), float(np.nanmax(high))
            for threshold in row.thresholds:
                if least < threshold < greatest:
                    self._draw_level(painter, lane, (threshold - least) / (greatest - least))
            painter.drawImage(lane, curve_image(low, high, max(LINE_PX, round(lane.height())), self._color))
            self._write_bounds(painter, lane, f"{least:.4g}", f"{greatest:.4g}")
        if row.problem:
            self._write(painter, lane, row.problem, Qt.AlignmentFlag.AlignCenter)

    def _draw_level(self, painter: QPainter, lane: QRectF, height: float) -> None:
        """Draw the level at which an input goes on or off, at a part of the lane's height."""
        painter.setPen(QPen(self._faint, 1, Qt.PenStyle.DotLine))
        y = lane.bottom() - lane.height() * height
        painter.drawLine(QPointF(lane.left(), y), QPointF(lane.right(), y))

    def _write_bounds(self, painter: QPainter, lane: QRectF, least: str, greatest: str) -> None:
        """Write the bounds of the curve at its left, if there is room for both."""
        left = Qt.AlignmentFlag.AlignLeft
        if lane.height() < 2 * QFontMetrics(painter.font()).height():
            return
        self._write(painter, lane, greatest, left | Qt.AlignmentFlag.AlignTop)
        if least != greatest:
            self._write(painter, lane, least, left | Qt.AlignmentFlag.AlignBottom)

    def _write(self, painter: QPainter, lane: QRectF, text: str, where: Qt.AlignmentFlag) -> None:
        """Write a text on a plate: the curve may lie behind it."""
        letters = QFontMetrics(painter.font())
        plate = QRectF(0, 0, letters.horizontalAdvance(text) + 6, letters.height())
        plate.moveCenter(lane.center())
        if where & Qt.AlignmentFlag.AlignLeft:
            plate.moveLeft(lane.left())
        if where & Qt.AlignmentFlag.AlignTop:
            plate.moveTop(lane.top())
        if where & Qt.AlignmentFlag.AlignBottom:
            plate.moveBottom(lane.bottom())
        painter.fillRect(plate, self._plate)
        painter.setPen(self._text)
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)


def curve_image(low: Floats, high: Floats, height: int, color: QColor) -> QImage:
    """Return a picture of a curve, one column for each pair of extremes; NaN leaves a column empty.

    It reaches from the least to the greatest value; a curve that is always the same lies in the middle.
    """
    least, span = np.nanmin(low), np.nanmax(high) - np.nanmin(low)
    room = height - LINE_PX
    scale = room / span if span > 0 else 0.0
    shift = 0.0 if span > 0 else room / 2
    # From the top down; a comparison with NaN is false.
    bottom = height - shift - (low - least) * scale
    top = height - LINE_PX - shift - (high - least) * scale
    rows = np.arange(height)[:, np.newaxis] + 0.5
    pixels = np.where((rows >= top) & (rows <= bottom), np.uint32(color.rgba()), np.uint32(0))
    return QImage(pixels.tobytes(), len(low), height, 4 * len(low), QImage.Format.Format_ARGB32).copy()
