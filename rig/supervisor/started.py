"""The list of the sessions that supervisors have started: how `rig session attach` finds them, also those that ended.

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

from rig.platform.processes import is_running
from rig.system.atomic_files import append_atomic
from rig.terminal.format import pluralize

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
        """Add a start; a list that cannot be written makes only `rig session attach` poorer."""
        self._append(asdict(started))

    def add_folder(self, pid: int, mark: str, folder: Path) -> None:
        """Add the folder of the records of a session, which is that of a process."""
        self._append({"of": [this_computer(), pid, mark], "folder": str(folder.absolute())})

    def _append(self, fields: Mapping[str, object]) -> None:
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            append_atomic(self._path, json.dumps(fields).encode() + b"\n")

    def folder_of(self, started: StartedSession) -> str | None:
        """Return the folder of a session's records; None before it has any."""
        return next((each.folder for each in self.newest() if replace(each, folder=None) == started), None)

    def newest(self) -> list[StartedSession]:
        """Return the last start of each box on this computer, in the order of the starts.

        A session that still runs hides a later start of its box: that one was refused.
        """
        found: dict[str, StartedSession] = {}
        folders: dict[tuple[object, ...], str] = {}
        for line in map(_parsed, self._lines()):
            if isinstance(line, StartedSession) and line.host == this_computer():
                before = found.pop(line.box, None)
                found[line.box] = line if before is None or not is_running(before.pid, before.mark) else before
            elif isinstance(line, tuple):
                folders[line[0]] = line[1]
        return [replace(each, folder=folders.get((each.host, each.pid, each.mark))) for each in found.values()]

    def warning(self) -> str | None:
        """Return how many lines of the list are passed over because they cannot be read; None without one."""
        bad = sum(_parsed(line) is None for line in self._lines())
        return f"{self._path}: {pluralize(bad, 'line')} cannot be read, and passed over" if bad else None

    def _lines(self) -> list[bytes]:
        try:
            with self._path.open("rb") as file:
                start = max(0, os.fstat(file.fileno()).st_size - _LARGEST_BYTES)
                file.seek(start)
                raw = file.read()
        except OSError:
            return []
        # The first may be the end of a line, and the last is empty, or half a line of a program that was killed.
        return raw.split(b"\n")[1 if start else 0 : -1]


def _parsed(line: bytes) -> StartedSession | tuple[tuple[object, ...], str] | None:
    """Return a start, or a process and its folder; None of what is neither."""
    try:
        fields = json.loads(line)
        if "of" in fields:
            host, pid, mark = fields["of"]
            return (str(host), int(pid), str(mark)), str(fields["folder"])
        started = StartedSession(**fields)
        began = datetime.datetime.fromisoformat(started.at)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    texts = (started.box, started.subject, started.log, started.host, started.mark)
    is_right = type(started.pid) is int and started.pid > 0 and all(isinstance(text, str) for text in texts)
    return started if is_right and began.tzinfo is None else None
