"""The waits that a state awaits, and the detection of a wait that was never awaited.

A wait records where it was created and whether it was awaited, so detection does not depend on garbage collection. A
state may await nothing else: other libraries wait in real time, which the task's clock does not include.
"""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Coroutine, Generator
from types import coroutine
from typing import Any, Generic, TypeVar

from rig.core.engine.immediate_future import ImmediateFuture
from rig.core.errors import TaskError
from rig.core.model.code_lines import line_above

T = TypeVar("T")
Async = Callable[..., Coroutine[Any, Any, Any]]

FOREIGN_AWAIT = (
    "a state awaits what is not the task's own, such as asyncio.sleep: no time of the task would pass; "
    "await self.first, self.until or self.sleep"
)


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

    def __await__(self) -> Generator[Any, None, T]:
        self._waits.begin(self)
        return self._begin().__await__()

    def not_awaited_error(self) -> TaskError:
        """Return the error of a wait that was not awaited, with the line that created it."""
        error = TaskError(f"{self._what}(...) was not awaited, so it waited for nothing: await it where it is written")
        error.where = self._where
        return error

    def __repr__(self) -> str:
        return f"<Wait {self._what} of {self._where[0]}:{self._where[1]}>"


class Waits:
    """The waits of one task that were created and not yet awaited."""

    def __init__(self) -> None:
        self.pending: list[Wait[Any]] = []

    def begin(self, wait: Wait[Any]) -> None:
        """Start a wait. Raises ``TaskError`` for a second start, and when another wait was not awaited."""
        try:
            self.pending.remove(wait)
        except ValueError:
            raise TaskError(f"{wait!r} is awaited a second time: make another one") from None
        if self.pending:
            self.check()

    def check(self) -> None:
        """Check that every wait was awaited. Raises ``TaskError``, which names its line."""
        if self.pending:
            first = self.pending[0]
            # Cleared before the error, so that the next check does not report the same wait again.
            self.pending.clear()
            raise first.not_awaited_error()


def as_wait(method: Async) -> Callable[..., Wait[Any]]:
    """Return an async method of a task as a function that creates a wait, so that a missing await is detected."""

    @functools.wraps(method)
    def made(self: Any, *args: Any, **kwargs: Any) -> Wait[Any]:
        return Wait(self.waits, f"self.{method.__name__}", functools.partial(method, self, *args, **kwargs))

    return made


@coroutine
def run_state(work: Coroutine[Any, Any, T]) -> Generator[Any, Any, T]:
    """Run a state, and raise ``TaskError`` in it where it awaits anything but a wait."""
    resume: Callable[[Any], Any] = work.send
    outcome: Any = None
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
