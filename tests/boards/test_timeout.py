"""A host that was stopped does not take its own sleep for silence of the board: how long it slept alone decides."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from rig.boards.firmata.board import FirmataBoard
from rig.boards.serial.board import SerialBoard
from rig.boards.transport import Transport
from rig.core.clock import running
from rig.core.errors import BoardNotFoundError
from rig.core.model.events import Fault, LeaseExpired
from rig.core.timeout import LATE_S, PIECE_S, AnswerTimer
from sim_hardware.link_model import CableTransport
from tests.boards.conftest import WIRING
from tests.boards.firmata.firmata_bench import make_bench

READS_AFTER_S = 0.001
"""All timers that are due ring before anything is read: what a system does that has interrupted a wait."""


class Stopped:
    """A host's clock that stands still while the host does; the worst that may come then: timers first."""

    def __init__(self) -> None:
        self._loop = running()
        self.until_s = 0.0

    def stop(self, for_s: float) -> None:
        self.until_s = self._loop.time() + for_s

    def time(self) -> float:
        return self._loop.time()

    def _when_awake(self, callback: Callable[..., object], *args: Any) -> None:
        if self._loop.time() < self.until_s:
            self._loop.call_at(self.until_s, callback, *args)
        else:
            callback(*args)

    def call_soon(self, callback: Callable[..., object], *args: Any) -> Any:
        return self._loop.call_soon(self._when_awake, callback, *args)

    def call_at(self, when: float, callback: Callable[..., object], *args: Any) -> Any:
        return self._loop.call_at(when, self._when_awake, callback, *args)

    def call_later(self, delay: float, callback: Callable[..., object], *args: Any) -> Any:
        return self.call_at(self._loop.time() + delay, callback, *args)


class Unread(Transport):
    """A port whose bytes wait in its buffer while the host is stopped."""

    quiet_s = 0.0

    def __init__(self, inner: Transport, clock: Stopped) -> None:
        self._inner = inner
        self._clock = clock

    def start(self, on_bytes: Callable[[bytes], None], on_lost: Callable[[str], None]) -> None:
        def arrive(data: bytes) -> None:
            if running().time() < self._clock.until_s:
                running().call_at(self._clock.until_s + READS_AFTER_S, on_bytes, data)
            else:
                on_bytes(data)

        self._inner.start(arrive, on_lost)

    def write(self, data: bytes) -> None:
        self._inner.write(data)

    def close(self) -> None:
        self._inner.close()


def host_of(bench: Any) -> tuple[Any, Stopped]:
    """Give a bench a host that may be stopped."""
    rig, clock = bench(), Stopped()
    rig.host = SerialBoard(Unread(rig.plug, clock), clock, rig.inbox, None, 1)
    return rig, clock


def came(rig: Any, kind: type) -> list[Any]:
    return [event for event in rig.inbox.events if isinstance(event, kind)]


# --- a session's board ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase_s", [0.0, 0.13, 0.26, 0.39, 0.499])
@pytest.mark.parametrize("for_s", [0.1, 0.5, 0.9, 2.1, 5.0, 9.4, 9.9, 10.0, 10.6, 11.0, 30.0, 60.0])
async def test_a_stop_of_the_host_costs_at_most_one_lease_however_long_it_is(
    bench: Any, for_s: float, phase_s: float
) -> None:
    rig, clock = host_of(bench)
    await rig.open()
    await asyncio.sleep(20 + phase_s)
    clock.stop(for_s)
    await asyncio.sleep(for_s + 30)
    assert (came(rig, Fault), len(came(rig, LeaseExpired))) == ([], int(for_s > 2))


@pytest.mark.parametrize("phase_s", [0.0, 0.13, 0.26, 0.39, 0.499])
@pytest.mark.parametrize("for_s", [0.0, 0.9, 5.0, 30.0])
async def test_a_board_that_is_silent_before_and_after_a_stop_is_gone(bench: Any, for_s: float, phase_s: float) -> None:
    rig, clock = host_of(bench)
    await rig.open()
    await asyncio.sleep(20 + phase_s)
    rig.cable.to_host.deliver = lambda data: None
    await asyncio.sleep(4)
    clock.stop(for_s)
    await asyncio.sleep(for_s)
    await asyncio.sleep(5)
    early = came(rig, Fault)
    await asyncio.sleep(3)
    assert (early, came(rig, Fault)[0].what) == ([], "link_lost")


@pytest.mark.parametrize("phase_s", [0.001, 0.1, 0.2, 0.24, 2.9])
@pytest.mark.parametrize("for_s", [1.0, 3.0, 10.0, 60.0])
async def test_a_stop_while_a_board_is_asked_who_it_is_is_no_silence_of_the_board(
    bench: Any, for_s: float, phase_s: float
) -> None:
    rig, clock = host_of(bench)
    held = rig.cable.to_host
    held.hold()  # it boots
    running().call_later(phase_s, held.release)
    running().call_later(phase_s - 0.0005, clock.stop, for_s)
    assert (await rig.open()).name == "sim"


@pytest.mark.parametrize("for_s", [1.0, 5.0, 60.0])
async def test_a_stop_while_the_last_events_are_waited_for_leaves_the_session_complete(
    bench: Any, for_s: float
) -> None:
    rig, clock = host_of(bench)
    await rig.open()
    await asyncio.sleep(1)
    running().call_later(0.0004, clock.stop, for_s)
    assert (await rig.host.close()).complete is True


# --- a board that speaks Firmata --------------------------------------------------------------------------------


@pytest.mark.parametrize("phase_s", [0.0, 0.13, 0.26, 0.39, 0.499])
@pytest.mark.parametrize("for_s", [0.9, 5.0, 10.6, 60.0])
async def test_a_stop_is_no_silence_of_a_firmata_board_either(for_s: float, phase_s: float) -> None:
    rig, clock = make_bench(), Stopped()
    rig.board = FirmataBoard(Unread(CableTransport(rig.cable), clock), clock, rig.inbox)
    await rig.board.open(WIRING)
    await asyncio.sleep(20 + phase_s)
    clock.stop(for_s)
    await asyncio.sleep(for_s + 15)
    faults = came(rig, Fault)
    running().call_later(0.0004, clock.stop, for_s)
    assert (faults, (await rig.board.close()).complete) == ([], True)


async def test_a_firmata_board_that_is_not_there_is_still_missed_after_a_stop() -> None:
    rig, clock = make_bench(), Stopped()
    rig.sketch.mute = True
    rig.board = FirmataBoard(Unread(CableTransport(rig.cable), clock), clock, rig.inbox)
    running().call_later(1.0, clock.stop, 20.0)
    with pytest.raises(BoardNotFoundError, match="in 8 s"):
        await rig.board.open(WIRING)
    assert 28 < running().time() < 29


# --- any silence ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stop_at_s", [None, 0.1, 0.3, 1.9, 1.999])
@pytest.mark.parametrize("for_s", [0.2, 1.0, 30.0])
async def test_a_patience_counts_the_time_in_which_the_host_was_awake(stop_at_s: float | None, for_s: float) -> None:
    clock = Stopped()
    over = asyncio.Event()
    if stop_at_s is not None:
        running().call_later(stop_at_s, clock.stop, for_s)
    timer = AnswerTimer(clock, 2.0, over.set)
    await over.wait()
    assert timer.expired
    end_s = running().time()
    if stop_at_s is None:
        assert end_s == 2.0
    else:
        assert 2.0 + for_s - PIECE_S - LATE_S <= end_s <= 2.0 + for_s + PIECE_S + LATE_S


async def test_what_arrived_during_a_stop_is_read_before_a_patience_ends() -> None:
    clock = Stopped()
    over = asyncio.Event()
    timer = AnswerTimer(clock, 2.0, over.set)
    running().call_later(1.9, clock.stop, 5.0)
    running().call_later(1.9 + 5.0 + READS_AFTER_S, timer.cancel)
    await asyncio.sleep(60)
    assert over.is_set() is False
