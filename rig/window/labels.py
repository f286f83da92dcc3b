"""Labels for words that come from journals: never markup, and shortened where the window is too narrow."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QLayout, QSizePolicy, QWidget

from rig.window.theme import LARGE_PX, SMALL_PX


def tool_tip(text: str) -> str:
    """Return words for the mouse: Qt takes what looks like HTML for HTML, and would load the pictures that it names."""
    return f"<span>{escape(text)}</span>" if text else ""


def discard(layout: QLayout, widget: QWidget) -> None:
    """Remove a widget from a layout, from the picture at once, and from memory when Qt may."""
    layout.removeWidget(widget)
    widget.hide()
    widget.deleteLater()


class Words(QLabel):
    """One line of words: smaller where they do not fit, then cut; all of them are shown at the mouse."""

    def __init__(self, name: str = "", text: str = "") -> None:
        super().__init__()
        self.setObjectName(name)
        self._words = ""
        self._least_px = LARGE_PX if name == "huge" else SMALL_PX
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.show_words(text)

    def text(self) -> str:
        """Return the words."""
        return self._words

    def show_words(self, text: str) -> None:
        """Set the words if they are others.

        They are no text of the label: setting one lays out and draws the whole window again.
        """
        if self._words == text:
            return
        wide, self._words = self._wide, text
        self.setToolTip(tool_tip(text))
        self.setAccessibleName(text)
        if self.sizePolicy().horizontalPolicy() is not QSizePolicy.Policy.Ignored and self._wide != wide:
            self.updateGeometry()
        self.update()

    @property
    def _wide(self) -> int:
        return self.fontMetrics().horizontalAdvance(self._words) + 1  # the advance is rounded to whole pixels

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the size of the words."""
        return QSize(self._wide, self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return a size without regard to the words."""
        return QSize(1, self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw as many words as fit."""
        painter = QPainter(self)
        room = self.contentsRect()
        font = self.font()
        wide = self._wide
        if wide > room.width():
            font.setPixelSize(max(self._least_px, font.pixelSize() * room.width() // wide))
            painter.setFont(font)
        shown = painter.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown)
        painter.end()


class Sentences(QLabel):
    """Words that take as many lines as they need."""

    def __init__(self, name: str = "") -> None:
        super().__init__()
        self.setObjectName(name)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def show_words(self, text: str) -> None:
        """Set the words if they are others."""
        if self.text() != text:
            self.setText(text)
