"""Boxes whose sessions are played: a journal that the test writes, a process that it ends, a socket that it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rig.core.errors import ConfigError
from rig.supervisor.box import Box
from rig.supervisor.started import StartedSession
from tests.expectations.lines import line
from tests.journal_lines import HEADER, journal_file

STOP = {"session_s": 600, "max_rewards": 40, "max_ul": 100.0, "min_trials": 1}


class FakeAsker:
    """Does each job when the test says so, in the place of a thread."""

    def __init__(self, pid: int, on_change: Callable[[], None] = lambda: None) -> None:
        self.status: Mapping[str, Any] | None = None
        self.is_silent = False
        self.jobs: list[Callable[[], None]] = []
        self.asked: list[Mapping[str, Any]] = []
        self.answer: Mapping[str, Any] | ConfigError = {"ok": True, "text": "done"}
        self.is_closed = False

    def start(self) -> None:
        pass

    @property
    def is_busy(self) -> bool:
        return bool(self.jobs)

    def do(self, job: Callable[[], None]) -> None:
        self.jobs.append(job)

    def run(self) -> None:
        while self.jobs:
            self.jobs[0]()
            del self.jobs[0]

    def ask(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        if request["do"] == "status":
            return {"ok": True, "text": "ready", "sources": ["left", "right"], "paused": False, "pausing": False}
        self.asked.append(request)
        if isinstance(self.answer, ConfigError):
            raise self.answer
        return self.answer

    def close(self) -> None:
        self.is_closed = True


class FakeProcess:
    """A process that ends when the test says so."""

    def __init__(self) -> None:
        self.code: int | None = None

    def poll(self) -> int | None:
        return self.code


class PlayedBox:
    """A box with its played session."""

    def __init__(self, folder: Path, name: str = "box_1", subject: str = "M1") -> None:
        self.folder = folder / name
        self.folder.mkdir()
        self.log = self.folder / "log"
        self.process = FakeProcess()
        self.listed: str | None = None
        self.box = Box(name, subject, folder_of=lambda started: self.listed)
        self.journal = self.folder / "journal.jsonl"
        self._journal = journal_file(self.journal)

    @property
    def asker(self) -> FakeAsker:
        asker: Any = self.box.asker
        return asker

    def begin(self, **values: Any) -> PlayedBox:
        started = StartedSession(self.box.name, self.box.subject, 1, str(self.log), "2026-11-24T09:00:00", **values)
        process: Any = self.process
        self.box.begin(started, process)
        return self

    def run(self, **header: Any) -> PlayedBox:
        """Begin, with a header in the journal and the first state."""
        self.begin()
        self.asker.status = {"ok": True, "folder": str(self.folder)}
        self.write(
            "header",
            **{**HEADER, "stop": STOP, "subject": self.box.subject, "model": None, "columns": ["outcome"], **header},
        )
        self.write("state", name="ready")
        self.box.update()
        return self

    def write(self, kind: str, t_s: float = 0.0, **fields: Any) -> None:
        self._journal.write(line(kind, t_s, **fields))

    def end(self, reason: str = "time_limit", code: int = 0, **fields: Any) -> PlayedBox:
        self.write("footer", 60.0, reason=reason, **fields)
        self.process.code = code
        self.box.update()
        return self

    def panic(self) -> None:
        self.write("panic", 30.0)
        self.box.update()
