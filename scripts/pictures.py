"""Qt without a display, for scripts that draw."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QImage, QPixmap
    from PySide6.QtWidgets import QApplication


@cache
def application() -> QApplication:
    """Start Qt: once in a program. With ``QT_QPA_PLATFORM=xcb`` windows are real ones on the display."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    return QApplication([])


def png(picture: QImage | QPixmap) -> bytes:
    """Return a picture as a PNG file."""
    from PySide6.QtCore import QBuffer
    from PySide6.QtGui import QImageWriter, QPixmap

    buffer = QBuffer()  # the writer does not keep it alive
    image = picture.toImage() if isinstance(picture, QPixmap) else picture
    QImageWriter(buffer, b"png").write(image)
    return bytes(buffer.data().data())
