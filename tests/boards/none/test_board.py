"""A rig without a board: the computer's clock times its session, and nothing can be wired."""

import asyncio
from typing import Any
from unittest.mock import patch

import pytest

from rig.boards.none.board import NoBoard
from rig.boards.none.driver import NoBoardDriver
from rig.config import rig_file_model
from rig.config.errors.errors import ConfigIssue
from rig.core.clock import running
from rig.core.engine.inbox import Inbox
from rig.core.errors import ConfigError, OrderRefusedError, RecordError
from rig.core.journal.codec import parse_line
from rig.core.journal.header import Footer
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import Note
from rig.core.model.actions import Set
from rig.core.model.board import Input, Wiring
from rig.core.model.channels import Role
from rig.core.model.events import BoardTime, Touch
from rig.core.model.rig_spec import BoardSpec, RigSpec, SimulationOptions
from rig.devices.kinds import installed_kinds
from rig.records.journal.read import of_kind, rows_of
from rig.screen.board_with_screen import BoardWithScreen
from rig.session import replay
from rig.session.run.session import Session
from rig.session.spec.compatibility import check_rig, find_rig_driver
from rig.session.spec.read_rig import Rig, rig_spec_of
from sim_hardware import loop
from sim_hardware.world.screen import SimScreen
from sim_hardware.world.world import World
from tests.peck_helpers import RING, Pecking
from tests.session_specs import task_spec


def screen_alone(**parts: Any) -> Rig:
    described = {"screen": {"px_per_cm": 26.2, "pointer": "mouse"}, **parts}
    return Rig("alone", rig_file_model(installed_kinds()).model_validate(described), {}, ())


def mistakes(rig: Rig, driver: str | None = None) -> list[str]:
    # Not by the entry point: it is the driver under test that says what it lacks.
    with patch("rig.session.spec.compatibility.find_driver", lambda word: NoBoardDriver()):
        return [each.text for each in check_rig(rig, driver) if isinstance(each, ConfigIssue)]


def test_a_rig_file_may_have_a_screen_alone() -> None:
    rig = screen_alone()
    assert (rig_spec_of(rig).board.driver, rig_spec_of(rig).wiring.channels) == ("none", ())
    assert mistakes(rig) == []
    assert find_rig_driver(rig, "sim") is not None


def test_a_device_with_a_pin_on_a_rig_without_a_board_is_a_mistake_that_says_what_to_add() -> None:
    rig = screen_alone(devices={"beep": {"kind": "speaker", "pin": 10}})
    assert mistakes(rig) == [
        "is wired to a board, and this rig has none: add one, such as boards: {uno: {driver: serial}}"
    ]


def test_it_lives_in_real_time_and_opens_no_port() -> None:
    driver = NoBoardDriver()
    assert (driver.has_board, driver.records, driver.accepts_models) == (False, "real", False)
    with pytest.raises(ConfigError, match="real time"):
        driver.loop(10.0)
    loop = driver.loop(None)
    loop.close()
    plan = RigSpec("alone", BoardSpec("computer", "none"), Wiring(()))
    transport = driver.connect(plan, SimulationOptions()).transport
    transport.start(lambda data: None, lambda why: None)
    transport.write(b"dropped")
    transport.close()


async def test_what_is_wired_and_what_is_ordered_is_refused() -> None:
    board = NoBoard(running(), Inbox(Journal(lambda line: None)))
    with pytest.raises(OrderRefusedError, match=r"left: there is no board"):
        await board.open(Wiring((Input("left", Role.LINE, 2),)))
    await board.open(Wiring(()))
    with pytest.raises(OrderRefusedError, match="there is no board that could do it"):
        board.batch([Set("light", True)], 0, 0, 1)


async def test_the_time_that_it_answers_is_later_than_the_deadline_and_the_last_question_counts() -> None:
    inbox = Inbox(Journal(lambda line: None))
    board = NoBoard(running(), inbox)
    await asyncio.sleep(3)
    await board.open(Wiring((), start_us=7_000_000))
    assert board.estimate_us() == (7_000_000, 0)
    board.batch([], 0, 0, 1)
    board.ask_time(7_500_000)
    board.ask_time(8_000_000)
    await asyncio.sleep(1.5)
    board.ask_time(0)
    await asyncio.sleep(0.1)
    board.ask_time(9_000_000)
    board.ask_time(None)
    board.all_off()
    board.ask_time(0)
    await asyncio.sleep(5)
    assert [event for event in inbox.events if isinstance(event, BoardTime)] == [
        BoardTime(8_000_001, 1, 1),
        BoardTime(8_500_000, 1, 2),
    ]


async def test_a_journal_that_cannot_be_written_stops_the_reader_and_the_close_says_so() -> None:
    lines: list[bytes] = []

    def append(line: bytes) -> None:
        if len(lines) == 1:
            raise RecordError("the disk is full")
        lines.append(line)

    inbox = Inbox(Journal(append))
    board = NoBoard(running(), inbox)
    await board.open(Wiring(()))
    board.ask_time(10)
    await asyncio.sleep(1)
    assert not (await board.close()).complete
    assert inbox.journal_failed


def test_a_session_before_a_screen_alone_is_timed_by_the_computer_and_replays_exactly() -> None:
    spec = task_spec(Pecking, stop={"session_s": 5, "idle_stop_s": None}, rig=screen_alone())
    raw: list[bytes] = []

    async def story() -> None:
        assert spec.plan.screen is not None
        screen = SimScreen(spec.plan.screen, World(spec.plan, lambda: 0), running())
        disk2 = RING.item("disk2")
        assert disk2 is not None
        for t_s in (1.0, 2.5):
            running().call_at(t_s, screen.press, disk2.x_cm, disk2.y_cm)
        plan_screen = spec.plan.screen
        await Session(
            spec,
            Journal(raw.append),
            lambda inbox: BoardWithScreen(NoBoard(running(), inbox), screen, plan_screen, inbox, running()),
        ).run()

    loop.run(story())
    lines = [parse_line(line[:-1])[1] for line in raw]
    assert [row["on"] for row in rows_of(lines)] == ["disk2", "disk2"]
    assert [touch.t_us for touch in of_kind(lines, Touch)] == [1_000_000, 2_500_000]
    assert next(note for note in of_kind(lines, Note) if note.what == "timing").fields["deadline"] == "host"
    (footer,) = of_kind(lines, Footer)
    assert (footer.reason, footer.complete) == ("time_limit", True)
    assert 5_000_000 <= footer.t_us <= 5_000_100
    with patch.object(replay, "spec_of_header", lambda header, *code: spec):
        assert replay.replay_lines(lines)[1] is None
