"""The part of a session that is waited for: an immediate stop cancels the wait."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

from rig.session.run.phases import Phases

T = TypeVar("T")


class CurrentPart:
    """The opening, the task, the last drop or the board's last exchange: one after the other."""

    def __init__(self, phases: Phases) -> None:
        self._phases = phases
        self._running: asyncio.Task[object] | None = None

    async def run(self, name: str, work: Coroutine[object, None, T]) -> T:
        """Wait for a part. Raises ``CancelledError`` after an immediate stop, without starting it."""
        if self._phases.is_stopped:
            work.close()
            raise asyncio.CancelledError
        return await self.join(asyncio.get_running_loop().create_task(work, name=name))

    async def join(self, task: asyncio.Task[T]) -> T:
        """Wait for a part that runs already. Raises ``CancelledError`` after an immediate stop."""
        self._running = task
        if self._phases.is_stopped:
            task.cancel()
        return await task

    def cancel(self) -> None:
        """Cancel the part that is waited for, if any."""
        if self._running is not None:
            self._running.cancel()
