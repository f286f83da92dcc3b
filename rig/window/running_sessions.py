"""Which sessions run on this computer, found by a thread, so that one that does not answer holds no drawing."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from rig.system.control_socket import running

LOOK_EVERY_S = 1.0
TIMEOUT_S = 1.5


class FindsSessions(Protocol):
    """Says which sessions run."""

    has_looked: bool

    def look(self) -> Mapping[Path, int]:
        """Return the folders that were found last, each with the number of its process."""

    def close(self) -> None:
        """End looking."""


class RunningSessions:
    """The folders of the running sessions of this user, each with the number of its process.

    It looks only after a call of `look`, and at most once in ``LOOK_EVERY_S``.
    """

    def __init__(self) -> None:
        self.has_looked = False
        self._found: Mapping[Path, int] = MappingProxyType({})
        self._asked = threading.Event()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="looks for sessions", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """End the thread, without waiting for it."""
        self._closed.set()
        self._asked.set()

    def look(self) -> Mapping[Path, int]:
        """Return what was found last, and have the thread look again."""
        self._asked.set()
        return self._found

    def _run(self) -> None:
        while True:
            self._asked.wait()
            if self._closed.is_set():
                return
            self._asked.clear()
            self._found = _running()
            self.has_looked = True
            self._closed.wait(LOOK_EVERY_S)


def _running() -> dict[Path, int]:
    found = {}
    for path, status in running(TIMEOUT_S):
        with suppress(KeyError, TypeError, ValueError, OSError):  # one that does not answer has no folder
            found[Path(status["folder"]).resolve()] = int(path.stem)
    return found
