"""The buttons of a session, the question of the moment with its answers, and what the session has answered."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QWidget

from rig.live.keys import ESCAPE, MAX_NOTE_CHARS
from rig.window.labels import Sentences, discard
from rig.window.session_requests import SessionRequests

BUTTONS = (("r", "Reward"), ("n", "Note"), ("p", "Pause"), ("s", "Set"), ("e", "End"))
"""The keys of the running display and what the buttons call them."""


class RequestBar(QWidget):
    """Presses keys of the session; it draws only what the keys say, so that both are always the same."""

    def __init__(self, requests: SessionRequests) -> None:
        super().__init__()
        self._requests = requests
        self._buttons = {key: self._button(key, f"{words} ({key})") for key, words in BUTTONS}
        self._words = Sentences()
        self._answers: list[QPushButton] = []
        self._shown: tuple[tuple[str, str], ...] = ()
        self._line = QLineEdit()
        self._line.setMaxLength(MAX_NOTE_CHARS)
        self._line.returnPressed.connect(self._send_text)
        self._line.installEventFilter(self)
        self._line.hide()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(8, 4, 8, 6)
        for button in self._buttons.values():
            self._row.addWidget(button)
        self._row.addWidget(self._words, 1)
        self._row.addWidget(self._line, 1)

    def _button(self, key: str, words: str) -> QPushButton:
        button = QPushButton(words)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keys go to the window
        button.clicked.connect(lambda: self._requests.press(key))
        return button

    def refresh(self, *, is_paused: bool) -> None:
        """Draw what the keys do now."""
        requests, keys = self._requests, self._requests.keys
        why_not = requests.why_not
        for button in self._buttons.values():
            button.setEnabled(not why_not and not keys.is_asking)
            button.setToolTip(why_not)
        self._buttons["p"].setText("Resume (p)" if is_paused else "Pause (p)")
        waits = " …" if requests.is_busy and not keys.hint else ""
        # The last answer stays: that of an end comes when nothing more can be asked.
        self._words.show_words(keys.hint + waits or why_not)
        self._show_answers(() if why_not else tuple(keys.choices))
        self._show_line(visible=keys.is_writing and not why_not)

    def _show_answers(self, answers: tuple[tuple[str, str], ...]) -> None:
        if answers == self._shown:
            return
        self._shown = answers
        for old in self._answers:
            discard(self._row, old)
        self._answers = [self._button(key, f"{words} ({key})") for key, words in answers]
        if answers:
            self._answers.append(self._button(ESCAPE, "none (Esc)"))
        for button in self._answers:
            self._row.addWidget(button)

    def _show_line(self, *, visible: bool) -> None:
        if visible != self._line.isVisibleTo(self):
            self._line.clear()
            self._line.setVisible(visible)
            if visible:
                self._line.setFocus()

    def _send_text(self) -> None:
        self._requests.press(f"{self._line.text()}\n")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Handle Esc in the line: nothing is sent."""
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape and watched is self._line:
            self._requests.press(ESCAPE)
            return True
        return super().eventFilter(watched, event)
