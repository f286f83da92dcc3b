"""The list of all keys, over the window."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLabel, QVBoxLayout, QWidget

from rig.window.request_bar import BUTTONS

KEYS = (
    ("0", "the wall of all sessions"),
    ("1 to 9, Page Up, Page Down", "the page of a session"),
    ("arrows, Enter", "on the wall: choose a session, and open its page"),
    ("Space", "freeze the picture, and go on; the session is recorded all the same"),
    ("+, -, mouse wheel", "zoom the lanes"),
    ("left, right, dragging", "move the lanes; they follow the present no more"),
    ("f", "follow the present again"),
    ("a", "show all: the whole session, and all of each chart"),
    ("d", "dark or light"),
    ("?", "this list"),
    ("q", "close the window; the sessions go on"),
)
_ACTIONS = {
    "r": "one reward of the protocol's size, within all limits",
    "n": "a note with the time; Enter writes it, Esc does not",
    "p": "pause, or go on",
    "s": "set a parameter that the protocol marks as live",
    "e": "end the session; y confirms",
}


class HelpPage(QDialog):
    """Shows the keys of a session, and those of the window; any page goes on behind it."""

    def __init__(self, parent: QWidget, keys: Sequence[tuple[str, str]] = KEYS) -> None:
        super().__init__(parent)
        self.setWindowTitle("keys")
        rows = [(key, f"<b>{words}</b>: {_ACTIONS[key]}") for key, words in BUTTONS]
        rows += [(escape(key), escape(words)) for key, words in keys]
        table = "".join(f"<tr><td><b>{key}</b>&nbsp;&nbsp;&nbsp;</td><td>{words}</td></tr>" for key, words in rows)
        label = QLabel(f"<table cellpadding='4'>{table}</table>")
        label.setTextFormat(Qt.TextFormat.RichText)
        QVBoxLayout(self).addWidget(label)
