"""The stimulus process with a finger before it: touches and clicks that Qt makes itself, one after the other.

python pecking_window.py MOVES FD; each of MOVES is a list in JSON: after so many ms, what, and where in pixels.
"""

import json
import socket
import sys
import time

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QInputDevice, QInputMethodEvent, QKeyEvent
from PySide6.QtTest import QTest

from rig.screen import __main__ as screen_process
from rig.screen.__main__ import StimulusProcess, serve
from tests.screen.places import place_of

FIRST_FRAME_MS = 5


class Finger:
    """Does one move after the other, once the first scene is on the glass."""

    def __init__(self, process: StimulusProcess, moves: list[list]) -> None:
        self._process = process
        self._moves = moves
        self._held: set[int] = set()
        self._device = QTest.createTouchDevice(QInputDevice.DeviceType.TouchScreen)
        QTimer.singleShot(FIRST_FRAME_MS, self._wait)

    def _wait(self) -> None:
        window = self._process.window
        if window is None or not window._told:
            QTimer.singleShot(FIRST_FRAME_MS, self._wait)
        else:
            self._next()

    def _next(self) -> None:
        if self._moves:
            after_ms, what, *rest = self._moves.pop(0)
            QTimer.singleShot(after_ms, lambda: self._do(what, rest))

    def _do(self, what: str, rest: list) -> None:
        window = self._process.window
        if what == "grab":
            window.screen().grabWindow(window.winId()).save(rest[0])
        elif what == "close":
            window.close()
        elif what == "unplug":
            self._process._on_removed(self._process._monitor)
        elif what == "unplug touch screen":
            screen_process._no_touch_screen = lambda: "there is no touch screen"
            self._process._look_for_touch_screen()
        elif what == "hang":
            time.sleep(rest[0])
        elif what == "hover":
            QTest.mouseMove(window, QPoint(*rest))
        elif what == "leave":
            QCoreApplication.sendEvent(window, QEvent(QEvent.Type.Leave))
        elif what == "click":
            QTest.mouseClick(window, Qt.MouseButton.LeftButton, pos=QPoint(*rest))
        elif what == "right click":
            QTest.mouseClick(window, Qt.MouseButton.RightButton, pos=QPoint(*rest))
        elif what == "key":
            QCoreApplication.sendEvent(window, QKeyEvent(QEvent.Type.KeyPress, 0, Qt.KeyboardModifier(0), rest[0]))
        elif what == "compose":
            composed = QInputMethodEvent()
            composed.setCommitString(rest[0])
            QCoreApplication.sendEvent(window, composed)
        elif what == "type":
            QTest.keyClicks(window, rest[0])
            for key in (Qt.Key.Key_Shift, Qt.Key.Key_Escape, Qt.Key.Key_Backspace, Qt.Key.Key_Return):
                QTest.keyClick(window, key)
        elif what == "tap":
            self._touch("press", 0, *rest)
            self._touch("release", 0, *rest)
        elif what == "taps":
            self._tap_on(*rest)
            return
        else:
            self._touch(what, *rest)
        self._next()

    def _tap_on(self, count: int, per_s: float) -> None:
        """Tap so often a second, the n-th at `place_of(n)`; one that is late does not move the others."""
        began_s, done = time.monotonic(), 0

        def tap() -> None:
            nonlocal done
            for what in ("press", "release"):
                self._touch(what, 0, *place_of(done))
            done += 1
            if done < count:
                due_s = began_s + done / per_s
                QTimer.singleShot(max(0, round(1000 * (due_s - time.monotonic()))), tap)
            else:
                self._next()

        tap()

    def _touch(self, what: str, contact: int, x_px: int, y_px: int) -> None:
        sequence = QTest.touchEvent(self._process.window, self._device)
        for other in self._held - {contact}:
            sequence.stationary(other)
        getattr(sequence, what)(contact, QPoint(x_px, y_px), self._process.window)
        sequence.commit()
        self._held = self._held - {contact} if what == "release" else self._held | {contact}


if __name__ == "__main__":
    fingers: list[Finger] = []
    moves = json.loads(sys.argv[1])
    end = socket.socket(fileno=int(sys.argv[2]))
    sys.exit(serve(end, sys.argv[:1], lambda process: fingers.append(Finger(process, moves))))
