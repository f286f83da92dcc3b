"""Presses that repeat another one: a held key, a double click, a finger that taps until something happens."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QInputEvent, QKeyEvent, QMouseEvent

from rig.window.button_row import GloveButton
from rig.window.launcher.keypad import Keypad

APART_MS = 600
"""A press that follows another one sooner repeats it: a double click of Windows may take 500 ms."""
_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_DOWN = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)


class RepeatedPresses:
    """Finds the presses that must do nothing: the button may mean something else since the press before.

    The stamps of the events count, so that a window that was busy mistakes no two old presses for distant ones.
    """

    def __init__(self) -> None:
        self._mouse, self._keys = _Presses(), _Presses()

    def is_repeated(self, watched: QObject, event: QEvent) -> bool:
        """Whether a press of a button, or of Enter or Space, repeats another one; each digit of a number counts."""
        if isinstance(event, QKeyEvent):
            is_key = event.type() == QEvent.Type.KeyPress and event.key() in _KEYS
            return is_key and (event.isAutoRepeat() or (event.key() in _KEYS[:2] and self._keys.is_soon(event)))
        if isinstance(event, QMouseEvent) and event.type() in _DOWN:
            is_soon = self._mouse.is_soon(event)
            return is_act(watched) and (is_soon or event.type() == QEvent.Type.MouseButtonDblClick)
        return False


def is_act(watched: QObject) -> bool:
    """Whether it is a button that does something, not one that writes a digit."""
    return isinstance(watched, GloveButton) and not isinstance(watched.parentWidget(), Keypad)


class _Presses:
    """The stamps of presses; Qt hands the same press to a window, to a part of it, and to what is around the part."""

    def __init__(self) -> None:
        self._at_ms: int | None = None
        self._is_soon = False

    def is_soon(self, event: QInputEvent) -> bool:
        """Whether the press before was shortly before this one; also one that did nothing counts."""
        at_ms = event.timestamp()
        if at_ms != self._at_ms:
            self._is_soon = self._at_ms is not None and 0 <= at_ms - self._at_ms < APART_MS
            self._at_ms = at_ms
        return self._is_soon
