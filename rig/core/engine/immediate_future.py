"""A future whose result resumes the task at once, in the same pass of the loop.

A future of asyncio resumes its task one pass later, and that pass would lie between an edge and the order that answers
it. For the rest it behaves as a future: the loop's own tasks accept any object that does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from contextvars import Context
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class ImmediateFuture(Generic[T]):
    """One outcome, awaited by one task."""

    __slots__ = ("_asyncio_future_blocking", "_cancelled", "_context", "_loop", "_outcome", "_resume", "done")

    def __init__(self) -> None:
        self.done = False
        self._asyncio_future_blocking = False
        self._cancelled = False
        self._loop = asyncio.get_running_loop()
        self._outcome: Any = None
        self._resume: Callable[[object], object] | None = None
        self._context: Context | None = None

    def set_result(self, outcome: T) -> None:
        """Set the outcome; the waiting task runs before this returns, unless another task is running."""
        self._outcome = outcome
        self.done = True
        if self._resume is None or self._context is None:
            return
        # Within another task a direct call would nest two tasks, which asyncio refuses; then one pass is lost.
        if asyncio.current_task(self._loop) is None:
            self._context.run(self._resume, self)
        else:
            self._loop.call_soon(self._resume, self, context=self._context)

    def __await__(self) -> Generator[object, None, T]:
        if not self.done:
            # The flag by which asyncio's tasks tell a future from a bare yield.
            self._asyncio_future_blocking = True
            yield self
        outcome: T = self._outcome
        return outcome

    # --- what a task asks of a future --------------------------------------------------------------------------

    def get_loop(self) -> asyncio.AbstractEventLoop:
        """Return its event loop."""
        return self._loop

    def add_done_callback(self, resume: Callable[[object], object], *, context: Context) -> None:
        """Record how the task is resumed."""
        self._resume, self._context = resume, context

    def cancel(self, msg: object = None) -> bool:
        """Cancel the wait; the task is resumed in the next pass."""
        if self.done:
            return False
        self.done = self._cancelled = True
        # In the next pass, as with asyncio's futures: ``Task.cancel`` returns before the task runs.
        if self._resume is not None:
            self._loop.call_soon(self._resume, self, context=self._context)
        return True

    def result(self) -> None:
        """Raise ``CancelledError`` when the wait was cancelled."""
        # A task calls this for the exception only; ``__await__`` returns the outcome to the state.
        if self._cancelled:
            raise asyncio.CancelledError
