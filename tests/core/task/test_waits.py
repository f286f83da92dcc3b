"""Waits that are forgotten, awaited twice, or not the task's own; asyncio is only what the last ones come from."""

import asyncio
from inspect import currentframe

import pytest

from rig.core.engine.immediate_future import ImmediateFuture
from rig.core.errors import TaskError
from rig.core.task.waits import Block, Wait, Waits, as_wait, run_state
from sim_hardware.loop import VirtualLoop


class Maker:
    """Makes waits as a task does: one call below the line that asks for one."""

    def __init__(self):
        self.waits = Waits()
        self.begun = []

    def wait(self, name="self.sleep"):
        return Wait(self.waits, name, self._begin)

    async def _begin(self):
        self.begun.append(len(self.begun))
        return "outcome"

    @as_wait
    async def helper(self, word):
        """Wait, and say a word."""
        return await self.wait(), word


def run(work):
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)


@pytest.fixture
def maker():
    return Maker()


def test_a_wait_begins_when_it_is_awaited_and_is_discarded_then(maker):
    async def state():
        waiting = maker.wait()
        assert maker.begun == []
        return await waiting

    assert run(state()) == "outcome"
    assert (maker.begun, maker.waits.pending) == ([0], [])
    maker.waits.check()


def test_a_wait_that_was_not_awaited_is_named_with_its_line_at_the_next_one(maker):
    async def state():
        maker.wait("self.first")
        lines.append(currentframe().f_lineno - 1)
        await maker.wait()

    lines = []
    with pytest.raises(TaskError, match=r"self\.first\(\.\.\.\) was not awaited") as caught:
        run(state())
    assert caught.value.where == (__file__, lines[0])
    assert maker.begun == []


def test_a_wait_that_was_not_awaited_is_named_when_it_is_asked_for_and_only_once(maker):
    maker.wait()
    with pytest.raises(TaskError, match="was not awaited"):
        maker.waits.check()
    maker.waits.check()


def test_an_async_method_of_ones_own_is_a_wait_too(maker):
    async def state():
        return await maker.helper("word")

    assert run(state()) == ("outcome", "word")
    assert Maker.helper.__doc__ == "Wait, and say a word."
    maker.helper("forgotten")
    with pytest.raises(TaskError, match=r"self\.helper\(\.\.\.\) was not awaited"):
        maker.waits.check()


def test_no_wait_is_awaited_twice(maker):
    async def state():
        waiting = maker.wait()
        await waiting
        await waiting

    with pytest.raises(TaskError, match=r"<Wait self\.sleep of .*test_waits\.py:\d+> is awaited a second time"):
        run(state())


@pytest.mark.parametrize(
    "foreign", [lambda: asyncio.sleep(1), lambda: asyncio.sleep(0), lambda: asyncio.Event().wait()]
)
def test_what_is_not_the_tasks_own_fails_where_it_is_awaited_and_may_be_cleared_up_after(foreign):
    cleared = []

    async def state():
        try:
            await foreign()
        finally:
            cleared.append(True)

    async def main():
        await run_state(state())

    with pytest.raises(TaskError, match="not the task's own"):
        run(main())
    assert cleared == [True]


def test_outcomes_and_cancellations_reach_the_state():
    heard = []

    async def state():
        waking = ImmediateFuture()
        asyncio.get_running_loop().call_later(1, waking.set_result, "outcome")
        heard.append(await waking)
        try:
            await ImmediateFuture()
        except asyncio.CancelledError:
            heard.append("cancelled")
            raise

    async def main():
        await run_state(state())

    async def cancelled():
        task = asyncio.ensure_future(main())
        await asyncio.sleep(2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(cancelled())
    assert heard == ["outcome", "cancelled"]


def test_a_state_that_is_let_go_of_is_closed():
    closed = []

    async def state():
        try:
            await ImmediateFuture()
        finally:
            closed.append(True)

    async def main():
        work = run_state(state())
        work.send(None)
        work.close()

    run(main())
    assert closed == [True]


def test_a_block_is_entered_once_and_one_that_was_not_is_named(maker):
    ends = []
    block = Block(maker.waits, "self.after", lambda: "begun", ends.append)
    with block:
        assert maker.waits.pending == []
    assert ends == ["begun"]
    with pytest.raises(TaskError, match="is entered a second time"), block:
        pass
    Block(maker.waits, "self.after", lambda: None, ends.append)
    with pytest.raises(TaskError, match=r"self\.after\(\.\.\.\) does nothing alone: write `with self\.after"):
        maker.waits.check()
