"""Asking a board who it is."""

import asyncio
from collections.abc import Callable

import pytest

from rig.boards.identify import identify, opened
from rig.boards.serial.hello import Hello
from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.core.clock import running
from rig.core.errors import BoardNotFoundError, FirmwareMismatchError
from rig.core.model.board import Wiring
from rig.core.model.rig_spec import BoardSpec, RigSpec, SimulationOptions
from sim_hardware.board.board import UID
from sim_hardware.driver import SimRig
from sim_hardware.loop import VirtualLoop

PLAN = RigSpec("bare", BoardSpec("sim", "sim"), Wiring(()))


def greeted(arrange: Callable[[SimRig], object] = lambda rig: None) -> tuple[Hello, SimRig]:
    async def main() -> tuple[Hello, SimRig]:
        rig = SimRig(PLAN, SimulationOptions())
        arrange(rig)
        return await identify(rig.transport, running()), rig

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main())


def test_a_board_says_who_it_is() -> None:
    hello, _ = greeted()
    assert hello.opened.uid == f"{UID:04X}"
    assert hello.opened.limits.channels > 0


def test_no_session_begins_by_it() -> None:
    _, rig = greeted()
    assert rig.board.opened_at == 0


def test_silence_is_said_in_words() -> None:
    with pytest.raises(BoardNotFoundError, match="no board with this program's firmware answered"):
        greeted(lambda rig: setattr(rig.cable.to_board, "deliver", lambda data: None))


def test_a_board_whose_greeting_has_another_length_says_its_version() -> None:
    greeting = frame.encode(bytes((wire.HELLO.code, 200, 1)))
    hello, _ = greeted(
        lambda rig: setattr(rig.cable.to_board, "deliver", lambda data: rig.cable.to_host.send(greeting))
    )
    assert hello.version == 200
    with pytest.raises(
        FirmwareMismatchError, match=f"the board speaks wire version 200, this program version {wire.VERSION}: flash"
    ):
        hello.check_version()


def test_a_cable_that_is_pulled_ends_the_waiting() -> None:
    with pytest.raises(BoardNotFoundError, match="the cable was pulled"):
        greeted(pull)


def pull(rig: SimRig) -> None:
    rig.cable.to_board.deliver = lambda data: None
    running().call_later(0.5, rig.cable.disconnect)


def test_a_port_that_is_not_there_is_named() -> None:
    with pytest.raises(BoardNotFoundError, match="no_such_port: there is no such port"):
        opened("/dev/no_such_port", 500_000)
