"""The names of keys, as the window's parts handle them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from rig.live.keys import ESCAPE

_NAMES = {
    Qt.Key.Key_Left.value: "left",
    Qt.Key.Key_Right.value: "right",
    Qt.Key.Key_Up.value: "up",
    Qt.Key.Key_Down.value: "down",
    Qt.Key.Key_PageUp.value: "page up",
    Qt.Key.Key_PageDown.value: "page down",
    Qt.Key.Key_Return.value: "enter",
    Qt.Key.Key_Enter.value: "enter",
    Qt.Key.Key_Escape.value: ESCAPE,
}
_SAME = {"=": "+", "_": "-"}
"""Keys that carry plus and minus, with and without Shift."""


def key_name(event: QKeyEvent) -> str:
    """Return the name of a key: a letter in lower case, or a word; empty for a key that means nothing here."""
    if event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier):
        return ""
    name = _NAMES.get(event.key())
    if name is not None:
        return name
    text = event.text().lower()
    return _SAME.get(text, text) if len(text) == 1 and text.isprintable() else ""
