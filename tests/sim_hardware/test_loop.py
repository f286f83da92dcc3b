"""Virtual time: one timer at a time, ties in order, and a loud end where nothing can happen any more."""

import asyncio
import selectors
import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.clock import in_background, posting
from sim_hardware import loop as virtual
from sim_hardware.loop import Deadlock, Livelock, LoopError, TimeLimit, VirtualLoop


async def forever() -> None:
    await asyncio.get_running_loop().create_future()


def test_time_starts_at_zero_and_jumps_exactly_to_what_is_due() -> None:
    async def main() -> list[float]:
        loop = asyncio.get_running_loop()
        times = [loop.time()]
        for seconds in (0.1, 3600.0, 1e-6):
            await asyncio.sleep(seconds)
            times.append(loop.time())
        return times

    before = time.perf_counter()
    assert virtual.run(main()) == [0.0, 0.1, 3600.1, 3600.1 + 1e-6]
    assert time.perf_counter() - before < 1.0


def test_equal_deadlines_fire_in_the_order_in_which_they_were_set() -> None:
    async def main() -> list[int]:
        loop, log = asyncio.get_running_loop(), []
        for number in range(40):
            if number % 7 == 3:
                loop.call_at(0.5, lambda: None)  # a stranger in between changes nothing
            loop.call_at(1.0, log.append, number)
        await asyncio.sleep(2.0)
        return log

    assert virtual.run(main()) == list(range(40))


def test_a_deadline_in_the_past_is_due_now_and_behind_what_is_due_already() -> None:
    async def main() -> list[str]:
        loop, log = asyncio.get_running_loop(), []
        await asyncio.sleep(5.0)
        loop.call_at(5.0, log.append, "now")
        loop.call_at(1.0, log.append, "long ago")
        loop.call_soon(log.append, "soon")
        await asyncio.sleep(0.1)
        return log

    assert virtual.run(main()) == ["soon", "now", "long ago"]


def test_what_a_timer_causes_runs_before_the_next_timer_of_the_same_instant() -> None:
    async def main() -> list[str]:
        loop, log = asyncio.get_running_loop(), []
        first = loop.create_future()

        async def waiter() -> None:
            await first
            log.append("its consequence")

        task = asyncio.create_task(waiter())
        loop.call_at(1.0, first.set_result, None)
        loop.call_at(1.0, log.append, "the next timer")
        await asyncio.sleep(2.0)
        await task
        return log

    assert virtual.run(main()) == ["its consequence", "the next timer"]


async def within_timeout(event: asyncio.Future[str]) -> str:
    async with asyncio.timeout(1.0):
        return await event


async def within_wait_for(event: asyncio.Future[str]) -> str:
    return await asyncio.wait_for(event, 1.0)


@pytest.mark.parametrize("wait", [within_timeout, within_wait_for])
@pytest.mark.parametrize("event_first", [True, False])
def test_of_an_event_and_a_timeout_at_one_instant_the_one_set_first_wins(
    wait: Callable[[asyncio.Future[str]], Any], event_first: bool
) -> None:
    async def main() -> str:
        loop = asyncio.get_running_loop()
        event: asyncio.Future[str] = loop.create_future()

        def happen() -> None:
            if not event.done():
                event.set_result("event")

        if event_first:
            loop.call_at(1.0, happen)
        task = asyncio.create_task(wait(event))
        await asyncio.sleep(0.5)
        if not event_first:
            loop.call_at(1.0, happen)
        try:
            return await task
        except TimeoutError:
            return "timeout"

    assert virtual.run(main()) == ("event" if event_first else "timeout")


def test_a_deadlock_names_every_task_and_the_line_where_it_waits() -> None:
    async def ask_for_the_moon() -> None:
        await forever()

    async def main() -> None:
        asyncio.current_task().set_name("main")  # type: ignore[union-attr]
        await asyncio.create_task(ask_for_the_moon(), name="dreamer")

    with pytest.raises(Deadlock) as caught:
        virtual.run(main())
    message = str(caught.value)
    assert "at t = 0.0 s" in message
    assert "dreamer in " in message
    assert "ask_for_the_moon:" in message
    assert f"> forever:{forever.__code__.co_firstlineno + 1}" in message
    assert "main in " in message


def test_background_timers_alone_keep_nothing_alive() -> None:
    rung = []

    async def main() -> None:
        later = in_background(asyncio.get_running_loop())

        def ring() -> None:
            rung.append(asyncio.get_running_loop().time())
            later(1.0, ring)

        later(1.0, ring)
        await asyncio.sleep(2.5)
        await forever()

    with pytest.raises(Deadlock, match=r"t = 2\.5 s"):
        virtual.run(main(), t_max=60.0)
    assert rung == [1.0, 2.0]


def test_a_cancelled_timer_keeps_nothing_alive_and_cancelling_twice_is_harmless() -> None:
    async def main() -> None:
        timer = asyncio.get_running_loop().call_later(10.0, print, "never")
        timer.cancel()
        timer.cancel()
        assert timer.cancelled()
        await forever()

    with pytest.raises(Deadlock, match=r"t = 0\.0 s"):
        virtual.run(main())


def test_what_is_due_soon_can_be_called_off(capsys: pytest.CaptureFixture[str]) -> None:
    async def main() -> None:
        asyncio.get_running_loop().call_soon(print, "never").cancel()
        await asyncio.sleep(0)

    virtual.run(main())
    assert capsys.readouterr().out == ""


def test_a_timer_knows_when_it_is_due() -> None:
    async def main() -> float:
        await asyncio.sleep(1.5)
        timer = asyncio.get_running_loop().call_later(2.0, print)
        timer.cancel()
        return timer.when()

    assert virtual.run(main()) == 3.5


def test_cancelling_a_timer_that_has_fired_takes_no_life_from_another() -> None:
    async def main() -> float:
        loop = asyncio.get_running_loop()
        fired = loop.call_later(1.0, lambda: None)
        await asyncio.sleep(1.0)
        fired.cancel()
        await asyncio.sleep(1.0)
        return loop.time()

    assert virtual.run(main()) == 2.0


@pytest.mark.parametrize("through", ["call_soon", "timers of no length", "sleep(0)"])
def test_a_livelock_is_noticed_and_the_loop_can_still_be_closed(through: str) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()

        def again() -> None:
            loop.call_soon(again) if through == "call_soon" else loop.call_later(0, again)

        if through == "sleep(0)":
            for _ in range(10 * virtual.LIVELOCK_CALLBACKS):
                await asyncio.sleep(0)
        again()
        await forever()

    with pytest.raises(Livelock, match=r"callbacks at t = 0\.0 s"):
        virtual.run(main())


def test_many_callbacks_are_no_livelock_while_time_goes_on() -> None:
    async def main() -> None:
        for _ in range(3):
            for _ in range(virtual.LIVELOCK_CALLBACKS // 2):
                await asyncio.sleep(0)
            await asyncio.sleep(1e-6)

    virtual.run(main())


def test_a_foreign_thread_is_refused_in_words() -> None:
    refusals: list[str] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()

        def intrude() -> None:
            try:
                loop.call_soon_threadsafe(print, "from outside")
            except LoopError as error:
                refusals.append(str(error))

        thread = threading.Thread(target=intrude)
        thread.start()
        thread.join()
        own: asyncio.Future[None] = loop.create_future()
        loop.call_soon_threadsafe(own.set_result, None)
        await own

    virtual.run(main())
    assert len(refusals) == 1
    assert "another thread" in refusals[0]


def test_time_stops_at_its_limit() -> None:
    async def main() -> None:
        await asyncio.sleep(10.0)
        await asyncio.sleep(0.1)

    with pytest.raises(TimeLimit, match=r"after the limit of 10\.0 s"):
        virtual.run(main(), t_max=10.0)


def test_a_thread_job_is_done_at_once_and_takes_no_time() -> None:
    async def main() -> tuple[int, float]:
        loop = asyncio.get_running_loop()
        answer = await asyncio.to_thread(pow, 2, 10)
        with pytest.raises(ZeroDivisionError):
            await loop.run_in_executor(None, lambda: 1 // 0)
        return answer, loop.time()

    assert virtual.run(main()) == (1024, 0.0)


def test_the_tools_of_asyncio_work() -> None:
    async def main() -> list[str]:
        loop, log = asyncio.get_running_loop(), []

        async def after(seconds: float, word: str) -> None:
            await asyncio.sleep(seconds)
            log.append(f"{word} at {loop.time():g}")

        async with asyncio.TaskGroup() as group:
            group.create_task(after(2.0, "second"))
            group.create_task(after(1.0, "first"))
        queue: asyncio.Queue[str] = asyncio.Queue()
        loop.call_later(1.0, queue.put_nowait, "from a queue")
        log.append(f"{await queue.get()} at {loop.time():g}")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.sleep(10.0), 1.0)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1.0):
                await forever()
        return [*log, f"timeouts until {loop.time():g}"]

    assert virtual.run(main()) == ["first at 1", "second at 2", "from a queue at 3", "timeouts until 5"]


def test_a_cancelled_task_cleans_up_in_virtual_time() -> None:
    async def main() -> list[str]:
        loop, log = asyncio.get_running_loop(), []

        async def patient() -> None:
            try:
                await asyncio.sleep(100.0)
            finally:
                await asyncio.sleep(1.0)
                log.append(f"cleaned up at {loop.time():g}")

        task = asyncio.create_task(patient())
        await asyncio.sleep(2.0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return log

    assert virtual.run(main()) == ["cleaned up at 3"]


def test_a_failing_task_of_a_group_cancels_the_others() -> None:
    async def main() -> float:
        async def fail() -> None:
            await asyncio.sleep(1.0)
            raise ValueError("on purpose")

        async def together() -> None:
            async with asyncio.TaskGroup() as group:
                group.create_task(fail())
                group.create_task(forever())

        with pytest.raises(ExceptionGroup):
            await together()
        return asyncio.get_running_loop().time()

    assert virtual.run(main()) == 1.0


def test_a_task_keeps_its_own_context() -> None:
    name: ContextVar[str] = ContextVar("name")

    async def main() -> list[str]:
        async def say(word: str) -> str:
            name.set(word)
            await asyncio.sleep(1.0)
            return name.get()

        return await asyncio.gather(say("a"), say("b"))

    assert virtual.run(main()) == ["a", "b"]


@pytest.mark.parametrize("rate", [1.0, 10.0])
def test_a_paced_loop_sleeps_for_as_long_as_its_rate_asks(rate: float, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)

    async def main() -> None:
        await asyncio.sleep(1.0)
        await asyncio.sleep(0.0)
        await asyncio.sleep(0.25)

    virtual.run(main(), rate=rate)
    assert sum(slept) == pytest.approx(1.25 / rate, abs=0.05)


def test_an_unpaced_loop_never_sleeps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", lambda seconds: pytest.fail("it slept"))
    virtual.run(asyncio.sleep(3600.0))


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, ValueError])
def test_what_a_callback_raises_ends_the_run(error: type[BaseException]) -> None:
    async def main() -> None:
        def fail() -> None:
            raise error

        asyncio.get_running_loop().call_later(1.0, fail)
        await asyncio.sleep(2.0)

    with pytest.raises(error):
        virtual.run(main())


def test_an_interrupt_inside_a_task_ends_the_run() -> None:
    async def main() -> None:
        await asyncio.sleep(1.0)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        virtual.run(main())


class Jump(selectors.SelectSelector):
    """A selector that finds nothing: it lets the clock of its loop jump to the next deadline."""

    loop: "StockLoop"

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout:
            self.loop.now = self.loop._scheduled[0].when()  # type: ignore[attr-defined]
        return []


class StockLoop(asyncio.SelectorEventLoop):
    """asyncio's own loop in virtual time; not in order where deadlines are equal."""

    def __init__(self) -> None:
        self.now = 0.0
        jump = Jump()
        jump.loop = self
        super().__init__(jump)

    def time(self) -> float:
        return self.now


Step = tuple[int, str, int]
"""When a step is due, in milliseconds; what it is; which other step it cancels or waits for."""

programs = st.lists(
    st.tuples(st.integers(1, 5_000), st.sampled_from(["timer", "task", "cancel", "future"]), st.integers(0, 11)),
    min_size=1,
    max_size=12,
    unique_by=lambda step: step[0],
)


async def play(program: list[Step]) -> list[tuple[str, float]]:
    """Let a program of timers, tasks, cancellations and futures write its log."""
    loop = asyncio.get_running_loop()
    log: list[tuple[str, float]] = []
    started: dict[int, Any] = {}
    futures = [loop.create_future() for _ in program]

    def note(word: str) -> None:
        log.append((word, loop.time()))

    async def sleeper(number: int) -> None:
        try:
            await asyncio.sleep(0.000713 * number)  # never a whole millisecond: what is due at once has no order there
            note(f"task {number}")
            await futures[number]
            note(f"task {number} has its future")
        except asyncio.CancelledError:
            note(f"task {number} was cancelled")
            raise

    def step(number: int, kind: str, other: int) -> None:
        note(f"{kind} {number}")
        if kind == "timer":
            started[number] = loop.call_later(0.00031 * other, note, f"timer {number} again")
        elif kind == "task":
            started[number] = loop.create_task(sleeper(number))
        elif kind == "cancel" and other in started:
            started[other].cancel()
        elif kind == "future" and other < len(futures) and not futures[other].done():
            futures[other].set_result(None)

    for number, (due_ms, kind, other) in enumerate(program):
        loop.call_at(due_ms / 1000, step, number, kind, other)
    await asyncio.sleep(10.0)
    tasks = [task for task in started.values() if isinstance(task, asyncio.Task)]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return log


@given(programs)
def test_a_random_program_writes_the_same_log_as_on_a_stock_loop(program: list[Step]) -> None:
    with asyncio.Runner(loop_factory=StockLoop) as stock:
        expected = stock.run(play(program))
    assert virtual.run(play(program)) == expected


def test_a_loop_can_be_made_by_any_runner_and_is_closed_by_it() -> None:
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        loop = runner.get_loop()
        runner.run(asyncio.sleep(1.0))
        assert loop.time() == 1.0
    assert loop.is_closed()


def test_a_posted_callback_has_its_turn_among_timers_and_keeps_the_loop_running() -> None:
    log: list[tuple[float, str]] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()

        def note(what: str) -> None:
            log.append((loop.time(), what))

        over = loop.create_future()
        loop.call_later(1.0, note, "timer")
        posting(loop)(1.0, note, "posted")
        loop.call_later(1.0, note, "second timer")
        posting(loop)(-1.0, note, "late")
        in_background(loop)(2.0, note, "background")
        posting(loop)(3.0, over.set_result, None)
        await over

    virtual.run(main())
    assert log == [(0.0, "late"), (1.0, "timer"), (1.0, "posted"), (1.0, "second timer"), (2.0, "background")]
