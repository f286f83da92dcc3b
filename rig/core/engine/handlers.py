"""The effects of each event that a task reads on its rewards, its reflexes and its session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from rig.core.engine.activity import ActivityLimits, ActivityMonitor
from rig.core.engine.input_log import InputLog
from rig.core.engine.interrupts import Interrupt, SessionEnded, TrialAborted
from rig.core.engine.live_params import LiveParams
from rig.core.engine.observer import SessionObserver
from rig.core.engine.order_queue import OrderQueue
from rig.core.engine.reflexes import Reflexes
from rig.core.engine.reward_ledger import RewardLedger
from rig.core.engine.task_time import TaskTime
from rig.core.journal.journal import Journal
from rig.core.model.actions import RewardAction
from rig.core.model.events import (
    DISCONNECTED,
    WHOLE_BATCH,
    BoardTime,
    Continued,
    Edge,
    EntryRefused,
    Event,
    Fault,
    LeaseExpired,
    OutputOn,
    Overflow,
    Panic,
    Refused,
    Request,
    SequenceStarted,
)

MAX_LEASE_EXPIRATIONS = 3
"""The number of expired leases that ends the session: the host or the link stalls."""
_OF_AN_ARMING = ("newer_edge",)
"""The harmless refusal of an arm order: the host then does the action of the reflex itself."""
_OF_A_REWARD = ("busy", "interlock")
"""Reasons to refuse a drop that are no mistake: the subject was quicker than the valves."""

SEQUENCE_RUNS = (
    "a countdown or a row of rewards is running, and one by hand would take the place of one of them: try later"
)


class Handlers:
    """The event handlers of one task.

    ``reward_at(source)`` returns what an operator gives at a device, None for nothing there. ``write_rows`` is called
    when a pending reward may have been settled. ``host_inputs`` are the inputs that the host reads.
    """

    def __init__(
        self,
        journal: Journal,
        time: TaskTime,
        ledger: RewardLedger,
        orders: OrderQueue,
        reflexes: Reflexes,
        activity_limits: ActivityLimits,
        reward_at: Callable[[str], RewardAction | None],
        live: LiveParams,
        write_rows: Callable[[], None],
        observer: SessionObserver,
        host_inputs: Iterable[str] = (),
    ) -> None:
        self.inputs = InputLog()
        self.watch = ActivityMonitor(activity_limits, self._warn)
        self.answer = BoardTime(0, 0, 0)
        """The board's last time answer: its time, and the last batch that it had executed."""
        self.refusals: Counter[str] = Counter()
        self.began_us: dict[int, int] = {}
        """When each sequence last began, by its number."""
        self.refused_orders = 0
        """Orders that were refused and that the host has not repeated, as it does for an arming that comes late."""
        self.panic: SessionEnded | None = None
        """The end of the session by a panic button, once one was pressed."""
        self.is_disconnected = False
        """Whether the board is lost and the host waits for it."""
        self.breaks = 0
        """How many breaks the session has survived."""
        self._host_inputs = frozenset(host_inputs)
        self._journal = journal
        self._time = time
        self._ledger = ledger
        self._orders = orders
        self._reflexes = reflexes
        self.reward_at = reward_at
        self._live = live
        self._write_rows = write_rows
        self._observer = observer

    def on_edge(self, edge: Edge) -> None:
        """Record the level, and resolve the reflexes that the edge fires."""
        self.inputs.add(self._time.pauses.in_task_time(edge))
        self.watch.on_edge(edge)
        self._reflexes.resolve(edge)

    def on_held(self, edge: Edge) -> None:
        """Record what an edge of a pause has fired: the order that ended its reflex was on its way."""
        if edge.fired:
            self._reflexes.resolve(edge)

    @property
    def can_rest(self) -> bool:
        """Whether a pause is wanted and may begin here."""
        if not self._time.pauses.is_wanted or not self._time.may_rest or self.is_disconnected:
            return False
        return not self._reflexes.is_armed and not self._ledger.runs_sequence

    @property
    def wants_rest(self) -> bool:
        """Whether a pause is wanted, or the open one is to go on."""
        return self._time.pauses.is_wanted

    def on_deferred(self, edge: Edge) -> None:
        """Record what a deferred edge has fired: the board has decided it, whenever the task does."""
        self._reflexes.record(edge)

    def would_fire(self, edge: Edge) -> bool:
        """Whether an edge would fire an armed reflex."""
        return self._reflexes.would_fire(edge)

    def on_time(self, answer: BoardTime) -> Interrupt | None:
        """Record what the board has executed by now."""
        self.answer = answer
        if not self._time.started:
            self._time.start(answer.t_us)
        # Rows are written only when a reward was pending: this runs for every time answer.
        rows_wait = bool(self._ledger.pending)
        self._ledger.confirm(answer.executed, answer.t_us)
        if rows_wait:
            self._write_rows()
        # In a pause the subject has nothing to do.
        return None if self._time.pauses.is_paused else self.watch.check(answer.t_us)

    def on_control_event(self, event: Event) -> Interrupt | None:
        """Record refusals and requests; return what ends the trial or the session, whose time is then now."""
        interruption: Interrupt | None = None
        if isinstance(event, Refused):
            self._on_refusal(event)
        elif isinstance(event, EntryRefused):
            self._note_refusal(event.reason, is_reward=self._ledger.refuse_entry(event))
        elif isinstance(event, OutputOn):
            rows_wait = bool(self._ledger.pending)
            self._ledger.went_on(event)
            if rows_wait:
                self._write_rows()
        elif isinstance(event, SequenceStarted):
            self.began_us[event.sequence] = event.t_us
            self._ledger.started(event)
        elif isinstance(event, LeaseExpired):
            interruption = self._on_lease(event)
        elif isinstance(event, Panic):
            interruption = self._on_panic(event)
        elif isinstance(event, Request):
            interruption = self._on_request(event)
        elif isinstance(event, Overflow):
            # The board keeps its groups, unlike after an expired lease: leaving the interrupted state disarms them.
            if event.effects:
                self._ledger.doubt(event.executed, event.t_us)
                self._write_rows()
            interruption = TrialAborted()
        elif isinstance(event, Continued):
            interruption = self._on_continued(event)
        elif isinstance(event, Fault):
            self.is_disconnected = event.what == DISCONNECTED
            interruption = None if self.is_disconnected else SessionEnded("fault", event.detail)
        if interruption is not None:
            # An interrupt may be stamped after the deadline of the state, whose time never passes it.
            self._time.advance(min(event.t_us, self._time.deadline_us))
        return interruption

    def _on_refusal(self, refused: Refused) -> None:
        # A batch that found no room on the board has disarmed what it was to disarm: that comes first.
        has_disarmed = refused.order == WHOLE_BATCH and refused.reason == "no_room"
        is_reward = self._ledger.refuse(refused.batch, refused.order, has_disarmed=has_disarmed)
        self._note_refusal(refused.reason, is_reward=is_reward)
        self._write_rows()

    def _note_refusal(self, reason: str, *, is_reward: bool) -> None:
        self.refusals[reason] += 1
        self.refused_orders += reason not in (_OF_A_REWARD if is_reward else _OF_AN_ARMING)

    def _on_lease(self, event: LeaseExpired) -> Interrupt:
        # The board counts executed batches from 0 in its new epoch, and so does the host.
        self.answer = BoardTime(event.t_us, 0, event.number)
        # First the new numbering, then the queue: what was queued before was decided without knowledge of the expired
        # lease.
        self._orders.expire_lease()
        self._orders.clear()
        self._reflexes.clear()
        self._ledger.end_epoch(event.executed, event.t_us)
        self._write_rows()
        if self._orders.lease_expirations >= MAX_LEASE_EXPIRATIONS:
            return SessionEnded(
                "fault", f"the board's lease has expired {MAX_LEASE_EXPIRATIONS} times: the host or the link stalls"
            )
        return TrialAborted()

    def _on_continued(self, event: Continued) -> Interrupt:
        # As after an expired lease the board has forgotten everything; but it does not say what it had executed.
        self.answer = BoardTime(event.t_us, 0, 0)
        self.is_disconnected = False
        self._exclude_gap(event)
        self._orders.begin_with_board()
        self._orders.clear()
        self._reflexes.clear()
        self._ledger.end_with_board(event.t_us)
        self._ledger.restrict(event.ul, event.pellets, event.access_s)
        kept = frozenset() if event.restarted else self._host_inputs
        self.inputs.forget_levels(kept)
        self.watch.forget_levels(kept)
        self._write_rows()
        self.breaks += 1
        return TrialAborted()

    def _exclude_gap(self, event: Continued) -> None:
        """End the gap, in which task time stood still; a pause that was open then includes it."""
        if not self._time.pauses.is_paused:
            began_us = min(max(self._time.now_us, event.t_us - event.gap_us), event.t_us)
            self._time.pauses.exclude(began_us, event.t_us - began_us)
            self.watch.exclude(event.t_us - began_us)
        self._time.advance(event.t_us)

    def _on_panic(self, event: Panic) -> Interrupt:
        self.answer = BoardTime(event.t_us, 0, event.number)
        # The board executes nothing any more, so all else that was ordered or armed is settled here.
        self._orders.clear()
        self._reflexes.clear()
        self._ledger.end_epoch(event.executed, event.t_us)
        self._write_rows()
        self.panic = SessionEnded("panic", str(event))
        return self.panic

    def _on_request(self, request: Request) -> Interrupt | None:
        # A request without a known device does nothing: it may come from a program, and must not end a session.
        what, _, about = request.what.partition(" ")
        if what == "stop":
            return SessionEnded("operator")
        if what in ("pause", "resume"):
            self._time.pauses.is_wanted = what == "pause"
            self._time.pauses.requested_us = request.t_us
        if what == "set":
            self._observer.on_request(request, None, self._live.request(about))
        action = self.reward_at(about) if what == "reward" else None
        if action is not None:
            self._reward_by_hand(request, action)
        return None

    def _reward_by_hand(self, request: Request, action: RewardAction) -> None:
        if self.is_disconnected:
            self._observer.on_request(request, None, "the board is not connected")
            return
        # The board does a sequence by itself: of two rewards that overlap it would refuse the earned one.
        if self._ledger.runs_sequence:
            self._observer.on_request(request, None, SEQUENCE_RUNS)
            return
        reward = self._orders.put(action, by="operator")
        self._observer.on_request(request, reward, "" if reward is not None else self._ledger.limit_text(action))

    def _warn(self, what: str, channel: str, since_us: int) -> None:
        self._journal.note(self._time.now_us, what, channel=channel, since_us=since_us)
