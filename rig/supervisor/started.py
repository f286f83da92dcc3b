"""The list of the sessions that supervisors have started: how `rig boxes attach` finds them, also those that ended.

``<data>/.boxes/started.jsonl`` has a line for each start, and a line for the folder of its records once that is known.
The lines are facts about this computer; no record depends on them.
"""

from __future__ import annotations

import datetime
import json
import os
import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rig.system.atomic_files import append_atomic

FOLDER = ".boxes"
"""No subject can be called so."""
_LARGEST_BYTES = 1_000_000


@dataclass(frozen=True)
class StartedSession:
    """One session that a supervisor has started."""

    box: str
    subject: str
    pid: int
    log: str
    at: str
    """When it was started, in local time."""
    folder: str | None = None
    """Its records; None until they are known."""
    host: str = ""
    """The computer: several may keep their records in one folder."""
    mark: str = ""
    """What tells its process from a later one with the same number."""


def this_computer() -> str:
    """Return the name of this computer."""
    return socket.gethostname()


class StartedSessions:
    """The list in a data folder."""

    def __init__(self, data: Path) -> None:
        self.folder = data / FOLDER
        self._path = self.folder / "started.jsonl"

    def new_log(self, box: str, now: datetime.datetime) -> Path:
        """Return the path of a log for a session that starts now."""
        return self.folder / f"{now:%Y-%m-%d_%H%M%S}_{box.replace(' ', '_')}.log"

    def add(self, started: StartedSession) -> None:
        """Add a start, or the folder of one; a list that cannot be written makes only `rig boxes attach` poorer."""
        line = json.dumps({key: value for key, value in asdict(started).items() if value is not None})
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            append_atomic(self._path, line.encode() + b"\n")

    def newest(self) -> list[StartedSession]:
        """Return the last start of each box on this computer, in the order of the starts."""
        found: dict[str, StartedSession] = {}
        for each in self._lines():
            known = found.get(each.box)
            if known is not None and (known.pid, known.at) == (each.pid, each.at):
                found[each.box] = replace(known, folder=each.folder)
            else:
                found.pop(each.box, None)
                found[each.box] = each
        return list(found.values())

    def _lines(self) -> Iterator[StartedSession]:
        try:
            with self._path.open("rb") as file:
                file.seek(max(0, os.fstat(file.fileno()).st_size - _LARGEST_BYTES))
                raw = file.read()
        except OSError:
            return
        for line in raw.split(b"\n"):
            with suppress(ValueError, TypeError):  # half a line, or one of a later version
                found: Any = json.loads(line)
                started = StartedSession(**found)
                if started.host == this_computer():
                    yield started
