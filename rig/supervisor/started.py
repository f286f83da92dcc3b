"""The list of the sessions that supervisors have started: how `rig boxes attach` finds them, also those that ended.

``<data>/.boxes/started.jsonl`` has a line for each start. The session adds a line with the folder of its records, which
is so found also if its supervisor has died. The lines are facts about this computer; no record depends on them.
"""

from __future__ import annotations

import datetime
import json
import os
import socket
from collections.abc import Mapping
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
    """Its records; None before it has any."""
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
        """Add a start; a list that cannot be written makes only `rig boxes attach` poorer."""
        self._append(asdict(started))

    def add_folder(self, pid: int, mark: str, folder: Path) -> None:
        """Add the folder of the records of a session, which is that of a process."""
        self._append({"of": [this_computer(), pid, mark], "folder": str(folder.absolute())})

    def _append(self, fields: Mapping[str, Any]) -> None:
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            append_atomic(self._path, json.dumps(fields).encode() + b"\n")

    def folder_of(self, started: StartedSession) -> str | None:
        """Return the folder of a session's records; None before it has any."""
        return next((each.folder for each in self.newest() if replace(each, folder=None) == started), None)

    def newest(self) -> list[StartedSession]:
        """Return the last start of each box on this computer, in the order of the starts."""
        found: dict[str, StartedSession] = {}
        folders: dict[tuple[object, ...], str] = {}
        for line in self._lines():
            with suppress(ValueError, TypeError, KeyError):  # half a line, or one of a later version
                fields = json.loads(line)
                if "of" in fields:
                    folders[tuple(fields["of"])] = str(fields["folder"])
                    continue
                started = StartedSession(**fields)
                if started.host == this_computer():
                    found.pop(started.box, None)
                    found[started.box] = started
        return [replace(each, folder=folders.get((each.host, each.pid, each.mark))) for each in found.values()]

    def _lines(self) -> list[bytes]:
        try:
            with self._path.open("rb") as file:
                file.seek(max(0, os.fstat(file.fileno()).st_size - _LARGEST_BYTES))
                raw = file.read()
        except OSError:
            return []
        return raw.split(b"\n")
