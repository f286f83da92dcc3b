"""The waits that a state awaits and the blocks that it enters, and the detection of those that it forgot.

A wait records where it was created and whether it was awaited, so detection does not depend on garbage collection. A
state may await nothing else: other libraries wait in real time, which the task's clock does not include.
"""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Coroutine, Generator
from types import TracebackType, coroutine
from typing import Any, Generic, Protocol, TypeVar

from rig.core.engine.immediate_future import ImmediateFuture
from rig.core.errors import TaskError
from rig.core.model.code_lines import line_above

T = TypeVar("T")
Async = Callable[..., Coroutine[object, None, object]]

FOREIGN_AWAIT = (
    "a state awaits what is not the task's own, such as asyncio.sleep: no time of the task would pass; "
    "await self.first, self.until or self.sleep"
)


class _Pending(Protocol):
    """A wait or a block that a protocol created and must use."""

    def unused_error(self) -> TaskError: ...


class Wait(Generic[T]):
    """A wait; it starts when it is awaited, once."""

    __slots__ = ("_begin", "_waits", "_what", "_where")

    def __init__(self, waits: Waits, what: str, begin: Callable[[], Awaitable[T]]) -> None:
        self._waits = waits
        self._what = what
        self._begin = begin
        # Above are the task's method, then the protocol that called it.
        self._where = line_above(2)
        waits.pending.append(self)

    def __await__(self) -> Generator[object, None, T]:
        self._waits.begin(self)
        return self._begin().__await__()

    def unused_error(self) -> TaskError:
        """Return the error of a wait that was not awaited, with the line that created it."""
        error = TaskError(f"{self._what}(...) was not awaited, so it waited for nothing: await it where it is written")
        error.where = self._where
        return error

    def __repr__(self) -> str:
        return f"<Wait {self._what} of {self._where[0]}:{self._where[1]}>"


class Block(Generic[T]):
    """A ``with`` block in which something lasts: ``begin`` starts it, and ``end`` gets what that returned."""

    __slots__ = ("_begin", "_begun", "_end", "_waits", "_what", "_where")

    def __init__(self, waits: Waits, what: str, begin: Callable[[], T], end: Callable[[T], None]) -> None:
        self._waits = waits
        self._what = what
        self._begin = begin
        self._end = end
        self._where = line_above(2)
        self._begun: list[T] = []
        waits.pending.append(self)

    def __enter__(self) -> None:
        self._waits.take(self, "entered")
        self._begun.append(self._begin())

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end(self._begun.pop())

    def unused_error(self) -> TaskError:
        """Return the error of a block that was not entered, with the line that created it."""
        error = TaskError(f"{self._what}(...) does nothing alone: write `with {self._what}(...):` around the waits")
        error.where = self._where
        return error

    def __repr__(self) -> str:
        return f"<Block {self._what} of {self._where[0]}:{self._where[1]}>"


class Waits:
    """The waits of one task that were created and not yet awaited, and its blocks that were not entered."""

    def __init__(self) -> None:
        self.pending: list[_Pending] = []

    def begin(self, wait: _Pending) -> None:
        """Start a wait. Raises ``TaskError`` for a second start, and when another wait was not awaited."""
        self.take(wait, "awaited")
        if self.pending:
            self.check()

    def take(self, pending: _Pending, how: str) -> None:
        """Remove one that is used now. Raises ``TaskError`` for a second time."""
        try:
            self.pending.remove(pending)
        except ValueError:
            raise TaskError(f"{pending!r} is {how} a second time: make another one") from None

    def check(self) -> None:
        """Check that every wait was awaited and every block entered. Raises ``TaskError``, which names its line."""
        if self.pending:
            first = self.pending[0]
            # Cleared before the error, so that the next check does not report the same wait again.
            self.pending.clear()
            raise first.unused_error()


def as_wait(method: Async) -> Callable[..., Wait[object]]:
    """Return an async method of a task as a function that creates a wait, so that a missing await is detected."""

    @functools.wraps(method)
    def made(self: Any, *args: object, **kwargs: object) -> Wait[object]:
        return Wait(self.waits, f"self.{method.__name__}", functools.partial(method, self, *args, **kwargs))

    return made


@coroutine
def run_state(work: Coroutine[object, None, T]) -> Generator[object, object, T]:
    """Run a state, and raise ``TaskError`` in it where it awaits anything but a wait."""
    resume: Callable[[Any], object] = work.send
    outcome: object = None
    while True:
        try:
            asked = resume(outcome)
        except StopIteration as over:
            result: T = over.value
            return result
        if not isinstance(asked, ImmediateFuture):
            resume, outcome = work.throw, TaskError(FOREIGN_AWAIT)
            continue
        try:
            outcome = yield asked
            resume = work.send
        # Interrupts and cancellation go into the state too: its ``with`` blocks switch off what they switched on.
        except BaseException as error:
            resume, outcome = work.throw, error
