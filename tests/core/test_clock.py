import asyncio

from rig.core.clock import in_background, running
from sim_hardware.loop import VirtualLoop


def test_the_clock_is_the_loop_that_runs():
    async def main():
        return running() is asyncio.get_running_loop()

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        assert runner.run(main())


def test_a_loop_that_knows_no_background_takes_every_timer_for_life():
    class Plain:
        def call_later(self, delay, callback, *args):
            return delay, callback, args

    assert in_background(Plain())(1.5, print, "a") == (1.5, print, ("a",))


def test_a_virtual_loop_counts_background_timers_apart():
    loop = VirtualLoop()
    assert in_background(loop) == loop.call_later_in_background
    loop.close()
