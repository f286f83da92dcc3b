"""Sessions in real time: a simulated board, a real window, and a finger that Qt makes."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from typing import Any
from unittest.mock import patch

import pytest

from rig.boards import driver_lookup
from rig.boards.driver_lookup import Connection, make_board
from rig.core.journal.codec import parse_line
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import HealthLine, SessionLine
from rig.core.model.events import Fault, FrameShown, Hover, Touch
from rig.core.model.rig_spec import SimulationOptions
from rig.core.model.touch_filter import TouchDebouncer
from rig.core.task.task import Task
from rig.records.journal.read import L, of_kind, rows_of
from rig.screen.board_with_screen import BoardWithScreen
from rig.screen.window_screen import WindowScreen
from rig.session import replay
from rig.session.run.session import Session
from sim_hardware.driver import SimDriver, SimRig
from tests.peck_helpers import RING, Hovering, Pecking, screen_rig
from tests.recording_observer import RecordingObserver
from tests.screen_tools import PECKING_WINDOW
from tests.session_specs import task_spec

pytestmark = pytest.mark.real_time


def run(
    moves: list[list[Any]],
    session_s: float,
    on_row: Callable[[Session], None] | None = None,
    task: type[Task[Any, Any, Any]] = Pecking,
) -> list[SessionLine]:
    """Run a session before a real window; its journal, which a replay must agree with.

    ``on_row`` is called when the first peck is on record.
    """
    script = task_spec(task, stop={"session_s": session_s}, rig=screen_rig())
    raw: list[bytes] = []
    command = (sys.executable, str(PECKING_WINDOW), json.dumps(moves))

    async def main() -> None:
        rig = SimRig(script.plan, SimulationOptions("keyboard", seed=1))
        connection = Connection(rig.transport)
        observer = RecordingObserver()
        session = Session(
            script,
            Journal(raw.append),
            lambda inbox: make_board(SimDriver(), connection, script.plan, inbox, 1),
            observer=observer,
        )
        if on_row is not None:
            observer.at_row = lambda row: on_row(session)
        await session.run()

    with patch.object(driver_lookup, "WindowScreen", partial(WindowScreen, command=command)):
        asyncio.run(main())
    lines = [parse_line(line[:-1])[1] for line in raw]
    with patch.object(replay, "spec_of_header", lambda header, *code: script):
        assert replay.replay_lines(lines)[1] is None
    return lines


def of(lines: list[SessionLine], kind: type[L]) -> list[L]:
    return list(of_kind(lines, kind))


def test_a_session_before_a_real_window_has_every_contact_on_target_or_off_and_ends_whole(xvfb: None) -> None:
    off, disk2 = (5, 5), (505, 390)  # pixels of the ring on a screen of 26.2 pixels a cm
    lines = run([[50, "tap", *disk2], [80, "tap", *off], [80, "tap", *disk2], [5, "tap", *disk2], [5, "tap", *off]], 6)
    downs = [line for line in of(lines, Touch) if line.phase == "down"]
    assert [line.on for line in downs] == ["disk2", "", "disk2", "disk2", ""]
    assert len(of(lines, Touch)) == 10
    pecks = TouchDebouncer(50_000, 1.0)  # how fast the finger really was, the machine decides
    assert [line.peck for line in downs] == [pecks.accept(d.raw_us, d.x_cm, d.y_cm) for d in downs]
    assert [row["on"] for row in rows_of(lines)] == [line.on for line in downs if line.peck]
    (shown,) = of(lines, FrameShown)
    assert (shown.scene, shown.frame) == (RING.id, 1)
    assert 0 <= shown.t_us < downs[0].t_us < 6_000_000
    assert all(20_000 <= line.uncertainty_us < 40_000 for line in downs)
    assert (lines[-1].reason, lines[-1].complete) == ("time_limit", True)
    (health,) = of(lines, HealthLine)
    assert health.counters["screen_contacts"] == 10


def test_a_session_reads_what_the_pointer_of_a_mouse_is_over_and_replays_it(xvfb: None) -> None:
    over = [(405, 290), (505, 390), (507, 392), (10, 10)]  # disk 0, disk 2 twice, beside all
    lines = run([[100, "hover", *place] for place in over], 6, task=Hovering)
    assert [line.on for line in of(lines, Hover)] == ["disk0", "disk2", ""]
    assert [row["on"] for row in rows_of(lines)] == ["disk0 disk0", "disk2 disk2", " "]
    assert {line.frame for line in of(lines, Hover)} == {1}
    assert lines[-1].reason == "time_limit"


def test_a_session_whose_stimulus_process_is_killed_stops_safely_with_nothing_lost(offscreen: None) -> None:
    def kill(session: Session) -> None:
        assert isinstance(session.board, BoardWithScreen)
        os.kill(session.board._screen._started[0].pid, signal.SIGKILL)

    lines = run([[50, "tap", 505, 390]], 30, on_row=kill)
    (fault,) = of(lines, Fault)
    assert (fault.what, fault.detail) == ("screen", "the stimulus process has ended (by signal 9)")
    assert [row["on"] for row in rows_of(lines)] == ["disk2"]
    assert (lines[-1].reason, lines[-1].complete) == ("fault", True)
    assert lines[-1].t_us < 20_000_000
