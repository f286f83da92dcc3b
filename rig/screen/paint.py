"""Paint a scene with Qt. Only the stimulus process and the scripts for documentation import it."""

from __future__ import annotations

import os
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPen

from rig.core.model.scene import Button, Disk, Dot, Image, Item, Line, Scene, Text, Tile
from rig.core.model.screen import ScreenSpec

LIGHT, DARK = QColor("#ffffff"), QColor("#000000")
"""The colors of the square under the photodiode."""


class UnreadableImageError(Exception):
    """An image of a scene cannot be read."""


def paint(painter: QPainter, scene: Scene, spec: ScreenSpec, *, patch_lit: bool = False) -> None:
    """Draw a scene into a picture whose upper left corner is the painter's origin."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.fillRect(QRectF(0, 0, spec.width_px, spec.height_px), QColor(scene.background))
    for item in scene.items:
        _paint_item(painter, item, spec)
    if spec.patch_cm > 0:
        painter.fillRect(patch(spec), LIGHT if patch_lit else DARK)


def patch(spec: ScreenSpec) -> QRectF:
    """Return the place of the square under the photodiode."""
    side = spec.patch_cm * spec.px_per_cm
    left = spec.width_px - side if spec.patch_corner.endswith("right") else 0.0
    top = spec.height_px - side if spec.patch_corner.startswith("bottom") else 0.0
    return QRectF(left, top, side, side)


def picture(scene: Scene, spec: ScreenSpec, *, patch_lit: bool = False) -> QImage:
    """Draw a scene into a new image; return the image."""
    image = QImage(spec.width_px, spec.height_px, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    paint(painter, scene, spec, patch_lit=patch_lit)
    painter.end()
    return image


def _paint_item(painter: QPainter, item: Item, spec: ScreenSpec) -> None:
    if isinstance(item, Line):
        _draw_line(painter, item, spec)
        return
    place = _place(item, spec)
    if isinstance(item, Disk | Dot):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(item.color))
        painter.drawEllipse(place)
        if isinstance(item, Dot):
            _write(painter, item, _beside(item, place, spec), spec)
    elif isinstance(item, Image):
        painter.drawImage(place, _image(item.file))
    else:
        if isinstance(item, Tile | Button):
            painter.fillRect(place, QColor(item.color))
        if isinstance(item, Tile) and item.border is not None:
            painter.setPen(QColor(item.border))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            # Qt centers a pen on the line: half a pixel inside, a border of one pixel stays in its tile.
            painter.drawRect(place.adjusted(0.5, 0.5, -0.5, -0.5))
        _write(painter, item, place, spec)


def _draw_line(painter: QPainter, line: Line, spec: ScreenSpec) -> None:
    # A thinner line than a pixel would fade on a coarse screen.
    pen = QPen(QColor(line.color), max(1.0, line.width_cm * spec.px_per_cm))
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.drawPolyline([QPointF(*spec.in_px(*point)) for point in line.points])


def _beside(dot: Dot, place: QRectF, spec: ScreenSpec) -> QRectF:
    """Return the place of a dot's text: wide enough for any, since its middle is over the dot."""
    height, width = 1.5 * dot.text_cm * spec.px_per_cm, float(spec.width_px)
    top = place.top() - height if dot.text_side == "above" else place.bottom()
    return QRectF(place.center().x() - width / 2, top, width, height)


def _write(painter: QPainter, item: Tile | Text | Button | Dot, place: QRectF, spec: ScreenSpec) -> None:
    if not item.text:
        return
    # Qt refuses a size of 0, which a small text on a coarse screen may have.
    painter.setFont(_font(max(1, round(item.text_cm * spec.px_per_cm))))
    painter.setPen(QColor(item.color if isinstance(item, Text) else item.text_color))
    left = isinstance(item, Text) and item.align == "left"
    across = Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignHCenter
    flags = int(across) | int(Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextWordWrap)
    painter.drawText(place, flags, item.text)


def _place(item: Disk | Dot | Tile | Text | Button | Image, spec: ScreenSpec) -> QRectF:
    width_cm, height_cm = (
        (item.diameter_cm, item.diameter_cm) if isinstance(item, Disk | Dot) else (item.width_cm, item.height_cm)
    )
    left, top = spec.in_px(item.x_cm - width_cm / 2, item.y_cm + height_cm / 2)
    return QRectF(left, top, width_cm * spec.px_per_cm, height_cm * spec.px_per_cm)


# Qt looks up a new font in the system's list, which costs as much as painting a tile.
@lru_cache(maxsize=64)
def _font(size_px: int) -> QFont:
    font = QFont()
    font.setPixelSize(size_px)
    return font


# A scene is painted at each change; its images are read and decoded once.
@lru_cache(maxsize=64)
def _image(file: str) -> QImage:
    image = QImage(file)
    if image.isNull():
        raise UnreadableImageError(
            f"the image {os.path.abspath(file)} cannot be read: is it there, and a PNG or a JPEG?"
        )
    return image
