"""``python -m rig.screen FD``: the stimulus process; FD is its end of the session's socket."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable

import PySide6
from PySide6.QtCore import QObject, QSocketNotifier, QTimer
from PySide6.QtGui import QGuiApplication, QInputDevice, QScreen
from PySide6.QtWidgets import QApplication

from rig.core.model.scene_changes import SceneReader
from rig.core.model.screen import ScreenSpec
from rig.screen import messages
from rig.screen.session_socket import SessionSocket
from rig.screen.window import StimulusWindow

# Qt has a signal for a removed monitor and none for a removed input device, so the process looks for it.
LOOK_MS = 1000
"""The interval of checks that the touch screen is still connected."""
LEAST_HZ = 20.0


class StimulusProcess(QObject):
    """The window and its socket to the session, in one Qt application."""

    def __init__(self, app: QApplication, end: socket.socket) -> None:
        super().__init__()
        self._app = app
        self._socket = SessionSocket(end, app.quit)
        self._scenes = SceneReader()
        self.window: StimulusWindow | None = None
        self._monitor: QScreen | None = None
        self._notifier = QSocketNotifier(end.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_readable)
        self._watch = QTimer(self)
        self._watch.timeout.connect(self._look_for_touch_screen)
        app.screenRemoved.connect(self._on_removed)

    def _on_readable(self) -> None:
        for message in self._socket.receive():
            kind = message.pop("k")
            if kind == messages.SHOW and self.window is not None:
                self.window.present(message["frame"], self._scenes.read(message["scene"]))
            elif kind == messages.OPEN:
                self._open(ScreenSpec(**message))
            elif kind == messages.CLOSE:
                self._app.quit()

    def _open(self, spec: ScreenSpec) -> None:
        self._monitor, why = self._choose_monitor(spec)
        if not why and spec.pointer == "touch":
            why = _no_touch_screen()
        if self._monitor is None or why:
            self._gone(why)
            return
        self.window = StimulusWindow(spec, self._monitor, self._socket.send)
        if spec.pointer == "touch":
            self._watch.start(LOOK_MS)
        # Not ready yet: the system exposes a new window only while the event loop runs.
        QTimer.singleShot(0, self._ready)

    def _ready(self) -> None:
        window, monitor = self.window, self._monitor
        if window is None or monitor is None:
            return
        handle = window.windowHandle()
        if not handle.isExposed():
            QTimer.singleShot(1, self._ready)
            return
        refresh_hz = max(LEAST_HZ, monitor.refreshRate())  # a monitor may say 0
        facts = {
            "refresh_hz": round(refresh_hz, 2),
            "monitor_px": [monitor.geometry().width(), monitor.geometry().height()],
            "pointers": _pointers(),
            "qt": f"{PySide6.__version__}, {QGuiApplication.platformName()}",
        }
        self._socket.send(messages.READY, name=monitor.name(), frame_us=round(1e6 / refresh_hz), facts=facts)

    def _choose_monitor(self, spec: ScreenSpec) -> tuple[QScreen | None, str]:
        """Return the monitor, or an error text."""
        monitors = {monitor.name(): monitor for monitor in self._app.screens()}
        here = ", ".join(map(_said, monitors.values())) or "none"
        chosen = self._app.primaryScreen() if spec.monitor is None else monitors.get(spec.monitor)
        if chosen is None:
            return None, f"there is no monitor {spec.monitor or ''}: is it on, and plugged in? Monitors here: {here}"
        size = chosen.geometry()
        if size.width() < spec.width_px or size.height() < spec.height_px:
            picture = f"{spec.width_px} by {spec.height_px} pixels"
            return None, f"a picture of {picture} does not fit on monitor {_said(chosen)}"
        return chosen, ""

    def _look_for_touch_screen(self) -> None:
        if why := _no_touch_screen():
            self._gone(why)

    def _on_removed(self, monitor: QScreen) -> None:
        if monitor is self._monitor:
            self._gone(f"monitor {monitor.name()} was unplugged or switched off")

    def _gone(self, why: str) -> None:
        self._watch.stop()
        self._socket.send(messages.GONE, why=why)
        self._app.quit()


def _said(monitor: QScreen) -> str:
    size = monitor.geometry()
    return f"{monitor.name()} ({size.width()} by {size.height()})"


def _pointers() -> list[str]:
    return sorted({f"{device.name()} ({device.type().name})" for device in QInputDevice.devices()})


def _no_touch_screen() -> str:
    if any(device.type() == QInputDevice.DeviceType.TouchScreen for device in QInputDevice.devices()):
        return ""
    here = ", ".join(_pointers()) or "none"
    return (
        "there is no touch screen: is it plugged in? One that the system takes for a mouse is `pointer: mouse` in the "
        f"rig file. Input devices here: {here}"
    )


def serve(end: socket.socket, arguments: list[str], arrange: Callable[[StimulusProcess], object] | None = None) -> int:
    """Run the stimulus process until the session ends; ``arrange`` prepares it for tests."""
    app = QApplication(arguments)
    app.setQuitOnLastWindowClosed(True)
    process = StimulusProcess(app, end)
    if arrange is not None:
        arrange(process)
    return app.exec()


def main(arguments: list[str]) -> int:
    """Run on the socket that the session left open for this process."""
    return serve(socket.socket(fileno=int(arguments[1])), arguments[:1])


if __name__ == "__main__":
    sys.exit(main(sys.argv))
