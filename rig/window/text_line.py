"""A line for a text that a person writes: Enter sends it, Esc does not."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from rig.live.keys import MAX_NOTE_CHARS


class TextLine(QLineEdit):
    """``send`` takes the text, ``leave`` is called instead when a person leaves it."""

    def __init__(self, send: Callable[[str], None], leave: Callable[[], None]) -> None:
        super().__init__()
        self._leave = leave
        self.setMaxLength(MAX_NOTE_CHARS)
        self.returnPressed.connect(lambda: send(self.text()))

    def show_line(self, *, visible: bool) -> None:
        """Show an empty line that has the focus, or hide it."""
        if visible == self.isHidden():
            self.clear()
            self.setVisible(visible)
            if visible:
                self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Handle Esc; Qt handles the others."""
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)
