"""A program says once a second that it is alive, and that it was not."""

import asyncio

from rig.session.run.heartbeat import Heartbeat
from sim_hardware.loop import VirtualLoop


def beats(work):
    told, late = [], []

    async def main():
        clock = asyncio.get_running_loop()
        with Heartbeat(lambda: told.append(clock.time()), late.append):
            await work(clock)
        await asyncio.sleep(10)

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(main())
    return told, late


def test_a_sign_comes_once_a_second_and_none_after_the_end():
    told, late = beats(lambda clock: asyncio.sleep(3.5))
    assert (told, late) == ([0, 1, 2, 3], [])


def test_what_holds_the_loop_up_is_reported_afterwards_with_its_length(monkeypatch):
    async def work(clock):
        await asyncio.sleep(1.5)
        clock._now += 20  # a protocol sleeps for real: nothing else is run meanwhile
        await asyncio.sleep(3)

    told, late = beats(work)
    assert told[:2] == [0, 1]
    assert len(late) == 1
    assert 19 < late[0] < 20
