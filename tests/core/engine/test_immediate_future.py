import asyncio
from contextvars import ContextVar

import pytest

from rig.core.engine.immediate_future import ImmediateFuture
from sim_hardware.loop import VirtualLoop

WHO: ContextVar[str] = ContextVar("WHO")


@pytest.fixture(params=[asyncio.SelectorEventLoop, VirtualLoop])
def run(request):
    def run(main):
        with asyncio.Runner(loop_factory=request.param) as runner:
            return runner.run(main())

    return run


async def waiting_for(waking, told):
    told.append(await waking)


async def started(waking, told):
    task = asyncio.ensure_future(waiting_for(waking, told))
    await asyncio.sleep(0)
    return task


def test_the_task_has_run_when_wake_returns(run):
    async def main():
        waking, told, done = ImmediateFuture(), [], asyncio.get_running_loop().create_future()
        task = await started(waking, told)

        def wake():
            waking.set_result("poked")
            done.set_result(list(told))

        asyncio.get_running_loop().call_soon(wake)
        at_once = await done
        await task
        return at_once

    assert run(main) == ["poked"]


def test_a_task_that_wakes_another_goes_on_first(run):
    async def main():
        waking, told = ImmediateFuture(), []
        task = await started(waking, told)
        waking.set_result("poked")
        before = list(told)
        await task
        return before, told

    assert run(main) == ([], ["poked"])


def test_what_is_there_already_is_not_waited_for(run):
    async def main():
        waking, told = ImmediateFuture(), []
        waking.set_result("poked")
        loop = asyncio.get_running_loop()
        loop.call_soon(told.append, "a pass of the loop")
        told.append(await waking)
        return list(told)

    assert run(main) == ["poked"]


def test_a_cancelled_wait_is_over_and_says_so(run):
    async def main():
        waking, told = ImmediateFuture(), []
        task = await started(waking, told)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return waking.done, waking.cancel(), told

    assert run(main) == (True, False, [])


def test_a_wait_that_was_woken_cannot_be_cancelled_any_more(run):
    async def main():
        waking = ImmediateFuture()
        waking.set_result("poked")
        return waking.cancel(), await waking

    assert run(main) == (False, "poked")


def test_the_task_keeps_its_own_context(run):
    async def main():
        async def named():
            WHO.set("the mouse")
            await waking
            return WHO.get()

        waking = ImmediateFuture()
        task = asyncio.ensure_future(named())
        await asyncio.sleep(0)
        asyncio.get_running_loop().call_soon(waking.set_result, None)
        return await task

    assert run(main) == "the mouse"


def test_a_mistake_of_the_woken_task_stays_its_own(run):
    async def main():
        async def mistaken():
            await waking
            raise ZeroDivisionError

        waking = ImmediateFuture()
        task = asyncio.ensure_future(mistaken())
        await asyncio.sleep(0)
        asyncio.get_running_loop().call_soon(waking.set_result, None)
        with pytest.raises(ZeroDivisionError):
            await task

    run(main)
