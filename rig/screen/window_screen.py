"""A real screen: starts the stimulus process, sends it scenes, and receives its reports.

Nothing of Qt is imported here: painting in this process would delay everything else by milliseconds.
"""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from importlib.util import find_spec
from typing import IO

from rig.core.clock import Clock, in_background
from rig.core.errors import ScreenError
from rig.core.model.scene import Scene
from rig.core.model.scene_changes import SceneWriter
from rig.core.model.screen import Contact, PointerMove, Screen, ScreenInfo, ScreenListener, ScreenSpec
from rig.core.timeout import AnswerTimer
from rig.platform.shared_sockets import INHERITS_SOCKETS
from rig.platform.system import has_display
from rig.screen import messages
from rig.system.scratch import scratch_place

OPEN_S = 20.0
"""Qt and a monitor that wakes up take their time."""
ANSWER_S = 2.0
"""A window that has not painted for so long hangs."""
LEAVE_S = 2.0
PROCESS = (sys.executable, "-m", "rig.screen")
TO_INSTALL = 'the screen needs Qt, which is not installed: pip install "behavior-rig[screen]"'
_KEPT = 2000
"""So much is kept of what the process complains of."""


class WindowScreen(Screen, asyncio.Protocol):
    """A window in a process of its own; ``command`` starts it, with its end of the socket as last argument."""

    def __init__(self, spec: ScreenSpec, clock: Clock, command: Sequence[str] = PROCESS) -> None:
        self._spec = spec
        self._clock = clock
        self._command = command
        self._listener: ScreenListener | None = None
        self._started: tuple[subprocess.Popen[bytes], IO[bytes]] | None = None
        self._transport: asyncio.Transport | None = None
        self._lines = messages.MessageReader()
        self._scenes = SceneWriter()
        self._opening: asyncio.Future[ScreenInfo] | None = None
        self._ended = asyncio.Event()
        self._why = ""
        self._leaving = False
        self._sent_us: dict[int, int] = {}
        self._counters = {"screen_contacts": 0, "screen_frames": 0, "screen_longest_show_us": 0}

    # --- the interface of a screen --------------------------------------------------------------------------

    async def open(self, listener: ScreenListener) -> ScreenInfo:
        """Start the process and wait until its window is on the monitor."""
        if not INHERITS_SOCKETS:
            raise ScreenError("the stimulus window needs Linux or macOS")
        # Looked up, not imported: Qt is loaded in the window's process only.
        if find_spec("PySide6") is None:
            raise ScreenError(TO_INSTALL)
        # Without a display Qt aborts its process, with a message about plug-ins that does not name the cause.
        if not has_display():
            raise ScreenError("screen: there is no display here: start the session in the desktop's own terminal")
        self._listener = listener
        ours, theirs = socket.socketpair()
        loop = asyncio.get_running_loop()
        self._opening = loop.create_future()
        # The new process has its own copy. While this one is open, the end of that process does not close the socket.
        with theirs:
            self._started = self._start(theirs)
        await loop.create_connection(lambda: self, sock=ours)
        why = f"no window was there after {OPEN_S:g} s"
        timer = AnswerTimer(self._clock, OPEN_S, lambda: self._fail_to_open(why))
        try:
            return await self._opening
        # Also after Ctrl-C: no window may stay on the monitor without a session.
        except BaseException:
            self.abort()
            raise
        finally:
            timer.cancel()
            self._opening = None

    def _start(self, end: socket.socket) -> tuple[subprocess.Popen[bytes], IO[bytes]]:
        # Not a pipe: the session does not read it, and a full pipe would block the window.
        complaints = tempfile.TemporaryFile(dir=scratch_place())  # noqa: SIM115 - it is closed with the process
        process = subprocess.Popen(
            [*self._command, str(end.fileno())],
            pass_fds=(end.fileno(),),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=complaints,
            start_new_session=True,  # Ctrl-C must reach only the session, which closes the window in order
        )
        return process, complaints

    def show(self, frame: int, scene: Scene) -> None:
        """Send a scene for painting."""
        if self._transport is None or self._leaving:
            return
        self._sent_us[frame] = round(self._clock.time() * 1e6)
        self._say(messages.SHOW, frame=frame, scene=self._scenes.write(scene))
        AnswerTimer(self._clock, ANSWER_S, lambda: self._expect(frame), in_background(self._clock))

    def _expect(self, frame: int) -> None:
        if frame in self._sent_us:
            self._lose(f"the stimulus window has painted nothing for {ANSWER_S:g} s: it hangs")

    async def close(self) -> Mapping[str, int]:
        """Close the window, and wait for the end of its process."""
        # From now on the end of the process is no fault.
        self._leaving = True
        self._say(messages.CLOSE)
        timer = AnswerTimer(self._clock, LEAVE_S, self._ended.set)
        if self._transport is not None:
            await self._ended.wait()
        timer.cancel()
        self.abort()
        return self._counters

    def abort(self) -> None:
        """End the process at once."""
        self._leaving = True
        if self._transport is not None:
            self._transport.abort()
            self._transport = None
        self._reap()

    # --- messages of the window -----------------------------------------------------------------------------

    def _say(self, kind: str, **fields: object) -> None:
        if self._transport is not None:
            self._transport.write(messages.line(kind, **fields))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the screen's settings to the window."""
        if isinstance(transport, asyncio.Transport):
            self._transport = transport
        self._say(messages.OPEN, **asdict(self._spec))

    def data_received(self, data: bytes) -> None:
        """Handle messages of the window."""
        for message in self._lines.feed(data):
            self._take(message.pop("k"), message)

    def _take(self, kind: str, message: messages.Message) -> None:
        if self._listener is None or self._leaving:
            return
        if kind == messages.TOUCHED:
            self._counters["screen_contacts"] += 1
            self._listener.touched(Contact(**message))
        elif kind == messages.HOVERED:
            self._listener.hovered(PointerMove(**message))
        elif kind == messages.TYPED:
            self._listener.typed(**message)
        elif kind == messages.SHOWN:
            self._counters["screen_frames"] += 1
            sent_us = self._sent_us.pop(message["frame"], message["raw_us"])
            took_us = message["raw_us"] - sent_us
            self._counters["screen_longest_show_us"] = max(self._counters["screen_longest_show_us"], took_us)
            self._listener.shown(message["frame"], message["raw_us"])
        elif kind == messages.READY and self._opening is not None:
            self._opening.set_result(ScreenInfo(message["name"], message["frame_us"], message["facts"]))
        elif kind == messages.GONE:
            self._lose(message["why"])

    def connection_lost(self, exc: Exception | None) -> None:
        """Handle the end of the process."""
        self._transport = None
        self._ended.set()
        if not self._leaving:
            code, complaint = self._reap()
            self._lose(f"the stimulus process has ended ({_end_said(code)}){complaint}")

    def _lose(self, why: str) -> None:
        if self._opening is not None:
            self._fail_to_open(why)
        # One fault for one loss: a window that reports its end closes its socket next.
        elif not self._why and not self._leaving and self._listener is not None:
            self._why = why
            self._listener.lost(why)

    def _fail_to_open(self, why: str) -> None:
        if self._opening is not None and not self._opening.done():
            self._opening.set_exception(ScreenError(f"screen: {why}"))

    def _reap(self) -> tuple[int, str]:
        """End the process; return its exit code and its last line of stderr."""
        started, self._started = self._started, None
        if started is None:
            return 0, ""
        process, complaints = started
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.1)  # its socket is closed, so it is ending
        process.kill()
        process.wait()
        with complaints:
            complaints.seek(0)
            last = complaints.read()[-_KEPT:].decode(errors="replace").strip().splitlines()
        return process.returncode, f": {last[-1]}" if last else ""


def _end_said(code: int) -> str:
    return f"by signal {-code}" if code < 0 else f"status {code}"
