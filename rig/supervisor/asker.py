"""Send one session requests at its socket from a thread, so that a session that does not answer blocks nothing else."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from rig.core.errors import ConfigError
from rig.system.control_socket import SessionGoneError, ask, socket_of

STATUS_EVERY_S = 2.0
FIRST_STATUS_S = 0.2
"""How often a session that is starting is asked: its socket opens with its board."""
STATUS_TIMEOUT_S = 3.0


class SessionAsker:
    """The requests to one process, done one after the other in a thread of its own."""

    def __init__(self, pid: int, on_change: Callable[[], None] = lambda: None) -> None:
        self._pid = pid
        self._on_change = on_change
        self.status: Mapping[str, object] | None = None
        """Its last status; None before the first one."""
        self.is_silent = False
        """Whether it did not answer the last question for its status."""
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._waiting = 0
        self._counting = threading.Lock()
        self._thread = threading.Thread(target=self._run, name=f"asks {pid}", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    @property
    def is_busy(self) -> bool:
        """Whether it has something to do that a person wanted."""
        return self._waiting > 0

    def do(self, job: Callable[[], None]) -> None:
        """Queue a job, which may ask and wait."""
        self._count(1)
        self._jobs.put(job)

    def close(self) -> None:
        """End the thread after the job of the moment, without waiting for it."""
        self._jobs.put(None)

    def ask(self, request: Mapping[str, object]) -> Mapping[str, object]:
        """Send a request and return its answer; only jobs may. Raises ``ConfigError``."""
        path = self._socket()
        if path is None:
            raise ConfigError("this session cannot be reached: it is starting or has ended")
        return ask(path, request)

    def _count(self, more: int) -> None:
        with self._counting:  # two threads count
            self._waiting += more

    def _socket(self) -> Path | None:
        return socket_of(self._pid)

    def _run(self) -> None:
        while True:
            try:
                job = self._jobs.get(timeout=FIRST_STATUS_S if self.status is None else STATUS_EVERY_S)
            except queue.Empty:
                self._ask_status()
                continue
            if job is None:
                return
            try:
                job()
            finally:
                self._count(-1)
                self._on_change()

    def _ask_status(self) -> None:
        path = self._socket()
        if path is None:
            return
        before = self.is_silent
        try:
            self.status = ask(path, {"do": "status"}, STATUS_TIMEOUT_S)
            self.is_silent = False
        except SessionGoneError:
            return
        except ConfigError:
            self.is_silent = True
        if self.is_silent != before:
            self._on_change()
