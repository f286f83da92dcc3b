"""Timed session with a real window on an X server without a monitor, touched by synthetic Qt events."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.loop_lateness import Histogram, probe
from rig.boards import driver_lookup
from rig.boards.driver_lookup import Connection, make_board
from rig.core.engine.observer import Observers, SessionObserver
from rig.core.journal.journal import Journal
from rig.core.model.board import BoardInfo
from rig.core.model.events import Touch
from rig.core.model.rig_spec import SimulationOptions
from rig.core.model.rows import Row
from rig.core.model.scene import Scene
from rig.core.task.states import Next, state
from rig.core.task.task import Task, TaskParams
from rig.records.journal.read import iter_lines
from rig.screen.board_with_screen import BoardWithScreen
from rig.screen.window_screen import WindowScreen
from rig.session.run.cpu_latency import KeepCpuAwake
from rig.session.run.gc_control import GcPaused
from rig.session.run.journal_file import Recorder
from rig.session.run.session import Session
from sim_hardware.driver import SimDriver, SimRig
from tests.peck_helpers import RING, Chamber, screen_rig
from tests.screen.places import place_of
from tests.screen_tools import PECKING_WINDOW, display, need_screen_tools
from tests.session_specs import task_spec

FRAME_MS = 1000 / 60
EVERY_S = 10.0
CHANGES = 10
"""Pecks per scene change."""
LESS = Scene(items=RING.items[1:], hit_margin_cm=RING.hit_margin_cm)


class Flicker(Task[TaskParams, Chamber, Row]):
    """Task that reads every touch and shows or removes a disk every ``CHANGES`` pecks."""

    @state(to=("watch",), can_end=True)
    async def watch(self) -> Next:
        """Read touches until the session ends."""
        screen, pictures = self.box.screen, [RING, LESS]
        screen.show(RING)
        pecks = 0
        while True:
            await self.first(screen.touched)
            pecks += 1
            if pecks % CHANGES == 0:
                pictures.reverse()
                screen.show(pictures[0])


@dataclass
class Timed:
    """Results in milliseconds and megabytes."""

    touch_ms: Histogram = field(default_factory=Histogram)
    down_ms: Histogram = field(default_factory=Histogram)
    """Of the touches those that begin: the simulated finger leaves the screen while the task still answers."""
    frame_ms: Histogram = field(default_factory=Histogram)
    answer_ms: Histogram = field(default_factory=Histogram)
    """From a touch to the painted frame that answers it."""
    scene_bytes: int = 0
    """Bytes of all scenes in the journal but the first."""
    late_ms: Histogram = field(default_factory=Histogram)
    idle_ms: tuple[float, ...] = ()
    """Lateness of an idle process at the same time, median and p99: the share of the machine and other programs."""
    session_mb: list[float] = field(default_factory=list)
    window_mb: list[float] = field(default_factory=list)
    lost: int = 0
    reason: str = ""


class _Clocked:
    """Journal writer that measures the time when each line is written."""

    def __init__(self, recorder: Recorder, timed: Timed) -> None:
        self._recorder = recorder
        self._timed = timed
        self._ordered_s = 0.0
        self._down_us = self._answered_us = 0
        self._scenes = 0

    def append(self, line: bytes) -> None:
        self._recorder.append(line)
        now_s = asyncio.get_running_loop().time()
        if b'"k":"touch"' in line:
            touch = json.loads(line)
            took_ms = now_s * 1e3 - touch["raw_us"] / 1e3
            self._timed.touch_ms.add(took_ms)
            if touch["phase"] == "down":
                self._timed.down_ms.add(took_ms)
                self._down_us = touch["raw_us"]
        elif b'"do":"show"' in line:
            self._ordered_s, self._answered_us = now_s, self._down_us
        elif b'"k":"scene"' in line:
            self._timed.scene_bytes += len(line) if self._scenes else 0
            self._scenes += 1
        elif b'"k":"frame_shown"' in line:
            shown_us = json.loads(line)["raw_us"]
            self._timed.frame_ms.add(shown_us / 1e3 - self._ordered_s * 1e3)
            if self._answered_us:
                self._timed.answer_ms.add((shown_us - self._answered_us) / 1e3)


class _Opening(SessionObserver):
    """Observer that calls a function when the session is open."""

    def __init__(self, begin: Callable[[], object]) -> None:
        self._begin = begin

    def on_opened(self, opened: BoardInfo) -> None:
        self._begin()


def run(touches: int, per_s: float, folder: Path, task: type[Task[Any, Any, Any]] = Flicker) -> Timed:
    """Run a session of a task with a number of touches at a rate; return its times."""
    need_screen_tools()
    timed = Timed()
    command = (sys.executable, str(PECKING_WINDOW), json.dumps([[500, "taps", touches, per_s]]))
    script = task_spec(task, stop={"session_s": touches / per_s + 3, "idle_stop_s": None}, rig=screen_rig())

    async def main() -> None:
        rig = SimRig(script.plan, SimulationOptions("keyboard", seed=1))
        connection = Connection(rig.transport)
        recorder = Recorder(folder, synced=True)
        journal = Journal(_Clocked(recorder, timed).append)
        probing: list[asyncio.Task[None]] = []
        quiet = GcPaused()
        session = Session(
            script,
            journal,
            lambda inbox: make_board(SimDriver(), connection, script.plan, inbox, 1),
            observer=Observers(quiet, _Opening(lambda: probing.append(asyncio.create_task(look())))),
        )

        async def look() -> None:
            await probe(timed.late_ms, _Scales(timed, session).look)

        with KeepCpuAwake(), quiet:
            outcome = await session.run()
        probing[0].cancel()
        await asyncio.gather(*probing, return_exceptions=True)
        recorder.close()
        timed.reason = outcome.reason

    window = patch.object(driver_lookup, "WindowScreen", partial(WindowScreen, command=command))
    with display() as name, patch.dict(os.environ, {"DISPLAY": name, "QT_QPA_PLATFORM": "xcb"}), window:
        idle = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.loop_lateness", str(touches / per_s)], stdout=subprocess.PIPE, text=True
        )
        asyncio.run(main())
        timed.idle_ms = tuple(map(float, idle.communicate()[0].split()))
    timed.lost = _lost(folder / "journal.jsonl", touches)
    return timed


class _Scales:
    """Record the memory of the session's process and of the window's every 10 s."""

    def __init__(self, timed: Timed, session: Session) -> None:
        self._timed = timed
        self._session = session
        self._next_s = 0.0

    def look(self, now_s: float) -> None:
        if now_s >= self._next_s:
            self._next_s = now_s + EVERY_S
            self._timed.session_mb.append(_resident_mb("self"))
            self._timed.window_mb.append(_resident_mb(str(_window_pid(self._session))))


def _window_pid(session: Session) -> int:
    board = session.board
    screen = board._screen if isinstance(board, BoardWithScreen) else None  # noqa: SLF001
    started = screen._started if isinstance(screen, WindowScreen) else None  # noqa: SLF001
    return os.getpid() if started is None else started[0].pid


def _resident_mb(process: str) -> float:
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1024


def _lost(journal: Path, touches: int) -> int:
    """Return the number of contacts that are not in the journal at their position and in their order."""
    wanted = ((phase, *map(float, place_of(tap))) for tap in range(touches) for phase in ("down", "up"))
    found = _contacts(journal)
    return sum(next(found, None) != contact for contact in wanted)


def _contacts(journal: Path) -> Iterator[tuple[str, float, float]]:
    return ((line.phase, line.x_px, line.y_px) for line in iter_lines(journal, Touch) if isinstance(line, Touch))
