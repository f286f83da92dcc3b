"""The buttons of a session, the question of the moment with its answers, and what the session has answered."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from rig.live.keys import ESCAPE
from rig.window.button_row import NONE, ButtonRow
from rig.window.labels import Sentences
from rig.window.session_requests import SessionRequests
from rig.window.text_line import TextLine

BUTTONS = (("r", "Reward"), ("n", "Note"), ("p", "Pause"), ("s", "Set"), ("e", "End"))
"""The keys of the running display and what the buttons call them."""


def session_buttons(*, is_paused: bool) -> list[tuple[str, str]]:
    """Return the buttons of a running session."""
    return [(key, "Resume" if key == "p" and is_paused else words) for key, words in BUTTONS]


class RequestBar(QWidget):
    """Presses keys of the session; it draws only what the keys say, so that both are always the same."""

    def __init__(self, requests: SessionRequests) -> None:
        super().__init__()
        self._requests = requests
        self._actions, self._answers = ButtonRow(requests.press), ButtonRow(requests.press)
        self._words = Sentences()
        self._line = TextLine(lambda text: requests.press(f"{text}\n"), lambda: requests.press(ESCAPE))
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 8, 6)
        row.addWidget(self._actions)
        row.addWidget(self._words, 1)
        row.addWidget(self._line, 1)
        row.addWidget(self._answers)
        self._line.hide()

    def refresh(self, *, is_paused: bool) -> None:
        """Draw what the keys do now."""
        requests, keys = self._requests, self._requests.keys
        why_not = requests.why_not
        self._actions.show_buttons(session_buttons(is_paused=is_paused), why_not, is_enabled=not keys.is_asking)
        waits = " …" if requests.is_busy and not keys.hint else ""
        # The last answer stays: that of an end comes when nothing more can be asked.
        self._words.show_words(keys.hint + waits or why_not)
        choices = () if why_not else tuple(keys.choices)
        self._answers.show_buttons((*choices, NONE) if choices else ())
        self._line.show_line(visible=keys.is_writing and not why_not)
