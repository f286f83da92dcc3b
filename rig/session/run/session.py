"""One session: open the board, run the task, and switch all outputs off at any end.

`rig.session.run.phases` has the phases of its life. `SessionLines` writes what happens, `Reconnection` waits for a
lost board, and `Ending` leads to the footer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial

from rig.core.engine.inbox import Inbox
from rig.core.engine.interrupts import SessionEnded
from rig.core.engine.observer import SessionObserver
from rig.core.errors import ConfigError, NotReadyError, RigError, TaskError
from rig.core.journal.journal import Journal
from rig.core.model.board import Board
from rig.core.model.events import Fault, Request
from rig.core.task.runner import IMMEDIATE_END_REASONS
from rig.session.replay_board import ReplayBoard
from rig.session.run.board_inbox import BoardInbox
from rig.session.run.current_part import CurrentPart
from rig.session.run.ending import Ending, TaskEnd
from rig.session.run.footer import Outcome
from rig.session.run.phases import IMMEDIATE_STOP, WITH_TASK, Phase, Phases
from rig.session.run.rebuild import Resumption
from rig.session.run.reconnection import Reconnection, Reopen
from rig.session.run.sampling import SampleRecorder
from rig.session.run.session_lines import SessionLines
from rig.session.run.tracking import TrackRecorder
from rig.session.spec.assembly import format_error, wire_up_task
from rig.session.spec.session_spec import SessionSpec


class Session:
    """One run of one specification; the caller supplies the journal and the board, the running loop the time.

    With a ``resumption`` it goes on with a session that broke off. ``reopen`` builds the board again after it was lost.
    ``sampler`` keeps what the board samples.
    """

    def __init__(
        self,
        spec: SessionSpec,
        journal: Journal,
        make_board: Callable[[Inbox], Board],
        tracker: TrackRecorder | None = None,
        observer: SessionObserver | None = None,
        resumption: Resumption | None = None,
        reopen: Reopen | None = None,
        sampler: SampleRecorder | None = None,
    ) -> None:
        self.journal = journal
        self.spec = spec
        self.tracker = tracker
        self.sampler = sampler or SampleRecorder({})
        self.phases = Phases(Phase.OPENING if resumption is None else Phase.REBUILDING)
        self._make_board = make_board
        self._resumption = resumption
        self._task: asyncio.Task[SessionEnded] | None = None
        self._subject_failure: BaseException | None = None
        # A session that goes on is rebuilt first, and its board has executed the orders of that time.
        first_board = self._make_first_board if resumption is None else lambda inbox: ReplayBoard()
        self.engine, self.runner = wire_up_task(spec, journal, first_board, observer)
        self.inbox = self.engine.inbox
        self.lines = SessionLines(spec.plan, self.engine, self.phases, resumption)
        self._part = CurrentPart(self.phases)
        self._reconnection = Reconnection(
            spec, self.engine, self.phases, self.lines, tracker, reopen, partial(self._board_inbox, opening=True)
        )
        self._ending = Ending(
            spec.plan, self.engine, self.runner, self.phases, self.lines, self._part, tracker, self.sampler
        )

    async def run(self, subject: Coroutine[object, None, None] | None = None) -> Outcome:
        """Run to the end and return how it ended. Raises ``BoardError`` when the board is not there or not ready.

        ``subject`` is the coroutine of a virtual subject, alive from the board's opening to the session's end.
        """
        try:
            await self._begin()
        except BaseException:
            if subject is not None:
                # A coroutine that never started: Python warns of one that is neither awaited nor closed.
                subject.close()
            await self._give_up()
            if self.phases.now is not Phase.CANCELED:
                self.phases.enter(Phase.REFUSED)
                raise
            if self._resumption is not None:
                self.phases.enter(Phase.REFUSED)
                raise NotReadyError("stopped before the board was open: the session is as it was") from None
            # The operator's stop is an end of the session and no failed start, so its journal gets a footer.
            return await self._ending.run(TaskEnd(SessionEnded("operator")))
        try:
            task_end = await self._run_task(subject)
            await self._reconnection.stop()
            return await self._ending.run(task_end)
        except BaseException:
            # Also after a mistake of the program in the end itself: only the board's lease would switch it off.
            self.board.abort()
            raise

    # --- before the task runs with the board ----------------------------------------------------------------------

    async def _begin(self) -> None:
        if self._resumption is None:
            # Header and allowance are on the disk before the board can give a reward: see
            # docs/decisions/power-cuts.md.
            self.journal.write(self.spec.header)
            self.engine.allowance.begin()
        else:
            await self._rebuild(self._resumption)
        await self._open_rig()

    async def _rebuild(self, resumption: Resumption) -> None:
        """Run the recorded part of the broken session; its task then waits, and reads on with the board."""
        # Made first, so that its port is closed if the session cannot go on.
        board = self._make_first_board(self.inbox)
        self._task = self._start_task()
        try:
            await self._part.run("rebuild", resumption.rebuild(self.engine, self._task))
        except BaseException:
            board.abort()
            raise
        if self.phases.now is Phase.REBUILDING:
            self.phases.enter(Phase.OPENING)
        self.engine.board = board
        self.inbox.hold()
        self.lines.go_on(resumption)

    async def _open_rig(self) -> None:
        start_us = 0 if self._resumption is None else self._resumption.start_us
        if self.tracker is not None:
            await self._part.run("camera", self.tracker.open())
        opened = await self._part.run("open", self.board.open(replace(self.spec.plan.wiring, start_us=start_us)))
        if self._resumption is not None:
            self._resumption.check_board(opened)
        self.lines.openings(opened, start_us)
        self.engine.on_opened(opened)
        self.sampler.start(self.journal, self.lines.fail)
        if self.tracker is not None:
            self.tracker.start(self.board, self.journal, self.lines.put, self.lines.fail, self.lines.camera_gone)
        if self.phases.now is Phase.OPENING:
            self.phases.enter(Phase.RUNNING)

    async def _give_up(self) -> None:
        """Stop all that runs in a session that does not begin."""
        # abort() sends all-off without waiting: the board may be open already, and may not answer.
        self.board.abort()
        self.sampler.close()
        if self.tracker is not None:
            self.tracker.close()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _make_first_board(self, inbox: Inbox) -> Board:
        return self._make_board(self._board_inbox(inbox))

    def _board_inbox(self, inbox: Inbox, *, opening: bool = False) -> BoardInbox:
        return BoardInbox(inbox, self._on_board_lost, self.sampler.record, opening=opening)

    def _on_board_lost(self, fault: Fault) -> Fault:
        """Return the fault to be recorded; while the task runs, the session may wait for its board."""
        is_running = self._task is not None and not self._task.done()
        return self._reconnection.fault_of(fault) if is_running else fault

    # --- the task -------------------------------------------------------------------------------------------------

    def _start_task(self) -> asyncio.Task[SessionEnded]:
        return asyncio.get_running_loop().create_task(self.runner.run(), name="task")

    async def _run_task(self, subject: Coroutine[object, None, None] | None) -> TaskEnd:
        living: asyncio.Task[None] | None = None
        if subject is not None:
            living = asyncio.get_running_loop().create_task(_alive(subject), name="subject")
            living.add_done_callback(self._subject_died)
        try:
            if self._task is None:
                self._task = self._start_task()
            self.inbox.release()
            end = await self._part.join(self._task)
            # After a stop or a fault the host switches the outputs off at once, even if that cuts a drop.
            if end.reason not in IMMEDIATE_END_REASONS:
                await self._part.run("deliveries", self._finish_deliveries())
            return TaskEnd(end, self._subject_failure)
        except asyncio.CancelledError:
            # Only the operator's immediate stop cancels it; a protocol that cancels itself is found by the dry run.
            return TaskEnd(SessionEnded("operator"))
        except Exception as error:  # also the protocol's own mistake: the animal must not pay for it
            refuses = isinstance(error, NotReadyError | ConfigError)
            return TaskEnd(SessionEnded("fault", format_error(error)), error, refuses)
        finally:
            if living is not None:
                living.cancel()
                # The subject's failure is in the journal already; raised here it would replace the end of the session.
                await asyncio.gather(living, return_exceptions=True)

    async def _finish_deliveries(self) -> None:
        """Wait until the running deliveries end: a session that is over must not cut what it counts as given."""
        left_us = self.engine.ledger.delivery_end_us - self.board.estimate_us()[0]
        if left_us > 0:
            await asyncio.sleep(left_us / 1e6)

    def _subject_died(self, living: asyncio.Task[None]) -> None:
        failure = None if living.cancelled() else living.exception()
        if failure is not None:
            self._subject_failure = failure
            self.lines.put_fault("subject", format_error(failure))

    # --- from outside ---------------------------------------------------------------------------------------------

    @property
    def board(self) -> Board:
        """Return the board of now."""
        return self.engine.board

    @property
    def reconnect_s(self) -> float | None:
        """Return the time that is left to plug in a board that is lost; None while it is there."""
        return self._reconnection.left_s

    @property
    def is_ending(self) -> bool:
        """Whether the end has begun, so that the task reads no request any more."""
        return self.phases.is_ending or self.engine.end_reason is not None

    def request(self, what: str) -> None:
        """Send the task a request, in the order of its events: ``stop``, ``reward left``."""
        self.send_request(self.make_request(what))

    def make_request(self, what: str) -> Request:
        """Return a request with the time of now."""
        t_us, uncertainty_us = self.board.estimate_us()
        return Request(t_us, what, round(asyncio.get_running_loop().time() * 1e6), uncertainty_us)

    def send_request(self, request: Request) -> None:
        """Send the task a request that `make_request` has returned."""
        self.lines.put(request)

    def note(self, text: str) -> int:
        """Write a note of the operator, and return its time on the board's clock in microseconds."""
        stamps = self.make_request("note")
        self.lines.operator_note(stamps, text)
        return stamps.t_us

    def fail(self, error: RigError, what: str = "record") -> None:
        """End the session with a fault; outputs go off before anything else."""
        self.lines.fail(error, what)

    def stop_now(self) -> None:
        """End now: all off without waiting for an answer."""
        before = self.phases.now
        if before in IMMEDIATE_STOP:
            self.phases.enter(IMMEDIATE_STOP[before])
        self.board.abort()  # before the line: a disk that hangs must not keep a valve open
        if before in WITH_TASK:
            self.lines.all_off()
        self._part.cancel()


async def _alive(subject: Coroutine[object, None, None]) -> None:
    """Wait for the end of a virtual subject. Raises its error; ``TaskError`` for a call of ``sys.exit``."""
    try:
        await subject
    except SystemExit as error:  # it would end the program before the session has an end
        raise TaskError("the virtual subject called sys.exit").with_traceback(error.__traceback__) from None
