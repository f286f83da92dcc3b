"""The leads, the jumper and the cable of a served rig, moved by lines of text."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rig.boards.serial.board import SerialBoard
from rig.core.engine.inbox import Inbox
from rig.core.errors import ConfigError
from rig.core.model.actions import Set
from rig.core.model.events import Edge, Fault
from sim_hardware.avr.leads import HELP
from sim_hardware.avr.serve import BoardServer
from tests.sim_hardware.avr.test_serve import host, on, server, visits  # noqa: F401
from tests.tables import rows

pytestmark = pytest.mark.real_time


@pytest.fixture
def still(server: BoardServer, monkeypatch: pytest.MonkeyPatch) -> BoardServer:  # noqa: F811
    """The server without a subject: only the leads move."""
    monkeypatch.setattr(server, "_life", lambda rig: None)
    return server


async def until(holds: Callable[[], object]) -> None:
    """Wait until something holds; a busy computer may take seconds."""
    end = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < end
        await asyncio.sleep(0.02)


def faults_of(inbox: Inbox) -> list[Fault]:
    return [event for event in inbox.events if isinstance(event, Fault)]


def edges_while(server: BoardServer, *lines: str) -> list[tuple[str, int]]:  # noqa: F811
    async def story(board: SerialBoard, inbox: Inbox) -> list[tuple[str, int]]:
        for count, line in enumerate(lines, 1):
            await asyncio.to_thread(server.move_leads, line)
            await until(lambda count=count: sum(isinstance(event, Edge) for event in inbox.events) >= count)
        await board.close()
        return [(event.channel, event.level) for event in inbox.events if isinstance(event, Edge)]

    found: list[tuple[str, int]] = host(server, story)
    return found


def test_a_beam_is_broken_and_cleared(still: BoardServer) -> None:
    assert edges_while(still, "break left", "clear left") == [("left.beam", 1), ("left.beam", 0)]


def test_what_was_on_is_seen_once(still: BoardServer) -> None:
    async def story(board: SerialBoard, inbox: Inbox) -> None:
        board.batch([Set("center.light", True)], 0, 0, 1)
        await until(lambda: on(still))
        await board.close()

    still.move_leads("seen")
    host(still, story)
    assert still.move_leads("seen") == "on: center.light"
    assert still.move_leads("seen") == "on: nothing"


def test_a_cable_is_pulled_and_plugged_and_neither_is_done_twice(still: BoardServer) -> None:
    for line, is_there in (("unplug", False), ("unplug", False), ("plug", True), ("plug", True)):
        still.move_leads(line)
        assert Path(still.name).is_symlink() is is_there
    assert edges_while(still, "break left") == [("left.beam", 1)]


def test_with_the_cable_goes_the_power(still: BoardServer) -> None:
    async def story(board: SerialBoard, inbox: Inbox) -> set[str]:
        board.batch([Set("center.light", True)], 0, 0, 1)
        await until(lambda: on(still) == {"center"})
        await asyncio.to_thread(still.move_leads, "unplug power")
        # Not its lease, which is 2 s.
        assert on(still) == set()
        await until(lambda: faults_of(inbox))
        board.abort()
        return {fault.what for fault in faults_of(inbox)}

    assert host(still, story) == {"link_lost"}
    still.move_leads("plug")


def test_the_watchdog_resets_a_program_that_hangs_and_everything_is_off(still: BoardServer) -> None:
    async def story(board: SerialBoard, inbox: Inbox) -> str:
        board.batch([Set("center.light", True)], 0, 0, 1)
        await until(lambda: on(still))
        await asyncio.to_thread(still.move_leads, "hang")
        await until(lambda: not on(still))
        await until(lambda: faults_of(inbox))
        board.abort()
        return faults_of(inbox)[0].detail

    assert "watchdog" in host(still, story).lower()


@rows("line", "why")
def test_a_move_that_cannot_be_is_refused(still: BoardServer, line: str, why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        still.move_leads(line)


def test_a_jumper_over_a_pin_of_the_rig_is_refused_and_help_has_every_move(still: BoardServer) -> None:
    name, pin = still.do(lambda rig: next((each.name, each.pin) for each in rig.world.plan.wiring.channels))
    with pytest.raises(ConfigError, match=f"pin {pin}: belongs to {name}"):
        still.move_leads(f"jumper {pin} 19")
    assert still.move_leads("help") == HELP
    assert still.move_leads("jumper off") == "no jumper"
