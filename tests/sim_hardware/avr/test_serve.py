"""The firmware at a serial port, in real time: opened, pulled, plugged in again and stalled as a person meets it."""

import asyncio
import itertools
import os
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from protocols.free_water.task import FreeWater
from rig.boards.driver_lookup import ServedPlace
from rig.boards.serial.board import SerialBoard
from rig.boards.serial.driver import SerialDriver, opened
from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.core.clock import running
from rig.core.engine.inbox import Inbox
from rig.core.errors import BoardNotFoundError
from rig.core.journal.header import Footer
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import FAULTS, AllOffDone, OutputDone
from rig.core.model.actions import Set, Train
from rig.core.model.events import Edge, Fault, LeaseExpired
from rig.core.model.rig_spec import BoardSpec, SimulationOptions
from rig.session.run.footer import Outcome
from rig.session.run.session import Session
from rig.system.tcp_address import LOOPBACK, TcpAddress
from sim_hardware.avr.rig import AvrRig
from sim_hardware.avr.serve import BoardServer
from tests.journal_lines import read_line
from tests.session_specs import task_spec

pytestmark = pytest.mark.real_time

SCRIPT = task_spec(FreeWater, stop={"session_s": 3})
PLAN = SCRIPT.plan
NONCES = itertools.count(1)
"""No two sessions have the same: who opens again before the server has seen it closed does not reset the board."""


def visits(rig: AvrRig) -> Callable[[], Coroutine[Any, Any, None]]:
    """Come to a port again and again."""

    async def live() -> None:
        while True:
            for place in ("left", "right"):
                await rig.body.wait(0.2)
                rig.body.enter(place)
                await rig.body.wait(0.1)
                rig.body.leave(place)

    return live


@contextmanager
def serving(place: ServedPlace) -> Iterator[BoardServer]:
    with BoardServer(lambda on_open: AvrRig(PLAN, SimulationOptions(), on_open=on_open), visits, place) as server:
        server.do(lambda rig: setattr(rig.world, "trace", []))
        time.sleep(0.1)  # it has booted
        yield server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[BoardServer]:
    with serving(ServedPlace(tmp_path / "ttyAVR")) as it:
        yield it


@pytest.fixture(params=["terminal", "tcp"])
def either(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[BoardServer]:
    """A server at either kind of port."""
    terminal, tcp = ServedPlace(tmp_path / "ttyAVR"), ServedPlace(tcp=TcpAddress(LOOPBACK, 0))
    with serving(terminal if request.param == "terminal" else tcp) as it:
        yield it


def host(server: BoardServer, story: Callable[[SerialBoard, Inbox], Awaitable[Any]]) -> Any:
    """Open the port as a session does, and tell a story."""
    port = BoardSpec("here", "serial", port=server.name)

    async def main() -> Any:
        connection = SerialDriver().connect(PLAN.__class__("small", port, PLAN.wiring), SimulationOptions())
        inbox = Inbox(Journal(lambda line: None))
        board = SerialBoard(connection.transport, running(), inbox, nonce=next(NONCES))
        await board.open(PLAN.wiring)
        return await story(board, inbox)

    with asyncio.Runner(loop_factory=lambda: SerialDriver().loop(None)) as runner:
        return runner.run(asyncio.wait_for(main(), 30))


def on(server: BoardServer) -> set[str]:
    return {place for place, lit in server.do(lambda rig: dict(rig.world.lights)).items() if lit}


def test_a_board_at_a_port_is_opened_used_and_opened_again(either: BoardServer) -> None:
    async def story(board: SerialBoard, inbox: Inbox) -> int:
        board.batch([Set("center.light", True)], 0, 0, 1)
        await asyncio.sleep(1.0)
        assert on(either) == {"center"}
        assert (await board.close()).complete
        return sum(isinstance(event, Edge) for event in inbox.events)

    assert host(either, story) > 2
    resets = either.do(lambda rig: rig.board.resets)
    assert host(either, story) > 2
    # At both ends of the time for which the chip is held in reset.
    assert either.do(lambda rig: rig.board.resets) == resets + 2


def test_a_busy_computer_does_not_change_what_a_valve_gives(either: BoardServer) -> None:
    async def story(board: SerialBoard, inbox: Inbox) -> None:
        board.batch([Train("left.valve", 40_000, 200_000, 3)], 0, 0, 1)
        for _ in range(5):
            # Longer than the opening: the either handles both of its ends at once.
            await asyncio.to_thread(either.do, lambda rig: time.sleep(0.15))
        await asyncio.sleep(0.3)
        await board.close()

    either.do(lambda rig: rig.world.uncollected_rewards.clear())
    either.do(lambda rig: setattr(rig.body, "consume", lambda place: 0.0))
    host(either, story)
    expected = 3 * PLAN.ul_of["left.valve"](40_000)
    assert either.do(lambda rig: rig.world.uncollected_rewards["left"]) == pytest.approx(expected, rel=1e-3)


def test_a_cable_that_is_pulled_is_a_fault_and_the_lease_turns_everything_off(either: BoardServer) -> None:
    async def story(board: SerialBoard, inbox: Inbox) -> list[str]:
        board.batch([Set("center.light", True)], 0, 0, 1)
        await asyncio.sleep(0.3)
        await asyncio.to_thread(either.unplug)
        await asyncio.sleep(0.3)
        board.abort()
        return [event.what for event in inbox.events if isinstance(event, Fault)]

    assert host(either, story) == ["link_lost"]
    assert on(either) == {"center"}
    time.sleep(2.5)
    assert on(either) == set()
    either.plug()

    async def again(board: SerialBoard, inbox: Inbox) -> bool:
        return (await board.close()).complete

    assert host(either, again) is True


def test_what_an_unplugged_board_says_reaches_no_other_file(
    server: BoardServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[int] = []
    write = os.write

    def counted(file: int, data: bytes) -> int:
        written.append(file)
        return write(file, data)

    async def story(board: SerialBoard, inbox: Inbox) -> None:
        await asyncio.to_thread(server.unplug)
        with monkeypatch.context() as here:
            here.setattr("sim_hardware.avr.terminal_port.os.write", counted)
            await asyncio.sleep(1.0)
        board.abort()

    host(server, story)
    assert 0 not in written


def test_a_port_that_takes_nothing_for_a_while_loses_no_order(either: BoardServer) -> None:
    async def story(board: SerialBoard, inbox: Inbox) -> bool:
        await asyncio.to_thread(either.stall, True)
        board.batch([Set("center.light", True)], 0, 0, 1)
        await asyncio.sleep(0.5)
        assert on(either) == set()
        await asyncio.to_thread(either.stall, False)
        await asyncio.sleep(0.5)
        assert on(either) == {"center"}
        return (await board.close()).complete

    assert host(either, story) is True


def test_a_host_that_reads_nothing_for_a_while_has_every_edge_afterwards(either: BoardServer) -> None:
    async def story(board: SerialBoard, inbox: Inbox) -> list[int]:
        await asyncio.sleep(0.3)
        time.sleep(1.2)  # noqa: ASYNC251 - the whole program stands still, as under a heavy computer
        await asyncio.sleep(0.5)
        assert (await board.close()).complete
        assert not any(isinstance(event, Fault | LeaseExpired) for event in inbox.events)
        return [event.number for event in inbox.events if isinstance(event, Edge)]

    numbers = host(either, story)
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= 8


def test_a_port_that_somebody_has_is_nobody_elses(server: BoardServer) -> None:
    async def story(board: SerialBoard, inbox: Inbox) -> bool:
        with pytest.raises(BoardNotFoundError, match="busy"):
            opened(server.name, 500_000)
        return (await board.close()).complete

    assert host(server, story) is True


def hello_answers(port: int) -> list[int]:
    """Read what waits at the port: of each HELLO, whether the host had asked for it."""
    deframer = frame.Deframer()
    messages: list[bytes] = []
    time.sleep(0.3)
    with suppress(BlockingIOError):
        while True:
            messages += deframer.feed(os.read(port, 4096))
    hellos = [wire.HELLO.size.unpack(message) for message in messages if message[0] == wire.HELLO.code]
    asked = [name for name, _ in wire.HELLO.layout].index("solicited") + 1
    return [hello[asked] for hello in hellos]


def test_an_answer_that_comes_after_a_close_does_not_wait_for_the_next_program(server: BoardServer) -> None:
    question = frame.encode(wire.GET_HELLO.pack())
    port = os.open(server.name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    assert hello_answers(port) == [0]
    os.close(port)
    time.sleep(0.1)
    server.do(lambda rig: rig.transport.write(question))
    time.sleep(0.1)
    port = os.open(server.name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    assert hello_answers(port) == [0], "only the one of the reset that this opening has caused"
    os.close(port)


def acknowledged(server: BoardServer) -> list[int]:
    """Listen on the cable: which event the host says it has on record, each time that it says so."""
    heard: list[int] = []
    deframer = frame.Deframer()

    def listen(rig: AvrRig) -> None:
        write = rig.transport.write

        def overhear(data: bytes) -> None:
            for payload in deframer.feed(data):
                code, *values = wire.unpack(payload, wire.TO_BOARD) or (0,)
                names = [name for name, _ in wire.TO_BOARD[code].layout]
                if "heard" in names:
                    heard.append(values[names.index("heard")])
            write(data)

        rig.transport.write = overhear  # type: ignore[method-assign]

    server.do(listen)
    return heard


def run_session(server: BoardServer, *, unplug_after_s: float | None = None) -> tuple[list[bytes], Outcome]:
    raw: list[bytes] = []
    port = BoardSpec("here", "serial", port=server.name)

    async def main() -> Outcome:
        transport = SerialDriver().connect(PLAN.__class__("small", port, PLAN.wiring), SimulationOptions()).transport
        session = Session(SCRIPT, Journal(raw.append), lambda inbox: SerialBoard(transport, running(), inbox))
        if unplug_after_s is not None:
            running().call_later(unplug_after_s, server.unplug)
        return await session.run(None)

    with asyncio.Runner(loop_factory=lambda: SerialDriver().loop(None)) as runner:
        return raw, runner.run(asyncio.wait_for(main(), 60))


def test_a_whole_session_over_the_port_pays_its_drops(either: BoardServer) -> None:
    raw, outcome = run_session(either)
    assert outcome.reason == "time_limit"
    assert b'"k":"footer"' in raw[-1]
    assert b'"complete":true' in raw[-1]
    openings = [value for _, name, value in either.do(lambda rig: list(rig.world.trace or ())) if "valve" in name]
    assert openings.count(1) >= 3
    assert openings.count(1) == openings.count(0)


def test_a_session_whose_cable_is_pulled_ends_with_the_link_and_a_whole_journal(either: BoardServer) -> None:
    heard = acknowledged(either)
    raw, outcome = run_session(either, unplug_after_s=1.2)
    assert (outcome.reason, "cable" in outcome.detail) == ("fault", True)
    lines = [read_line(line) for line in raw]
    assert [line.what for line in lines if isinstance(line, FAULTS)] == ["link_lost"]
    events = [line for line in lines if hasattr(line, "number") or isinstance(line, (OutputDone, AllOffDone))]
    assert all(getattr(line, "number", place) == place for place, line in enumerate(events, 1))
    assert len(events) >= max(heard) >= 2
    footer = lines[-1]
    assert isinstance(footer, Footer)
    assert (footer.reason, footer.complete) == ("fault", False)
    assert footer.last_event >= max(heard)
    time.sleep(2.5)
    assert on(either) == set()
    trace = either.do(lambda rig: list(rig.world.trace or ()))
    valves = {name: value for _, name, value in trace if "valve" in name}
    assert set(valves.values()) == {0}


def test_every_session_finds_the_subject_at_its_beginning_and_no_beam_broken(tmp_path: Path) -> None:
    def life(rig: AvrRig) -> Callable[[], Coroutine[Any, Any, None]]:
        async def comes_and_stays() -> None:
            await rig.body.wait(0.5)
            rig.body.enter("left")
            await rig.body.wait(60)

        return comes_and_stays

    async def story(board: SerialBoard, inbox: Inbox) -> list[tuple[str, int]]:
        await asyncio.sleep(0.8)
        assert (await board.close()).complete
        return [(event.channel, event.level) for event in inbox.events if isinstance(event, Edge)]

    with BoardServer(
        lambda on_open: AvrRig(PLAN, SimulationOptions(), on_open=on_open), life, ServedPlace(tmp_path / "ttyAVR")
    ) as server:
        time.sleep(0.1)  # it has booted
        assert host(server, story) == host(server, story) == [("left.beam", 1)]


def test_a_subject_that_fails_ends_the_serving(tmp_path: Path) -> None:
    async def dies() -> None:
        await asyncio.sleep(0.5)
        raise ValueError("it cannot live so")

    with BoardServer(lambda on_open: AvrRig(PLAN, SimulationOptions(), on_open=on_open), lambda rig: dies) as server:

        async def story(board: SerialBoard, inbox: Inbox) -> None:
            board.abort()

        host(server, story)
        with pytest.raises(ValueError, match="cannot live so"):
            server.wait()


def test_a_port_on_which_nothing_is_to_be_read_is_still_open(server: BoardServer) -> None:
    """A program may discard what it has written, and the port is then empty when the server reads it."""

    async def story(board: SerialBoard, inbox: Inbox) -> bool:
        await asyncio.sleep(0.1)
        for _ in range(20):
            server.do(lambda rig: server._port._read())  # type: ignore[attr-defined]
            await asyncio.sleep(0.02)
        return (await board.close()).complete

    assert host(server, story) is True
