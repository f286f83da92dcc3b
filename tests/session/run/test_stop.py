"""How the system says stop: once is a request, twice is now, and the signals are given back as they were."""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from rig.platform.signals import STOP_SIGNALS
from rig.session.run.stop import StopSignals

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends POSIX signals")


@pytest.fixture(autouse=True)
def signals_as_they_were() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in STOP_SIGNALS}
    yield
    after = {number: signal.getsignal(number) for number in STOP_SIGNALS}
    for number, handler in before.items():
        signal.signal(number, handler)
    assert after == before


def stopped(*sent: int, times: int = 1) -> tuple[list[str], int]:
    """Send signals to ourselves and list what came of them."""
    said: list[str] = []

    async def main(stop: StopSignals) -> None:
        with stop.deliver_to(lambda: said.append("request"), lambda: said.append("stop_now")):
            for number in sent:
                for _ in range(times):
                    os.kill(os.getpid(), number)
                    await asyncio.sleep(0)
                    await asyncio.sleep(0)

    with StopSignals() as stop:
        asyncio.run(main(stop))
    return said, stop.count


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: signal.Signals(number).name)
def test_the_first_signal_asks_and_the_second_hurries(number: int) -> None:
    assert stopped(number) == (["request"], 1)
    assert stopped(number, times=3) == (["request", "stop_now", "stop_now"], 3)


def test_different_signals_count_together() -> None:
    assert stopped(signal.SIGTERM, signal.SIGINT) == (["request", "stop_now"], 2)


def test_a_terminal_that_closes_is_reported_of_twice_and_counts_once() -> None:
    assert stopped(signal.SIGHUP, times=3) == (["request"], 1)
    assert stopped(signal.SIGHUP, signal.SIGINT, signal.SIGHUP) == (["request", "stop_now"], 2)


def test_what_was_pressed_before_the_session_is_the_first_thing_it_hears() -> None:
    said: list[str] = []

    async def main(stop: StopSignals) -> None:
        with stop.deliver_to(lambda: said.append("request"), lambda: said.append("stop_now")):
            said.append("begun")
            await asyncio.sleep(0)

    with StopSignals() as stop:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGTERM)
        asyncio.run(main(stop))
    assert said == ["begun", "request", "stop_now"]


def test_what_is_pressed_after_the_session_cuts_nothing_short_and_is_counted() -> None:
    finished = []
    with StopSignals() as stop:
        asyncio.run(_nothing(stop))
        os.kill(os.getpid(), signal.SIGINT)
        finished.append(True)
    assert (finished, stop.count) == ([True], 1)


async def _nothing(stop: StopSignals) -> None:
    with stop.deliver_to(lambda: None, lambda: None):
        pass


def test_a_hangup_that_nohup_has_switched_off_stays_switched_off() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert stopped(signal.SIGHUP) == ([], 0)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


def test_in_another_thread_nobody_listens_and_nothing_breaks() -> None:
    found: list[Any] = []

    async def main() -> None:
        with StopSignals() as stop:
            stop.count_signal()
            found.append(stop.count)

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    thread.join(10)
    assert found == [1]


def test_a_person_may_press_without_a_signal() -> None:
    said: list[str] = []

    async def main() -> None:
        stop = StopSignals()
        with stop.deliver_to(lambda: said.append("request"), lambda: said.append("stop_now")):
            stop.count_signal()
            stop.count_signal()
            await asyncio.sleep(0)

    asyncio.run(main())
    assert said == ["request", "stop_now"]
