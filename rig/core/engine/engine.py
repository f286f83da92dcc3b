"""The engine connects one task to one board: it sends batches of orders, reads events and enforces reward limits.

The engine has no clock and no port. All its decisions follow from the events that it reads, in the order of the
journal. A replay with the same lines yields the same orders.
"""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence

from rig.core.engine.activity import ActivityLimits
from rig.core.engine.callbacks import Callbacks
from rig.core.engine.device_link import DeviceLink
from rig.core.engine.event_reader import ALARM, FAR_US, NOTICED, EventReader, Outcome, Rest, Timeout, Wanted
from rig.core.engine.handlers import Handlers
from rig.core.engine.inbox import Inbox
from rig.core.engine.interrupts import Interrupt, SessionEnded, TrialAborted
from rig.core.engine.live_params import LiveParams
from rig.core.engine.observer import SessionObserver
from rig.core.engine.order_queue import OrderQueue
from rig.core.engine.pauses import LONGEST_US, Pauses
from rig.core.engine.reflexes import Reflexes
from rig.core.engine.reward_allowance import Allowance
from rig.core.engine.reward_ledger import RewardLedger
from rig.core.engine.task_log import TaskLog
from rig.core.engine.task_time import TaskTime
from rig.core.engine.trials import Trials
from rig.core.errors import RecordError, RigError, TaskError
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import AllOff, Paused, Resumed
from rig.core.model.actions import Code, RewardAction
from rig.core.model.board import Board, BoardInfo
from rig.core.model.events import TASK_EVENTS, TaskEvent


def no_reward(source: str) -> RewardAction | None:
    """Return None: an operator gives nothing anywhere."""
    return None


def _join_next_batch() -> None:
    """Send nothing: the wait is over, and the state's next orders travel with these."""


class Engine:
    """A connection of one task's parts, which runs its waits.

    ``make_board`` returns the board that puts its events into an inbox. ``host_inputs`` are the inputs that the host
    reads. ``reward_at`` returns the manual reward of a device. ``describe`` returns the text of a mistake in the
    protocol. A pause longer than ``longest_pause_us`` ends the session. ``live`` are the parameters that an operator
    may change. ``codes`` are the sync codes that the board sends for the whole session. With ``keep_mistakes`` a row
    is written whatever its cells hold.
    """

    def __init__(
        self,
        journal: Journal,
        make_board: Callable[[Inbox], Board],
        ledger: RewardLedger,
        *,
        activity_limits: ActivityLimits | None = None,
        host_inputs: Iterable[str] = (),
        observer: SessionObserver | None = None,
        reward_at: Callable[[str], RewardAction | None] = no_reward,
        describe: Callable[[BaseException], str] = str,
        longest_pause_us: int = LONGEST_US,
        live: LiveParams | None = None,
        codes: Sequence[Code] = (),
        keep_mistakes: bool = False,
    ) -> None:
        self.journal = journal
        self.ledger = ledger
        self.observer = observer or SessionObserver()
        self.time = TaskTime(pauses=Pauses(longest_pause_us))
        self.log = TaskLog(journal, self.time, self.observer, keep_mistakes=keep_mistakes)
        self.trials = Trials(self.log, ledger.trial_rewards)
        self.orders = OrderQueue(self.time, ledger, codes, self.observer)
        self.reflexes = Reflexes(host_inputs, self.orders, ledger)
        self.live = live or LiveParams()
        self.handlers = self._make_handlers(activity_limits or ActivityLimits(), reward_at)
        self.link = DeviceLink(self.orders.put, self.handlers.inputs)
        self.allowance = Allowance(journal)
        self.end_reason: SessionEnded | RigError | None = None
        self._describe = describe
        self.reader = EventReader(journal, self.handlers, self._ask_time, self._send_at_once)
        self.callbacks = Callbacks(self.time)
        self.reader.watched = self.callbacks.watched
        self.inbox = self.reader.inbox
        # The board comes last: it may put events into the inbox as soon as it exists.
        self.board = make_board(self.inbox)

    def _make_handlers(self, limits: ActivityLimits, reward_at: Callable[[str], RewardAction | None]) -> Handlers:
        return Handlers(
            self.journal,
            self.time,
            self.ledger,
            self.orders,
            self.reflexes,
            limits,
            reward_at,
            self.live,
            self.write_rows,
            self.observer,
            self.reflexes.host_inputs,
        )

    def on_opened(self, opened: BoardInfo) -> None:
        """Handle the opened board: give its facts to the devices and the observer."""
        self.link.opened = opened
        self.observer.on_opened(opened)

    def manual_reward(self, source: str) -> RewardAction | None:
        """Return what an operator gives at a device; None for nothing there."""
        return self.handlers.reward_at(source)

    # --- what goes out --------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Send the queued orders."""
        # The disk must allow the rewards before the board can give them: see docs/decisions/power-cuts.md.
        self.allowance.cover(self.time.now_us, self.ledger)
        for number, orders in self.orders.take():
            seen = self.reader.last_read
            # The journal line comes before the bytes: after a crash it shows every order that may have been executed.
            self.journal.command(self.time.now_us, self.orders.epoch, number, seen, orders)
            self.board.batch(orders, seen, self.orders.board_epoch, number)

    def _send_at_once(self) -> None:
        if self.orders.pending:
            self.flush()
            # A row waits for the status of its rewards, so the board is asked at once what it has executed.
            if self.ledger.pending:
                self.reader.ask_time(0)

    def _ask_time(self, at_us: int) -> None:
        self.board.ask_time(at_us)

    def write_all_off(self, t_us: int) -> None:
        """Write the all-off order, which overtakes all batches sent so far."""
        self.journal.write(AllOff(t_us, self.orders.epoch, self.orders.batches))

    def discard_pending(self) -> None:
        """Remove what was queued and armed: the board has removed it too, or is about to."""
        self.orders.clear()
        self.reflexes.clear()

    def write_rows(self) -> None:
        """Write the rows whose rewards are all settled.

        A mistake in a row's own code ends the session as the protocol's fault. Rows are settled while events are read,
        so the wait that is reading raises it.
        """
        # A journal that cannot be written is a fault of the disk. Every other error comes from the row class of the
        # protocol.
        try:
            self.trials.write_settled()
        except RecordError:
            raise
        except (Exception, SystemExit) as error:
            self.inbox.failure = self.inbox.failure or TaskError(self._describe(error))

    # --- waits ----------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Read the initial levels of the inputs, and the time; start the sync codes."""
        await self._outcome(self.reader.read_time())
        self._send_at_once()

    async def wait_executed(self) -> int:
        """Send the batch and read on until the board has executed it; return the board's time then."""
        self._go_on()
        self.flush()
        # Each answer counts the batches executed by then, so one answer may confirm several.
        while self.handlers.answer.executed < self.orders.batches:
            await self._outcome(self.reader.read_time())
        return self.handlers.answer.t_us

    def resume(self) -> None:
        """Remove the end of the session, so that a closing state can wait."""
        self.end_reason = None

    def _go_on(self) -> None:
        if self.end_reason is not None:  # every later wait raises it too, also one in a ``finally:`` block
            raise self.end_reason

    async def _outcome(self, reading: Awaitable[Outcome]) -> Outcome:
        try:
            outcome = await reading
        except CancelledError:
            self._stop()
            raise
        self._notify(at_once=outcome is NOTICED)
        return self._checked(outcome)

    def _stop(self) -> None:
        # A wait in a ``finally:`` block of the protocol must raise too, or it would delay the stop.
        self.end_reason = SessionEnded("operator")

    def _checked(self, outcome: Outcome) -> Outcome:
        if isinstance(outcome, (Interrupt, RigError)):
            # An aborted trial does not end the session: the waits of the next trial must work.
            self.end_reason = outcome if isinstance(outcome, (SessionEnded, RigError)) else None
            raise outcome
        return outcome

    # Not a coroutine itself: that would be one more to resume at the end of each wait.
    def wait(self, wanted: Wanted, within_us: int | None) -> Coroutine[object, None, TaskEvent | None]:
        """Send the batch and wait for one of ``wanted``; return None when ``within_us`` have passed.

        The event is in task time, without the pauses.
        """
        self._go_on()
        self.observer.on_wait(wanted, within_us)
        if self.handlers.can_rest:
            return self._wait_after_rest(wanted, within_us)
        return self._read(wanted, self._begin_wait(wanted, within_us))

    async def _wait_after_rest(self, wanted: Wanted, within_us: int | None) -> TaskEvent | None:
        await self._rest(self.time.now_us)
        return await self._read(wanted, self._begin_wait(wanted, within_us))

    def _begin_wait(self, wanted: Wanted, within_us: int | None) -> int:
        """Send the batch of a wait, with its reflexes; return the wait's own deadline."""
        time = self.time
        # A wait without ``within_us`` gets a deadline 1 us after the state's. So the state's deadline comes first, and
        # the session ends below.
        own_us = time.deadline_us + 1 if within_us is None else time.now_us + within_us
        # Reflexes are armed with the batch of the wait: all its edges become members, so the board decides which came
        # first.
        if self.reflexes:
            self.reflexes.arm(wanted, None if within_us is None else own_us)
        if self.orders.pending:
            self.flush()
        return own_us

    async def _read(self, wanted: Wanted, own_us: int) -> TaskEvent | None:
        """Read for one wait, with the functions that are called in it, and with its pauses: each moves its deadline."""
        time, keep_skipped = self.time, False
        while True:
            deadline_us = min(own_us, time.deadline_us)
            alarm_us = min(self.callbacks.alarm_us, self.reflexes.alarm_us)
            query_now = bool(self.ledger.pending)
            try:
                outcome = await self.reader.read(
                    wanted, deadline_us, query_now, keep_skipped=keep_skipped, alarm_us=alarm_us
                )
            except CancelledError:
                self._stop()
                raise
            self._notify(at_once=outcome is NOTICED)
            self._checked(outcome)
            if isinstance(outcome, Rest):
                # The request's time is the host's estimate: a deadline that it has passed is not moved back.
                own_us += await self._rest(min(time.pauses.requested_us, deadline_us, alarm_us))
            elif outcome is ALARM:
                self._on_alarm(alarm_us)
            elif outcome is not NOTICED:
                break
            keep_skipped = True
            if self.orders.pending:
                self.flush()
        if isinstance(outcome, TASK_EVENTS):
            time.advance(outcome.t_us)
            return time.pauses.in_task_time(outcome)
        # Task time after a timeout is the deadline, not the time of the answer, which depends on the link.
        time.advance(deadline_us)
        if own_us > time.deadline_us:
            self.end_reason = SessionEnded("time_limit")
            raise self.end_reason
        return None

    def _on_alarm(self, alarm_us: int) -> None:
        if self.callbacks.alarm_us == alarm_us:
            self.callbacks.run_next()
            return
        self.time.advance(alarm_us)
        self.reflexes.rearm_next()

    def _notify(self, *, at_once: bool) -> None:
        """Run the functions that watch what was read; ``at_once`` sends their orders, and not with the next wait."""
        if not self.reader.noticed:
            return
        noticed, self.reader.noticed = self.reader.noticed, []
        # Only the last event's orders wait: those of many, as after a break, are more than one batch may hold.
        for left, event in zip(range(len(noticed) - 1, -1, -1), noticed, strict=True):
            self.callbacks.notify(event, self._send_at_once if at_once or left else _join_next_batch)

    async def _rest(self, at_us: int) -> int:
        """Wait in a pause from a time of the board until it is resumed; return for how long, in microseconds.

        Outputs are safe meanwhile, and on again afterwards. A session that ends in a pause leaves it open.
        """
        time, pauses = self.time, self.time.pauses
        began_us, deadline_us = max(at_us, time.now_us), time.deadline_us
        pauses.pause(began_us)
        time.deadline_us = FAR_US
        self.journal.write(Paused(began_us))
        afterwards = self.orders.make_safe()
        if self.orders.pending:
            self.flush()
        try:
            outcome = await self._outcome(self.reader.rest(pauses.latest_end_us))
        except TrialAborted:
            # The trial starts again where it may; the pause goes on there.
            self._resume(began_us, time.now_us, deadline_us)
            pauses.is_wanted = True
            raise
        if isinstance(outcome, Timeout):
            self.end_reason = SessionEnded("operator", f"it was paused for longer than {pauses.longest_min:g} minutes")
            raise self.end_reason
        length_us = self._resume(began_us, pauses.requested_us, deadline_us)
        for order in afterwards:
            self.orders.put(order)
        return length_us

    def _resume(self, began_us: int, at_us: int, deadline_us: int) -> int:
        length_us = self.time.pauses.end(at_us)
        self.time.deadline_us = deadline_us + length_us
        self.time.advance(began_us + length_us)
        self.handlers.watch.exclude(length_us)
        self.journal.write(Resumed(began_us + length_us, length_us))
        # A group that is not armed yet must not be decided by what happened in the pause.
        self.reader.end_rest(self.handlers.inputs.level, read=not self.reflexes)
        self._notify(at_once=False)
        return length_us
