"""The host's end of a real camera: a separate process, and a socket pair.

The process is told what to do in one line of JSON at its standard input. It says, a line each, that it is ``ready``
with the size of its first picture, then for every frame what was ``seen`` (number, microseconds of the system's
monotonic clock, place in centimeters or null), at last an ``error`` in words. When either end dies the other one finds
out by the socket. Silence is watched: a camera that hangs is one that is gone.
"""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Any

from rig.camera.interface import Camera, FramePosition, OnGone, OnSeen
from rig.core.clock import running
from rig.core.errors import NotReadyError
from rig.core.model.rig_spec import TrackingSpec
from rig.core.timeout import AnswerTimer
from rig.platform.processes import PYTHON
from rig.platform.shared_sockets import start_with_socket

STARTS_S = 15.0
"""The timeout of the first picture."""
SILENT_S = 2.0
"""The timeout of each further frame."""
COMMAND: Sequence[str] = (PYTHON, "-m", "rig.camera")


class CameraProcess(Camera):
    """A camera or a video in a separate process."""

    def __init__(self, tracking: TrackingSpec, command: Sequence[str] = COMMAND) -> None:
        self.tracking = tracking
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._listening: asyncio.Task[None] | None = None
        self._on_seen: OnSeen = lambda frame_positions: None
        self._on_gone: OnGone = lambda why: None
        self._gone = ""

    async def open(self) -> None:
        """Start the process and wait for its first picture. Raises ``NotReadyError``."""
        ours, theirs = socket.socketpair()
        # The new process has its own copy. While this one is open, the end of that process does not close the socket.
        with theirs:
            self._start(theirs)
        self._reader, self._writer = await asyncio.open_connection(sock=ours)
        said = await self._next(STARTS_S)
        if "ready" not in said:
            self.close()
            raise NotReadyError(said["error"])
        self._listening = asyncio.get_running_loop().create_task(self._listen(), name="camera")

    def _start(self, theirs: socket.socket) -> None:
        # Without the circles: the session judges zones, and JSON would make plain dictionaries of them.
        order: dict[str, object] = {"tracking": asdict(replace(self.tracking, circles=()))}
        # Windows shares a socket only with a process that runs already, so the order follows by standard input.
        self._process, order["socket"] = start_with_socket(self._command, theirs)
        if self._process.stdin is not None:
            with suppress(BrokenPipeError), self._process.stdin as told:  # a dead process is detected by its socket
                told.write(json.dumps(order).encode() + b"\n")

    async def _next(self, within_s: float) -> dict[str, Any]:
        """Return the next message of the process; its end or a timeout becomes an error message."""
        if self._reader is None:
            return {"error": f"{self.tracking.name}: was closed"}
        reading = asyncio.ensure_future(self._reader.readline())
        # Not asyncio.timeout: after a stop of this process it fires before the waiting line is read.
        timer = AnswerTimer(running(), within_s, reading.cancel)
        try:
            line = await reading
        except asyncio.CancelledError:
            # A cancellation that is not the timer's ends the camera.
            if not timer.expired:
                raise
            return {"error": f"{self.tracking.name}: the camera has given no picture for {within_s:g} s"}
        except OSError:
            line = b""
        finally:
            timer.cancel()
        # A process that ends in the middle of a line leaves a part of it.
        if not line.endswith(b"\n"):
            return {"error": f"{self.tracking.name}: the camera's process has ended{self._status()}"}
        said: dict[str, object] = json.loads(line)
        return said

    @property
    def pid(self) -> int | None:
        """Return the process id; None when no process runs."""
        return None if self._process is None else self._process.pid

    def _status(self) -> str:
        if self._process is None:
            return ""
        with suppress(subprocess.TimeoutExpired):
            return f" (status {self._process.wait(1.0)})"
        return ""

    async def _listen(self) -> None:
        while True:
            said = await self._next(SILENT_S)
            if "error" in said:
                self._gone = said["error"]
                self._on_gone(self._gone)
                return
            number, raw_us, x_cm, y_cm = said["seen"]
            lost = x_cm is None
            self._on_seen([FramePosition(number, raw_us, *((float("nan"),) * 2 if lost else (x_cm, y_cm)))])

    def watch(self, on_seen: OnSeen, on_gone: OnGone) -> None:
        """Start to report frames; earlier frames are dropped."""
        self._on_seen, self._on_gone = on_seen, on_gone
        # The camera may have failed after `open`, before a caller watched it.
        if self._gone:
            on_gone(self._gone)

    def close(self) -> None:
        """End the process at once."""
        if self._listening is not None:
            self._listening.cancel()
        if self._writer is not None:
            self._writer.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._listening = self._writer = self._process = None
