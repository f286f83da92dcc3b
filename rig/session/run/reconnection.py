"""Open a board again that is lost while its task runs; see docs/decisions/broken-sessions.md."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TypeAlias

from msgspec import structs

from rig.core.engine.engine import Engine
from rig.core.engine.inbox import Inbox
from rig.core.errors import BoardError, NotReadyError, RecordError
from rig.core.journal.journal import MAX_BREAKS
from rig.core.model.board import Board, BoardInfo
from rig.core.model.events import DISCONNECTED, Continued, Fault
from rig.session.run.board_inbox import BoardInbox
from rig.session.run.phases import Phase, Phases
from rig.session.run.session_lines import SessionLines
from rig.session.run.tracking import TrackRecorder
from rig.session.spec.assembly import format_error
from rig.session.spec.session_spec import SessionSpec

RETRY_S = 0.5
"""The pause between two tries to open a board that is lost."""
Reopen: TypeAlias = Callable[[Inbox, Board], Board]
"""Builds a board again after it was lost, from the lost one; raises ``BoardError`` while there is none."""


class Reconnection:
    """The wait for a lost board; without ``reopen`` it cannot come back. ``make_inbox`` makes the next board's."""

    def __init__(
        self,
        spec: SessionSpec,
        engine: Engine,
        phases: Phases,
        lines: SessionLines,
        tracker: TrackRecorder | None,
        reopen: Reopen | None,
        make_inbox: Callable[[Inbox], BoardInbox],
    ) -> None:
        self._wiring = spec.plan.wiring
        self._within_s = spec.stop.reconnect_within_s
        self._engine = engine
        self._phases = phases
        self._lines = lines
        self._tracker = tracker
        self._reopen = reopen
        self._make_inbox = make_inbox
        self._needed_by = 0.0
        self._running: asyncio.Task[None] | None = None

    @property
    def left_s(self) -> float | None:
        """Return the time that is left to plug in the board; None while it is there."""
        if self._phases.now is not Phase.DISCONNECTED or self._engine.end_reason is not None:
            return None
        return max(0.0, self._needed_by - asyncio.get_running_loop().time())

    def fault_of(self, fault: Fault) -> Fault:
        """Return the fault to be recorded: one that ends the session, or one with which it waits for its board."""
        may_wait = self._engine.end_reason is None and self._engine.handlers.breaks < MAX_BREAKS and self._within_s
        if self._phases.now is not Phase.RUNNING or self._reopen is None or not may_wait:
            return fault
        loop = asyncio.get_running_loop()
        self._phases.enter(Phase.DISCONNECTED)
        self._needed_by = loop.time() + self._within_s
        self._running = loop.create_task(self._reconnect(fault, self._reopen))
        self._running.add_done_callback(self._has_failed)
        return structs.replace(fault, what=DISCONNECTED)

    async def stop(self) -> None:
        """Stop to wait: the session ends."""
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)

    async def _reconnect(self, fault: Fault, reopen: Reopen) -> None:
        """Open the lost board again, and go on; end the session if it is not back in time."""
        self._engine.board.drop()
        with suppress(TimeoutError):
            async with asyncio.timeout(self._within_s):
                while True:
                    if await self._try_to_open(fault, reopen):
                        return
                    await asyncio.sleep(RETRY_S)
        detail = f"{fault.detail}; it was not back within {self._within_s:g} s"
        self._lines.put(structs.replace(fault, t_us=self._engine.board.estimate_us()[0], detail=detail))

    def _has_failed(self, running: asyncio.Task[None]) -> None:
        """End the session after an error that is not the board's: it would wait for ever."""
        failure = None if running.cancelled() else running.exception()
        if failure is not None:
            self._lines.put_fault("link_lost", format_error(failure))

    async def _try_to_open(self, fault: Fault, reopen: Reopen) -> bool:
        """Open the board and go on; return whether it was there."""
        inbox = self._make_inbox(self._engine.inbox)
        start_us = self._next_start_us(fault)
        board: Board | None = None
        try:
            board = reopen(inbox, self._engine.board)
            opened = await board.open(replace(self._wiring, start_us=start_us))
            self._check_same(opened)
        except BaseException as error:
            inbox.end()
            if board is not None:
                board.drop()
            if not isinstance(error, BoardError):
                raise
            return False
        self._go_on_with(board, inbox, opened, Continued(start_us, start_us - fault.t_us, fault.what, restarted=False))
        return True

    def _next_start_us(self, fault: Fault) -> int:
        """Return the session time at which the board may start: a whole millisecond is whole ticks of every board."""
        return -(-max(self._engine.board.estimate_us()[0], self._engine.time.now_us, fault.t_us) // 1_000) * 1_000

    def _check_same(self, opened: BoardInfo) -> None:
        first = self._engine.link.opened
        if first is not None and opened.uid != first.uid:
            raise NotReadyError(f"this is board {opened.uid}, the session runs on board {first.uid}")

    def _go_on_with(self, board: Board, inbox: BoardInbox, opened: BoardInfo, event: Continued) -> None:
        engine, lost = self._engine, self._engine.board
        if self._phases.now is not Phase.DISCONNECTED:  # it has ended in the same instant, and waits for no board
            inbox.end()
            board.drop()
            return
        # Before its line: a disk that is full under it switches this board off.
        engine.board = board
        try:
            # Held: the task reads that it goes on only when all lines of the opening are written.
            engine.inbox.hold()
            engine.inbox.put(event)
        except RecordError as error:
            self._lines.failed(error)
            # Let go: its count of executed batches would close as refused what the lost board may have given.
            engine.board = lost
            inbox.end()
            board.drop()
        else:
            self._phases.enter(Phase.RUNNING)
            self._take_events(board, inbox, opened, event.t_us)
        engine.inbox.release()

    def _take_events(self, board: Board, inbox: BoardInbox, opened: BoardInfo, t_us: int) -> None:
        self._engine.link.opened = opened
        if self._tracker is not None:
            self._tracker.follow(board)
        try:
            inbox.begin()
        except RecordError as error:
            self._lines.failed(error)
        self._lines.openings(opened, t_us)
