"""The lamp as a picture: each level has its own shape, so that no reader needs its color."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from rig.window.labels import tool_tip
from rig.window.lamp import SIGNS, Lamp, Level
from rig.window.theme import LIGHT, Theme


class LampWidget(QWidget):
    """Draws a lamp: a circle, a triangle, a diamond, a ring or a square."""

    def __init__(self, size_px: int) -> None:
        super().__init__()
        self._size_px = size_px
        self._lamp = Lamp(Level.WAITING, "")
        self._theme = LIGHT
        self.setFixedSize(QSize(size_px, size_px))

    def set_theme(self, theme: Theme) -> None:
        """Set the colors."""
        self._theme = theme
        self.update()

    def show_lamp(self, lamp: Lamp) -> None:
        """Draw a lamp."""
        if lamp != self._lamp:
            self._lamp = lamp
            self.setToolTip(tool_tip(lamp.words))
            self.setAccessibleName(lamp.words)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the shape and its sign."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        level, size = self._lamp.level, self._size_px
        color = QColor(self._theme.levels[level])
        box = QRectF(2, 2, size - 4, size - 4)
        is_ring = level is Level.WAITING
        painter.setPen(QPen(color, size / 10) if is_ring else Qt.PenStyle.NoPen)
        painter.setBrush(Qt.BrushStyle.NoBrush if is_ring else color)
        if level in (Level.OK, Level.WAITING):
            painter.drawEllipse(box.adjusted(size / 12, size / 12, -size / 12, -size / 12))
        elif level is Level.ENDED:
            painter.drawRoundedRect(box.adjusted(size / 10, size / 10, -size / 10, -size / 10), 4, 4)
        else:
            painter.drawPolygon(_triangle(box) if level is Level.WARNING else _diamond(box))
        font = QFont(self.font())
        font.setBold(True)
        font.setPixelSize(round(size * 0.45))
        painter.setFont(font)
        painter.setPen(color if is_ring else QColor(self._theme.background))
        sign_box = box.adjusted(0, size * 0.16, 0, 0) if level is Level.WARNING else box
        if level is not Level.ENDED:
            painter.drawText(sign_box, Qt.AlignmentFlag.AlignCenter, SIGNS[level])
        painter.end()


def _triangle(box: QRectF) -> QPolygonF:
    return QPolygonF([QPointF(box.center().x(), box.top()), box.bottomRight(), box.bottomLeft()])


def _diamond(box: QRectF) -> QPolygonF:
    center = box.center()
    return QPolygonF(
        [
            QPointF(center.x(), box.top()),
            QPointF(box.right(), center.y()),
            QPointF(center.x(), box.bottom()),
            QPointF(box.left(), center.y()),
        ]
    )
