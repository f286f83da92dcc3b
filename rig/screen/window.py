"""The stimulus window: a process of its own, so that painting never delays a session.

A socket carries scenes in, and painted frames, touches and keys out; the session interprets them. Its stamps are the
system's monotonic clock, which the session's loop uses too.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, Qt, QTimer
from PySide6.QtGui import (
    QCloseEvent,
    QEventPoint,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QScreen,
    QTouchEvent,
)
from PySide6.QtWidgets import QWidget

from rig.core.model.hover import HoverThrottle
from rig.core.model.scene import DARK, Scene
from rig.core.model.screen import DOWN, MOVE, UP, ScreenSpec
from rig.screen import messages
from rig.screen.paint import UnreadableImageError, paint

MOUSE = 0
"""The contact of a mouse; those of a touch screen are counted from 1."""

_PHASES = {
    QEventPoint.State.Pressed: DOWN,
    QEventPoint.State.Updated: MOVE,
    QEventPoint.State.Released: UP,
}
_KEYS: dict[int, str] = {
    Qt.Key.Key_Return.value: "enter",
    Qt.Key.Key_Enter.value: "enter",
    Qt.Key.Key_Backspace.value: "backspace",
}
_TOUCHES = (QEvent.Type.TouchBegin, QEvent.Type.TouchUpdate, QEvent.Type.TouchEnd, QEvent.Type.TouchCancel)


def now_us() -> int:
    """Return the time as the session's loop counts it."""
    return time.monotonic_ns() // 1000


class StimulusWindow(QWidget):
    """Shows one scene at a time on one monitor; ``say`` sends its messages."""

    def __init__(self, spec: ScreenSpec, monitor: QScreen, say: Callable[..., None]) -> None:
        super().__init__()
        self._spec = spec
        self._say = say
        self._scene = DARK
        self._frame = self._painted = self._told = 0
        self._contacts: dict[int, QPointF] = {}
        self._pointer: QPointF | None = None
        self._hovered_at = QPointF()
        self._hover = HoverThrottle()
        self._report_later = QTimer(self)
        self._report_later.setSingleShot(True)
        self._report_later.setTimerType(Qt.TimerType.PreciseTimer)
        self._report_later.timeout.connect(self._report_hover)
        self.setWindowTitle("stimulus")
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, spec.pointer != "touch")  # no on-screen keyboard
        # `paintEvent` fills the whole window; if Qt erased it before, the screen could flash.
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        # Without it Qt turns touches into mouse events, which do not number the contacts.
        self.setAttribute(Qt.WidgetAttribute.WA_AcceptTouchEvents)
        # Always: where the pointer rests must be known when a scene with `hover` appears.
        self.setMouseTracking(spec.pointer != "touch")
        if spec.pointer == "touch":
            # A cursor would be a stimulus that no scene contains.
            self.setCursor(Qt.CursorShape.BlankCursor)
        self.setScreen(monitor)
        if spec.full_screen:
            self.setWindowFlag(Qt.WindowType.FramelessWindowHint)
            self.setGeometry(monitor.geometry())
            self.showFullScreen()
        else:
            self.setFixedSize(spec.width_px, spec.height_px)
            self.move(monitor.geometry().topLeft())
            self.show()

    def present(self, frame: int, scene: Scene) -> None:
        """Draw a scene now, and report its frame."""
        self._frame, self._scene = frame, scene
        # Not `update`: Qt merges the updates of one pass of its loop, and one of two scenes would never be shown.
        self.repaint()
        self._tell()
        self._find_hovered()  # the item under a pointer at rest may be another one

    @property
    def _origin(self) -> QPointF:
        """Return the picture's upper left corner in the window; a full screen has the picture in its middle."""
        left, top = (self.width() - self._spec.width_px) // 2, (self.height() - self._spec.height_px) // 2
        return QPointF(left, top)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the scene."""
        painter = QPainter(self)
        try:
            painter.fillRect(self.rect(), Qt.GlobalColor.black)
            painter.translate(self._origin)
            paint(painter, self._scene, self._spec, patch_lit=self._frame % 2 == 1)
        except UnreadableImageError as error:
            self._say(messages.GONE, why=str(error))
        else:
            self._painted = self._frame
        finally:
            # Qt requires that the painter has ended when this handler returns, also after an error.
            painter.end()

    def _tell(self) -> None:
        """Send the report of a frame that was painted and given to the system, once."""
        # Not in `paintEvent`: Qt gives the picture to the system only after that handler has returned.
        if self._painted != self._told:
            self._told = self._painted
            self._say(messages.SHOWN, frame=self._told, raw_us=now_us())

    # --- touches --------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Handle touches; after any other event, report a painted frame."""
        if event.type() in _TOUCHES and isinstance(event, QTouchEvent):
            if self._spec.pointer != "mouse":
                self._take(event)
            # Also without `_take`: Qt would turn an ignored touch into mouse events.
            event.accept()
            return True
        if isinstance(event, QInputMethodEvent):  # what several keys have composed: a dead accent and its letter
            for letter in event.commitString():
                self._type(letter)
        taken = super().event(event)
        self._tell()
        return taken

    def _take(self, event: QTouchEvent) -> None:
        # One stamp for all contacts of an event, because they were reported together.
        raw_us = now_us()
        # The system has taken the touches over and reports no release: without UP a contact would never end.
        if event.type() == QEvent.Type.TouchCancel:
            for contact, at in list(self._contacts.items()):
                self._report(UP, contact, at, raw_us)
            return
        for point in event.points():
            phase = _PHASES.get(point.state())
            if phase is not None:
                self._report(phase, point.id() + 1, point.position(), raw_us)

    def _report(self, phase: str, contact: int, at: QPointF, raw_us: int) -> None:
        if phase == UP:
            self._contacts.pop(contact, None)
        else:
            self._contacts[contact] = at
        place = at - self._origin
        where = {"x_px": round(place.x(), 1), "y_px": round(place.y(), 1)}
        self._say(messages.TOUCHED, phase=phase, contact=contact, **where, raw_us=raw_us, frame=self._told)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Handle a press of the left mouse button."""
        self._take_mouse(DOWN, event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Handle a move of the mouse: a contact moves while the left button is down."""
        self._take_mouse(MOVE, event)
        self._pointer = event.position()
        self._find_hovered()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Handle the pointer leaving the window."""
        self._pointer = None
        self._find_hovered()
        super().leaveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Handle a release of the left mouse button."""
        self._take_mouse(UP, event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Handle the second click of a double click as a click."""
        self._take_mouse(DOWN, event)

    def _take_mouse(self, phase: str, event: QMouseEvent) -> None:
        # In Qt a move has no button, only the set of those that are down.
        button = event.buttons() if phase == MOVE else event.button()
        if self._spec.pointer != "touch" and button & Qt.MouseButton.LeftButton:  # the others ask for menus, or scroll
            self._report(phase, MOUSE, event.position(), now_us())

    def _find_hovered(self) -> None:
        """Update the item under the pointer by the scene on the screen, and report a change."""
        if self._pointer is not None and self._spec.pointer != "touch":
            self._hovered_at = self._pointer - self._origin
            place = self._spec.in_cm(self._hovered_at.x(), self._hovered_at.y())
            self._hover.move(self._scene.hovered(*place))
        else:
            self._hover.move("")
        self._report_hover()

    def _report_hover(self) -> None:
        due_us = self._hover.due_us
        left_us = 0 if due_us is None else due_us - now_us()
        if due_us is None:
            self._report_later.stop()
        elif left_us > 0:
            self._report_later.start(math.ceil(left_us / 1000))
        else:
            raw_us = now_us()
            where = {"x_px": round(self._hovered_at.x(), 1), "y_px": round(self._hovered_at.y(), 1)}
            self._say(messages.HOVERED, on=self._hover.report(raw_us), **where, raw_us=raw_us, frame=self._told)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Handle a key that writes a character, ends an answer or deletes the last character."""
        self._type(_KEYS.get(event.key(), event.text()))

    def _type(self, key: str) -> None:
        # Tab, escape and the like write no character, so they are no answer.
        if key and key.isprintable():
            self._say(messages.TYPED, key=key, raw_us=now_us())

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Send the report that the window was closed."""
        self._say(messages.GONE, why="the stimulus window was closed")
        super().closeEvent(event)
