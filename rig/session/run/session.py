"""One session: open the board, run the task, and switch all outputs off at any end.

The order of the end is fixed: outputs off and the board's last event read, then the rewards of the running trial,
then its row, then the footer. A row needs its rewards, and the footer sums up both.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from rig.core.engine.engine import Engine
from rig.core.engine.inbox import Inbox
from rig.core.engine.interrupts import SessionEnded
from rig.core.engine.observer import SessionObserver
from rig.core.errors import BoardError, ConfigError, NotReadyError, RecordError, RigError, TaskError
from rig.core.journal.delivered import MAX_UNRECORDED_US
from rig.core.journal.journal import MAX_BREAKS, Journal
from rig.core.model.board import Board, BoardInfo, Health, Input
from rig.core.model.events import DISCONNECTED, Continued, Event, Fault, Request
from rig.core.task.runner import IMMEDIATE_END_REASONS, Runner
from rig.session.replay_board import ReplayBoard
from rig.session.run.board_inbox import BoardInbox
from rig.session.run.rebuild import Resumption
from rig.session.run.tracking import TrackRecorder
from rig.session.spec.assembly import format_error, wire_up_task
from rig.session.spec.session_spec import SessionSpec

T = TypeVar("T")
RETRY_S = 0.5
"""The pause between two tries to open a board that is lost."""
_NOT_BACK = "it was not back within %g s"


@dataclass(frozen=True)
class Outcome:
    """How a session ended."""

    reason: str
    detail: str
    rows: int
    rewards: int
    ul: float
    pellets: int
    carried_over: Mapping[str, Any]
    health: Health
    t_us: int
    unconfirmed_rewards: int = 0
    access_s: float = 0.0
    failure: BaseException | None = None
    refused_orders: int = 0
    """Orders that the board refused and that were not repeated."""


class Session:
    """One run of one specification; the caller supplies the journal and the board, the running loop the time.

    With a ``resumption`` it goes on with a session that broke off. ``reopen`` builds the board again after it was lost,
    from the lost one; it raises ``BoardError`` while there is none.
    """

    def __init__(
        self,
        spec: SessionSpec,
        journal: Journal,
        make_board: Callable[[Inbox], Board],
        tracker: TrackRecorder | None = None,
        observer: SessionObserver | None = None,
        resumption: Resumption | None = None,
        reopen: Callable[[Inbox, Board], Board] | None = None,
    ) -> None:
        self.journal = journal
        self.spec = spec
        self.tracker = tracker
        self._make_board = make_board
        self._resumption = resumption
        self._reopen = reopen
        self._reconnecting: asyncio.Task[None] | None = None
        self._board_needed_by: float | None = None
        """The loop's time at which a board that is lost must be back."""
        self._uid = ""
        # A session that goes on is rebuilt first, and its board has executed the orders of that time.
        first_board = self._make_first_board if resumption is None else lambda inbox: ReplayBoard()
        self.engine, self.runner = wire_up_task(spec, journal, first_board, observer)
        self.inbox = self.engine.inbox
        self._running: asyncio.Task[Any] | None = None
        self._task: asyncio.Task[SessionEnded] | None = None
        self._is_rebuilding = False
        self._early: list[Event] = []
        self._subject_failure: BaseException | None = None
        self._opened = False
        self._task_started = False
        self._stopping_now = False
        self._off_written = False
        self._footer_written = False
        self._unwritten: RecordError | None = None

    async def run(self, subject: Any = None) -> Outcome:
        """Run to the end and return how it ended. Raises ``BoardError`` when the board is not there or not ready.

        ``subject`` is the coroutine of a virtual subject, alive from the board's opening to the session's end.
        """
        try:
            if self._resumption is None:
                # Header and allowance are on the disk before the board can give a reward: see
                # docs/decisions/power-cuts.md.
                self.journal.note(0, "header", **self.spec.header)
                self.engine.allowance.begin()
            else:
                await self._rebuild(self._resumption)
            await self._open_rig()
        except BaseException:
            if subject is not None:
                # A coroutine that never started: Python warns of one that is neither awaited nor closed.
                subject.close()
            # abort() sends all-off without waiting: the board may be open already, and may not answer.
            self.board.abort()
            if self.tracker is not None:
                self.tracker.close()
            await self._drop_task()
            # The operator's stop is an end of the session and no failed start, so its journal gets a footer.
            if self._stopping_now and self._resumption is None:
                return await self._end(SessionEnded("operator"), None)
            if self._stopping_now:
                raise NotReadyError("stopped before the board was open: the session is as it was") from None
            raise
        end, failure = await self._run_task(subject)
        return await self._end(end, failure)

    @property
    def reconnect_s(self) -> float | None:
        """Return the time that is left to plug in a board that is lost; None while it is there."""
        if self._board_needed_by is None or self.is_ending:
            return None
        return max(0.0, self._board_needed_by - asyncio.get_running_loop().time())

    @property
    def board(self) -> Board:
        """Return the board of now."""
        return self.engine.board

    async def _open_rig(self) -> None:
        start_us = 0 if self._resumption is None else self._resumption.start_us
        if self.tracker is not None:
            await self._await_part("camera", self.tracker.open())
        wiring = replace(self.spec.plan.wiring, start_us=start_us)
        opened = await self._await_part("open", self.board.open(wiring))
        if self._resumption is not None:
            self._resumption.check_board(opened)
        self._opened, self._uid = True, opened.uid
        self._write_openings(opened, start_us)
        self.engine.on_opened(opened)
        if self.tracker is not None:
            self.tracker.start(self.board, self.journal, self._put, self.fail, self._camera_gone)

    def _write_openings(self, opened: BoardInfo, start_us: int) -> None:
        """Write what the board has kept of earlier sessions; where no line can be written this session ends."""
        try:
            self.journal.openings(opened, [channel.name for channel in self.spec.plan.wiring.channels], start_us)
        except RecordError as error:
            self._journal_failed(error)

    async def _rebuild(self, resumption: Resumption) -> None:
        """Run the recorded part of the broken session; its task then waits, and reads on with the board."""
        # Made first, so that its port is closed if the session cannot go on.
        board = self._make_first_board(self.inbox)
        self._is_rebuilding = True
        self._task = asyncio.get_running_loop().create_task(self._start_task(), name="task")
        try:
            await self._await_part("rebuild", resumption.rebuild(self.engine, self._task))
        except BaseException:
            board.abort()
            raise
        self._is_rebuilding = False
        self.engine.board = board
        self.inbox.hold()
        resumption.journal.go_on()
        for event in (resumption.event, *self._early):
            self.inbox.put(event)

    def _make_first_board(self, inbox: Inbox) -> Board:
        return self._make_board(BoardInbox(inbox, self._on_board_lost))

    # --- a board that is lost and comes back ----------------------------------------------------------------------

    def _on_board_lost(self, fault: Fault) -> Fault:
        """Return the fault to be recorded: one that ends the session, or one with which it waits for its board."""
        running = self._task is not None and not self._task.done()
        may_wait = self._opened and running and not self.is_ending and self.engine.handlers.breaks < MAX_BREAKS
        if self._reopen is None or not may_wait or not self.spec.stop.reconnect_within_s:
            return fault
        self._reconnecting = asyncio.get_running_loop().create_task(self._reconnect(fault, self._reopen))
        self._reconnecting.add_done_callback(self._reconnecting_failed)
        return fault._replace(what=DISCONNECTED)

    async def _reconnect(self, fault: Fault, reopen: Callable[[Inbox, Board], Board]) -> None:
        """Open the lost board again, and go on; end the session if it is not back in time."""
        self.board.drop()
        within_s = self.spec.stop.reconnect_within_s
        self._board_needed_by = asyncio.get_running_loop().time() + within_s
        board = None
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                while board is None:
                    board = await self._try_to_open(fault, reopen)
        self._board_needed_by = None
        if board is None:
            self._put(
                fault._replace(t_us=self.board.estimate_us()[0], detail=f"{fault.detail}; {_NOT_BACK % within_s}")
            )

    def _reconnecting_failed(self, reconnecting: asyncio.Task[None]) -> None:
        """End the session after an error that is not the board's: it would wait for ever."""
        failure = None if reconnecting.cancelled() else reconnecting.exception()
        if failure is not None:
            self._put_fault("link_lost", format_error(failure))

    async def _try_to_open(self, fault: Fault, reopen: Callable[[Inbox, Board], Board]) -> Board | None:
        """Open the board; return None after a while if it is not there."""
        inbox = BoardInbox(self.inbox, self._on_board_lost, opening=True)
        # A whole millisecond is a whole number of ticks of every board.
        start_us = -(-max(self.board.estimate_us()[0], self.engine.time.now_us, fault.t_us) // 1_000) * 1_000
        board: Board | None = None
        try:
            board = reopen(inbox, self.board)
            opened = await board.open(replace(self.spec.plan.wiring, start_us=start_us))
            if opened.uid != self._uid:
                raise NotReadyError(f"this is board {opened.uid}, the session runs on board {self._uid}")
        except BaseException as error:
            inbox.end()
            if board is not None:
                board.drop()
            if not isinstance(error, BoardError):
                raise
            await asyncio.sleep(RETRY_S)
            return None
        self._go_on_with(board, inbox, opened, Continued(start_us, start_us - fault.t_us, fault.what, restarted=False))
        return board

    def _go_on_with(self, board: Board, inbox: BoardInbox, opened: BoardInfo, event: Continued) -> None:
        self.engine.board = board
        self.engine.link.opened = opened
        if self.tracker is not None:
            self.tracker.follow(board)
        try:
            # Held: the task reads that it goes on only when all lines of the opening are written.
            self.inbox.hold()
            self.inbox.put(event)
            inbox.begin()
        except RecordError as error:
            self._journal_failed(error)
        self._write_openings(opened, event.t_us)
        self.inbox.release()

    async def _stop_reconnecting(self) -> None:
        if self._reconnecting is not None:
            self._reconnecting.cancel()
            await asyncio.gather(self._reconnecting, return_exceptions=True)

    async def _drop_task(self) -> None:
        """Stop the task of a session that cannot go on."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _await_part(self, name: str, work: Coroutine[Any, Any, T]) -> T:
        """Wait for one part of the session; `stop_now` cancels the wait."""
        if self._stopping_now:
            work.close()
            raise asyncio.CancelledError
        return await self._await_task(asyncio.get_running_loop().create_task(work, name=name))

    async def _await_task(self, task: asyncio.Task[T]) -> T:
        self._running = task
        if self._stopping_now:
            task.cancel()
        return await task

    async def _run_task(self, subject: Any) -> tuple[SessionEnded, BaseException | None]:
        living: asyncio.Task[None] | None = None
        if subject is not None:
            living = asyncio.get_running_loop().create_task(_alive(subject), name="subject")
            living.add_done_callback(self._subject_died)
        try:
            if self._task is None:
                self._task = asyncio.get_running_loop().create_task(self._start_task(), name="task")
            self.inbox.release()
            end = await self._await_task(self._task)
            # After a stop or a fault the host switches the outputs off at once, even if that cuts a drop.
            if end.reason not in IMMEDIATE_END_REASONS:
                await self._await_part("deliveries", self._finish_deliveries())
            return end, self._subject_failure
        except asyncio.CancelledError:
            # Only the operator's immediate stop cancels it; a protocol that cancels itself is found by the dry run.
            return SessionEnded("operator"), None
        except Exception as error:  # also the protocol's own mistake: the animal must not pay for it
            return SessionEnded("fault", format_error(error)), error
        finally:
            if living is not None:
                living.cancel()
                # The subject's failure is in the journal already; raised here it would replace the end of the session.
                await asyncio.gather(living, return_exceptions=True)

    async def _start_task(self) -> SessionEnded:
        # Set in the task itself: if it was canceled before its first step, a replay must not run the protocol.
        self._task_started = True
        return await self.runner.run()

    async def _finish_deliveries(self) -> None:
        """Wait until the running deliveries end: a session that is over must not cut what it counts as given."""
        left_us = self.engine.ledger.delivery_end_us - self.board.estimate_us()[0]
        if left_us > 0:
            await asyncio.sleep(left_us / 1e6)

    def _subject_died(self, living: asyncio.Task[None]) -> None:
        failure = None if living.cancelled() else living.exception()
        if failure is not None:
            self._subject_failure = failure
            self._put_fault("subject", format_error(failure))

    async def _end(self, end: SessionEnded, failure: BaseException | None) -> Outcome:
        await self._stop_reconnecting()
        self._discard_pending()
        # Taken before the board is closed: that exchange takes a round trip, and is no part of the session.
        ended_us = self._ended_us(end)
        end = self.runner.final_reason(end)
        health = await self._close()
        lost: RigError | None = None if self.tracker is None else self.tracker.close()
        # The all-off line was tried before the last positions: the first failure is the cause.
        lost = self._unwritten or lost
        if lost is not None and failure is None:
            end, failure = SessionEnded("fault", str(lost)), lost
        refused = isinstance(failure, NotReadyError | ConfigError) and failure is not self._subject_failure
        if failure is not None and refused and not self.journal.counts["command"]:  # nothing has happened yet
            raise failure
        try:
            self._write_health(health, ended_us)
            carried_over, mistake = self._settle(health, ended_us)
            # The button may have been pressed after the task's last event: the end of the session says so all the same.
            if failure is None and self.engine.handlers.panic is not None:
                end = self.engine.handlers.panic
            if mistake is not None and failure is None:
                end, failure = SessionEnded("fault", format_error(mistake)), mistake
            outcome = self._outcome(end, failure, health, carried_over, ended_us)
            self._write_footer(outcome)
        except RecordError as error:
            # Without room for a footer the journal ends here; `rig recover` appends one.
            fault = SessionEnded("fault", str(error))
            outcome = self._outcome(fault, error, health, self.runner.task.carried_over, ended_us)
        return outcome

    def _ended_us(self, end: SessionEnded) -> int:
        """Return when it ended: a limit is reached in task time, everything else happens while the task waits."""
        interrupted = self._opened and end.reason in (*IMMEDIATE_END_REASONS, "idle")
        # Never before the last event that the task has read: the host's estimate may be behind it.
        return max(self.engine.time.now_us, self.board.estimate_us()[0] if interrupted else 0)

    def _discard_pending(self) -> None:
        """Cancel what was not sent; where no line can be written the session ends all the same."""
        # Raised here, the error would skip the board's all-off and look like a session that never began.
        try:
            self.engine.discard_pending()
        except RecordError as error:
            self._unwritten = self._unwritten or error

    def _write_all_off(self) -> None:
        """Write, once, that everything is to go off; where no line can be written the order goes all the same."""
        if not self._off_written and self._opened:
            self._off_written = True
            try:
                self.engine.write_all_off(self.board.estimate_us()[0])
            except RecordError as error:
                self._unwritten = self._unwritten or error

    async def _close(self) -> Health:
        self._write_all_off()
        try:
            return await self._await_part("close", self.board.close())
        except asyncio.CancelledError:
            if not self._stopping_now:
                raise
            # The operator did not wait for a dead board: its open rewards stay unconfirmed, and count.
            return Health(False, 0, 0)

    def _write_health(self, health: Health, ended_us: int) -> None:
        """Write what the board's end was, from which it follows what became of every reward."""
        self.journal.note(ended_us, "health", complete=health.complete, executed=health.executed, **health.counters)

    def _settle(self, health: Health, ended_us: int) -> tuple[Mapping[str, Any], BaseException | None]:
        """Write the last rows and rewards, and return the carried-over values and the protocol's error, if any."""
        task = self.runner.task
        try:
            finish_records(self.engine, self.runner, health, ended_us)
            carried_over = dict(self.runner.carried_over())
            # Tried here: a value that JSON cannot hold is the protocol's fault, and must not fail the footer.
            json.dumps(carried_over, allow_nan=False)
            return carried_over, self.inbox.failure if isinstance(self.inbox.failure, TaskError) else None
        except RecordError:
            raise
        except (Exception, SystemExit) as error:  # the footer must be written all the same
            return task.carried_over, error

    def _outcome(
        self,
        end: SessionEnded,
        failure: BaseException | None,
        health: Health,
        carried_over: Mapping[str, Any],
        ended_us: int,
    ) -> Outcome:
        account = self.engine.ledger.account
        rewards, amount = account.total
        return Outcome(
            reason=end.reason,
            detail=end.detail,
            rows=self.engine.log.rows,
            rewards=rewards,
            ul=amount.ul,
            pellets=amount.pellets,
            carried_over=carried_over,
            health=health,
            t_us=ended_us,
            unconfirmed_rewards=account.unconfirmed.rewards,
            access_s=round(amount.access_s, 6),
            failure=failure,
            refused_orders=self.engine.handlers.refused_orders,
        )

    def _write_footer(self, outcome: Outcome) -> None:
        self._footer_written = True
        self.journal.note(
            outcome.t_us,
            "footer",
            reason=outcome.reason,
            detail=outcome.detail,
            counts=self.journal.counts,
            complete=outcome.health.complete,
            executed=outcome.health.executed,
            task_started=self._task_started,
            # After an immediate stop the board's last event is not known; the last one that the task has read is.
            last_event=max(outcome.health.last_event, self.engine.reader.last_read),
            unconfirmed_rewards=outcome.unconfirmed_rewards,
            unacknowledged_batches=list(outcome.health.unacknowledged_batches),
            inactive_inputs=self.engine.handlers.watch.inactive_inputs(self._inputs()),
            refusals=self.engine.handlers.refusals,
            refused_orders=outcome.refused_orders,
            lease_expirations=self.engine.orders.lease_expirations,
            rewards=outcome.rewards,
            ul=round(outcome.ul, 6),
            pellets=outcome.pellets,
            access_s=outcome.access_s,
            given=self.engine.ledger.account.rows(),
            trials=outcome.rows,
            carry_over=dict(outcome.carried_over),
            digest=self.journal.digest,
        )

    @property
    def is_ending(self) -> bool:
        """Whether the end has begun, so that the task reads no request any more."""
        return self._stopping_now or self._off_written or self.engine.end_reason is not None

    def _inputs(self) -> list[str]:
        plan = self.spec.plan
        return [
            *(channel.name for channel in plan.wiring.channels if isinstance(channel, Input)),
            *sorted(plan.host_inputs),
        ]

    def request(self, what: str) -> None:
        """Send the task a request, in the order of its events: ``stop``, ``reward left``."""
        self.send_request(self.make_request(what))

    def make_request(self, what: str) -> Request:
        """Return a request with the time of now."""
        t_us, uncertainty_us = self.board.estimate_us()
        return Request(t_us, what, round(asyncio.get_running_loop().time() * 1e6), uncertainty_us)

    def send_request(self, request: Request) -> None:
        """Send the task a request that `make_request` has returned."""
        self._put(request)

    def note(self, text: str) -> int:
        """Write a note of the operator, and return its time on the board's clock in microseconds."""
        stamps = self.make_request("note")
        try:
            self.journal.operator_note(stamps.t_us, text, stamps.raw_us, stamps.uncertainty_us)
        except RecordError as error:
            self._journal_failed(error)
        return stamps.t_us

    def fail(self, error: RigError, what: str = "record") -> None:
        """End the session with a fault; outputs go off before anything else."""
        self.board.all_off()
        asyncio.get_running_loop().call_soon(self._write_failure, what, str(error))  # a line may be half written

    def _write_failure(self, what: str, detail: str) -> None:
        if self._footer_written:  # the disk has filled under the last lines, which are kept: none may follow them
            return
        self._write_all_off()
        self._put_fault(what, detail)

    def _camera_gone(self, why: str) -> None:
        """End the session where zones are the camera's; where they are beams it goes on, and its track ends."""
        if self.spec.plan.host_inputs:
            self.fail(NotReadyError(why), "camera")
            return
        try:
            self.journal.note(self.board.estimate_us()[0], "note", what="camera_lost", detail=why)
        except RecordError as error:
            self._journal_failed(error)

    def _put_fault(self, what: str, detail: str) -> None:
        self._put(Fault(self.board.estimate_us()[0], what, detail))

    def _put(self, event: Event) -> None:
        if self._is_rebuilding and self._resumption is not None:  # the events of now come after the recorded ones
            self._early.append(event._replace(t_us=self._resumption.start_us))
            return
        try:
            self.inbox.put(event)
        except RecordError as error:
            self._journal_failed(error)

    def _journal_failed(self, error: RecordError) -> None:
        # Outputs off first: a reward that cannot be recorded must not be given.
        self.board.all_off()
        self.inbox.fail(error)

    def stop_now(self) -> None:
        """End now: all off without waiting for an answer."""
        self._stopping_now = True
        self.board.abort()  # before the line: a disk that hangs must not keep a valve open
        self._write_all_off()
        if self._running is not None:
            self._running.cancel()


def finish_records(engine: Engine, runner: Runner, health: Health, ended_us: int) -> None:
    """Read what is left, say what became of every drop, and write the rows that waited for it."""
    engine.reader.drain()
    # Again: an edge among the last events may make the host order a reward, which cannot be sent any more.
    engine.discard_pending()
    # Only the board's answer says what it executed: without it no open reward is closed as refused or canceled.
    if health.complete:
        engine.ledger.end_epoch(health.executed)
    # Dated at the latest possible delivery, so that no daily total counts it too early.
    engine.ledger.mark_unconfirmed(ended_us + MAX_UNRECORDED_US)
    runner.task.end_interrupted_trial()
    engine.write_rows()
    runner.conclude(ended_us)


async def _alive(subject: Any) -> None:
    """Wait for the end of a virtual subject. Raises its error; ``TaskError`` for a call of ``sys.exit``."""
    try:
        await subject
    except SystemExit as error:  # it would end the program before the session has an end
        raise TaskError("the virtual subject called sys.exit").with_traceback(error.__traceback__) from None
