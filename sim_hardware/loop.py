# mypy: disable-error-code="override"
"""Virtual time: an asyncio loop whose clock jumps to the next thing that happens.

The loop runs one timer at a time, and all callbacks that follow from it before the next. Equal deadlines fire in the
order in which they were set, on every Python. Stock asyncio orders ties by chance of its heap, and merges timers
within its clock's resolution. Libraries that fake its clock do so too, some of them within a millisecond.

Timers are foreground or background. If only background timers are left (keep-alives, retransmissions), nothing can
happen any more. The loop then raises ``Deadlock``, which names the waiting tasks and their lines.

A co-simulator, such as a simulated chip, has a clock. It never runs ahead of the next timer, and stops at each event
that others can observe, for which it sets a timer. Its future cannot be known; the loop raises ``Deadlock`` after
``PATIENCE_S`` with background timers only.

A callback without a context runs in the loop's: copying a context for each timer costs more than most callbacks.
Tasks always have a context.

An exception in a plain callback ends the run: in a simulation it is a bug, and logged bugs are overlooked.

The private names of ``BaseEventLoop`` that are used here (``_ready``, ``_stopping``, ``_run_once``, ``_thread_id``)
have been the same since Python 3.8.
"""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from contextvars import Context
from heapq import heappop, heappush
from typing import Any, Protocol, TypeAlias, TypeVar

T = TypeVar("T")

# About 0.1 s of computing, measured in a study before the project.
LIVELOCK_CALLBACKS = 100_000
PATIENCE_S = 300.0
"""Longer than any limited output may be on, and longer than the pauses of a sequence."""
ABREAST_S = 0.000_25
"""Largest distance of two co-simulators: half of the time of a message from one to the other through the host."""


class LoopError(RuntimeError):
    """Virtual time cannot go on."""


class Deadlock(LoopError):  # noqa: N818 - the established word
    """No timer is left that could resume a waiting task."""


class Livelock(LoopError):  # noqa: N818 - the established word
    """Callbacks run without end while time stands still."""


class TimeLimit(LoopError):  # noqa: N818
    """Virtual time would pass ``t_max``."""


class _Handle:
    """The handle of a scheduled callback, with the interface that asyncio expects."""

    __slots__ = ("context", "counted_by", "dead", "due")

    def __init__(self, context: Context | None, counted_by: VirtualLoop | None, due: float) -> None:
        self.context = context
        self.counted_by = counted_by
        self.due = due
        self.dead = False

    def cancel(self) -> None:
        if not self.dead:
            # The heap keeps a dead handle until its turn: removing it there would need a search.
            self.dead = True
            if self.counted_by is not None:
                self.counted_by.foreground -= 1
                self.counted_by = None

    def cancelled(self) -> bool:
        return self.dead

    def when(self) -> float:
        return self.due


_Call: TypeAlias = tuple[_Handle, Callable[..., object], tuple[object, ...]]


class CoSimulator(Protocol):
    """A simulator with a clock that the loop keeps in step, such as a simulated chip."""

    def advance(self, until: float) -> None:
        """Run to a time, or to the first event for which it sets a timer; it must not call callbacks."""


class VirtualLoop(asyncio.BaseEventLoop):
    """An event loop in virtual time; ``rate`` paces it to that many times real time."""

    _ready: deque[_Call]
    _stopping: bool
    _thread_id: int | None

    def __init__(self, *, rate: float = math.inf, t_max: float = math.inf) -> None:
        super().__init__()
        self.foreground = 0
        self._rate = rate
        self._t_max = t_max
        self._runs_free = rate == t_max == math.inf
        self._now = 0.0
        self._order = 0
        self._timers: list[tuple[float, int, _Handle | None, Callable[..., object], tuple[object, ...]]] = []
        self._co_simulators: list[CoSimulator] = []
        self._busy_at = 0.0
        self._patient = False

    def register(self, machine: CoSimulator) -> None:
        """Start to keep a co-simulator in step."""
        self._co_simulators.append(machine)

    def unregister(self, machine: CoSimulator) -> None:
        """Stop to advance a co-simulator."""
        self._co_simulators.remove(machine)

    def time(self) -> float:
        """Return the virtual time, in seconds since the loop was made."""
        return self._now

    def call_soon(self, callback: Callable[..., object], *args: object, context: Context | None = None) -> _Handle:
        """Run a callback after those that are due already."""
        handle = _Handle(context, None, 0.0)
        self._ready.append((handle, callback, args))
        return handle

    def call_at(
        self, when: float, callback: Callable[..., object], *args: object, context: Context | None = None
    ) -> _Handle:
        """Run a callback at a time; among equals in the order of these calls."""
        self.foreground += 1
        self._order = order = self._order + 1
        handle = _Handle(context, self, when)
        # A deadline in the past counts as now, and comes behind what is due already.
        heappush(self._timers, (when if when > self._now else self._now, order, handle, callback, args))
        return handle

    # The next four repeat `call_at`: one more call for each of the 70 timers of a trial would be felt.

    def call_later(
        self, delay: float, callback: Callable[..., object], *args: object, context: Context | None = None
    ) -> _Handle:
        """Run a callback after ``delay`` seconds."""
        self.foreground += 1
        self._order = order = self._order + 1
        when = self._now + delay
        handle = _Handle(context, self, when)
        heappush(self._timers, (when if delay > 0 else self._now, order, handle, callback, args))
        return handle

    def post(self, delay: float, callback: Callable[..., object], *args: object) -> None:
        """Run a callback after ``delay`` seconds; without a handle, because it is never canceled."""
        self.foreground += 1
        self._order = order = self._order + 1
        heappush(self._timers, (self._now + (delay if delay > 0 else 0.0), order, None, callback, args))

    def call_later_in_background(self, delay: float, callback: Callable[..., object], *args: object) -> _Handle:
        """Run a callback after ``delay`` seconds, if anything else still happens by then."""
        self._order = order = self._order + 1
        when = self._now + delay
        handle = _Handle(None, None, when)
        heappush(self._timers, (when if delay > 0 else self._now, order, handle, callback, args))
        return handle

    def call_at_in_background(self, when: float, callback: Callable[..., object], *args: object) -> _Handle:
        """Run a callback at a time, if anything else still happens by then."""
        self._order = order = self._order + 1
        handle = _Handle(None, None, when)
        heappush(self._timers, (when if when > self._now else self._now, order, handle, callback, args))
        return handle

    def call_soon_threadsafe(
        self, callback: Callable[..., object], *args: object, context: Context | None = None
    ) -> _Handle:
        """Raise: work of other threads takes no virtual time, so that it could not be repeated."""
        if threading.get_ident() != self._thread_id and self._thread_id is not None:
            raise LoopError(f"{callback!r} was called from another thread: virtual time has no room for threads")
        return self.call_soon(callback, *args, context=context)

    def run_in_executor(self, executor: object, func: Callable[..., T], *args: object) -> asyncio.Future[T]:
        """Run a function at once; it takes no virtual time."""
        # A real thread would take a virtual time that differs from run to run.
        future: asyncio.Future[T] = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)
        return future

    def _write_to_self(self) -> None:
        """Return at once: there is no selector to wake."""

    def _run_once(self) -> None:
        ready, timers = self._ready, self._timers
        spins = 0
        while not self._stopping:
            if ready:
                handle, callback, args = ready.popleft()
                if handle.dead:
                    continue
                context = handle.context
                spins += 1
            else:
                if self._co_simulators:
                    self._keep_step()
                if not timers or not (self.foreground or self._patient):
                    raise Deadlock(self._deadlock_text())
                when, _, timer, callback, args = heappop(timers)
                if timer is None:
                    self.foreground -= 1
                    context = None
                elif timer.dead:
                    continue
                else:
                    if timer.counted_by is not None:
                        self.foreground -= 1
                        timer.counted_by = None  # a later cancel of this timer must not count it a second time
                    context = timer.context
                if when > self._now:
                    if not self._runs_free:
                        self._wait_until(when)
                    self._now = when
                    spins = 0
                else:
                    spins += 1
            if spins > LIVELOCK_CALLBACKS:
                # The loop can still be closed, by canceling the task whose step this may be.
                ready.appendleft((_Handle(context, None, 0.0), callback, args))
                raise Livelock(f"over {LIVELOCK_CALLBACKS} callbacks at t = {self._now} s, the last one {callback!r}")
            if context is None:
                callback(*args)
            else:
                context.run(callback, *args)

    def _wait_until(self, when: float) -> None:
        if when > self._t_max:
            raise TimeLimit(f"the next event is due at {when} s, after the limit of {self._t_max} s")
        if self._rate != math.inf:
            time.sleep((when - self._now) / self._rate)

    def _deadlock_text(self) -> str:
        return f"at t = {self._now} s nothing is left that could happen; waiting: {'; '.join(waiting(self))}"

    def _keep_step(self) -> None:
        """Run the co-simulators to the first timer, or until one of them has set an earlier one."""
        if self.foreground:
            self._busy_at = self._now
        limit = math.inf if self.foreground else self._busy_at + PATIENCE_S
        reached = self._now
        while reached < (until := min(self._first_due(), limit)):
            if len(self._co_simulators) > 1:
                until = min(until, reached + ABREAST_S)
            for machine in self._co_simulators:
                # The one before may have set an earlier timer, which this one must not pass.
                machine.advance(min(until, self._first_due()))
            reached = until
        # A chip may still change a pin by itself, so that background timers go on for that long.
        self._patient = self._first_due() <= limit

    def _first_due(self) -> float:
        timers = self._timers
        # Removed here, so that no co-simulator stops for a timer that was canceled.
        while timers and timers[0][2] is not None and timers[0][2].dead:
            heappop(timers)
        return timers[0][0] if timers else math.inf


def waiting(loop: asyncio.AbstractEventLoop) -> list[str]:
    """Return for each unfinished task where it waits."""
    return sorted(f"{task.get_name()} in {' > '.join(_frames(task))}" for task in asyncio.all_tasks(loop))


def _frames(task: asyncio.Task[object]) -> Iterator[str]:
    step: Any = task.get_coro()
    while step is not None and getattr(step, "cr_frame", None) is not None:
        yield f"{step.cr_code.co_qualname}:{step.cr_frame.f_lineno}"
        step = step.cr_await


def run(main: Coroutine[object, object, T], *, rate: float = math.inf, t_max: float = math.inf) -> T:
    """Run a coroutine in virtual time and return its result."""
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(rate=rate, t_max=t_max)) as runner:
        return runner.run(main)
