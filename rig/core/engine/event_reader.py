"""Reading of one inbox: a wait only reads forward, and no event that it has read can turn out to be late.

Timestamps decide about deadlines and never reorder events. The board may report an edge that it had to confirm after
edges with later stamps. So the reader defers an edge that is stamped after the deadline. If the board's answer confirms
that the deadline has passed, the next wait reads the deferred edges. If an edge in time still arrives, this wait skips
the deferred edges. Events of a screen are read in the same way, in the order in which they arrived.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Set
from itertools import takewhile
from typing import Protocol, TypeAlias

from msgspec.structs import replace

from rig.core.engine.activity import ActivityMonitor
from rig.core.engine.immediate_future import ImmediateFuture
from rig.core.engine.inbox import Inbox
from rig.core.engine.interrupts import Interrupt
from rig.core.errors import RigError
from rig.core.journal.journal import Journal
from rig.core.model.events import (
    SCREEN_EVENTS,
    TASK_EVENTS,
    BoardTime,
    Continued,
    Edge,
    Event,
    Fault,
    FrameShown,
    Hover,
    Request,
    ScreenEvent,
    TaskEvent,
    Touch,
    ZoneEvent,
)

Wanted: TypeAlias = Collection[tuple[str, int]]


class Timeout:
    """The outcome of a wait whose deadline has passed."""


class Rest:
    """The outcome of a read at which a pause begins or ends; the wait goes on."""


class Notice:
    """The outcome of a read that has read a watched event, or passed the time of an alarm; the wait goes on."""


TIMEOUT = Timeout()
REST = Rest()
NOTICED, ALARM = Notice(), Notice()
Outcome: TypeAlias = TaskEvent | Timeout | Rest | Notice | Interrupt | RigError

FAR_US = 1 << 62
"""A time later than any deadline."""


class EventHandler(Protocol):
    """The receiver of the events that are read; its monitor sets when the board's time must be known."""

    watch: ActivityMonitor
    is_disconnected: bool

    @property
    def can_rest(self) -> bool:
        """Whether a pause is wanted and may begin here."""

    @property
    def wants_rest(self) -> bool:
        """Whether a pause is wanted, or the open one is to go on."""

    def on_held(self, edge: Edge) -> None:
        """Handle an edge of a pause, which the task reads afterwards or never."""

    def on_edge(self, edge: Edge) -> None:
        """Handle an edge that a wait took or skipped."""

    def on_deferred(self, edge: Edge) -> None:
        """Handle an edge that is read now and decided later."""

    def would_fire(self, edge: Edge) -> bool:
        """Whether an edge would fire a reflex."""

    def on_time(self, answer: BoardTime) -> Interrupt | None:
        """Handle the board's time; return the interrupt of the wait, if any."""

    def on_control_event(self, event: Event) -> Interrupt | None:
        """Handle any other event; return the interrupt of the wait, if any."""


class EventReader:
    """A reader of one inbox for one task.

    ``ask_time(at_us)`` sends a time query to the board. ``on_skipped`` is called after an event that the wait skipped.
    """

    def __init__(
        self,
        journal: Journal,
        handler: EventHandler,
        ask_time: Callable[[int], None],
        on_skipped: Callable[[], None],
    ) -> None:
        self.inbox = Inbox(journal, self._advance)
        self.skipped: list[Edge] = []
        self.skipped_touches: list[Touch] = []
        self.hovering = ""
        """The item under the pointer, by the last report that was read."""
        self.watched: Set[tuple[str, int]] = frozenset()
        """Patterns of the events that are kept in ``noticed``, whether a wait takes or skips them."""
        self.noticed: list[TaskEvent] = []
        self._last = 0
        self._any_time = False
        self._handler = handler
        self._ask = ask_time
        self._on_skipped = on_skipped
        self._asked_us = FAR_US
        # Deferred events keep their order of arrival: the next wait must decide them in the order of the journal.
        self._deferred: list[TaskEvent] = []
        self._wanted: Wanted = ()
        self._deadline_us = 0
        self._alarm_us = FAR_US
        self._resting = False
        self._held: list[TaskEvent] = []
        self._held_zones: list[ZoneEvent] = []
        self._waiting: ImmediateFuture[Outcome] | None = None

    @property
    def last_read(self) -> int:
        """Return the number of the last board event that no later wait will read again."""
        if not self._deferred:
            return self._last
        # An arming names this number. The board then refuses one over a deferred edge, and the host does the action.
        return next(
            (deferred.number - 1 for deferred in self._deferred if type(deferred) is Edge and deferred.number),
            self._last,
        )

    @property
    def open_wait(self) -> tuple[Wanted, int] | None:
        """Return what the open wait asks for, and its deadline in microseconds; None between two waits."""
        is_open = self._waiting is not None and not self._waiting.done
        return (self._wanted, self._deadline_us) if is_open else None

    async def rest(self, latest_us: int) -> Outcome:
        """Read on until the pause is resumed; ``TIMEOUT`` if it lasts beyond ``latest_us``.

        Edges, touches and frames are held for `end_rest`.
        """
        self._resting = True
        try:
            return await self.read((), latest_us, keep_skipped=True)
        finally:
            self._resting = False

    def end_rest(self, level: Callable[[str], int], *, read: bool) -> None:
        """Add to the inbox what the pause has changed: the last edge of each input whose level differs, and all frames.

        The next wait reads them, with ``read`` false it skips them: a reflex must not give what was earned in a pause.
        """
        last = {edge.channel: edge for edge in self._held if isinstance(edge, Edge)}
        # Without a number and a group: both were noted when the edge was held.
        changed = [
            replace(edge, fired=0, number=0) if isinstance(edge, Edge) else edge
            for edge in self._held
            if not isinstance(edge, Edge) or (edge is last[edge.channel] and edge.level != level(edge.channel))
        ]
        self._held.clear()
        if read:
            self.inbox.events.extendleft(reversed(changed))
        else:
            for event in changed:
                self._skip(event)

    async def read_time(self) -> Outcome:
        """Read on to the board's next answer to ``time?``."""
        self._any_time = True
        try:
            return await self.read((), FAR_US, query_now=True)
        finally:
            self._any_time = False

    def read(
        self,
        wanted: Wanted,
        deadline_us: int,
        query_now: bool = False,
        *,
        keep_skipped: bool = False,
        alarm_us: int = FAR_US,
    ) -> ImmediateFuture[Outcome]:
        """Wait for the first of ``wanted`` with a stamp of at most ``deadline_us``.

        ``query_now`` queries the board's time at once: a pending reward depends on what the board has executed.
        ``keep_skipped``: the read goes on with the wait before it. ``ALARM`` comes before the first event or time
        answer with a stamp after ``alarm_us``; without one within the deadline there is no alarm.
        """
        if not keep_skipped:
            self.skipped, self.skipped_touches = [], []
        self._wanted, self._deadline_us = wanted, deadline_us
        self._alarm_us = alarm_us if alarm_us <= deadline_us else FAR_US
        # What the last wait deferred comes before everything in the inbox, as it does in the journal.
        if self._deferred:
            self.inbox.events.extendleft(reversed(self._deferred))
            self._deferred.clear()
        waiting: ImmediateFuture[Outcome] = ImmediateFuture()
        self._waiting = waiting
        # Events that arrived between two waits are read at once. Waiting for the next arrival could wait forever.
        if self.inbox.events or self.inbox.failure is not None:
            self._advance()
        if not waiting.done:
            # Without a query a silent rig would never confirm the deadline: see docs/decisions/confirmed-deadlines.md.
            self.ask_time(0 if query_now else self._next_question_us)
        return waiting

    @property
    def _next_question_us(self) -> int:
        if self._resting:
            return self._deadline_us
        return min(self._deadline_us, self._alarm_us, self._handler.watch.next_check_us)

    def ask_time(self, at_us: int) -> None:
        """Send a time query for board time ``at_us``, in place of the previous one."""
        self._asked_us = at_us
        self._ask(at_us)

    def drain(self) -> list[Event]:
        """Read all remaining events and return them."""
        # What an edge of a pause has fired is noted already.
        held = [replace(event, fired=0) if isinstance(event, Edge) else event for event in self._held]
        left: list[Event] = [*held, *self._held_zones, *self._deferred, *self.inbox.events]
        self._held.clear()
        self._held_zones.clear()
        self._deferred.clear()
        self.inbox.events.clear()
        # The session is over: an interrupt that an event causes has no wait to end, so it is dropped.
        for event in left:
            if isinstance(event, ZoneEvent):
                self._skip(event.edge)
            elif isinstance(event, TASK_EVENTS):
                self._skip(event)
            elif isinstance(event, BoardTime):
                self._handler.on_time(event)
            else:
                self._handler.on_control_event(event)
        return left

    def _advance(self) -> None:
        waiting, events = self._waiting, self.inbox.events
        # Between two waits nothing is read: an event read then would belong to no wait.
        if waiting is None or waiting.done:
            return
        # To read an event is to decide, and without a journal nothing may be decided: the rest stays for ``drain``.
        while events and not self.inbox.journal_failed:
            event = events.popleft()
            if event.t_us > self._alarm_us and self._passes_alarm(event):
                # The event stays for the same wait: unlike a deadline, an alarm decides about no event.
                events.appendleft(event)
                self._forget_unread()
                outcome: Outcome | None = ALARM
            elif self._handler.is_disconnected:
                outcome = self._judge_without_board(event)
            elif self._resting:
                outcome = self._judge_in_rest(event)
            elif type(event) is Edge:
                outcome = self._judge_edge(event)
            elif isinstance(event, SCREEN_EVENTS):
                outcome = self._judge_screen(event)
            else:
                outcome = self._judge(event)
            # Without its board the task stands still, also in a pause: the functions are called when it goes on.
            if outcome is None and self.noticed and not self._handler.is_disconnected:
                outcome = NOTICED
            if outcome is not None:
                waiting.set_result(outcome)
                return
            # A skipped edge may have queued an order, such as the reward of a reflex that the board refused. It cannot
            # wait for the end of this wait.
            if not self._handler.is_disconnected:
                self._on_skipped()
        next_check_us = FAR_US if self._resting else self._handler.watch.next_check_us
        if next_check_us < self._asked_us:  # a skipped edge may start a long stay, which needs an earlier check
            self.ask_time(next_check_us)
        # Events come before the failure: what the board reported until then still counts.
        if self.inbox.failure is not None:
            waiting.set_result(self.inbox.failure)

    def _passes_alarm(self, event: Event) -> bool:
        # Not an event that only the host has stamped, such as a request: its time is an estimate.
        return isinstance(event, (BoardTime, ZoneEvent, *TASK_EVENTS)) and not self._handler.is_disconnected

    def _forget_unread(self) -> None:
        """Set the last event that was read to one before those that the last wait deferred, and no wait has read."""
        # Not beyond a break: the board numbers its events from 1 again, and a replay has them all in the inbox.
        events = takewhile(lambda event: type(event) is not Continued, self.inbox.events)
        unread = next((event.number for event in events if type(event) is Edge and event.number), None)
        if unread is not None:
            self._last = min(self._last, unread - 1)

    def _judge(self, event: Event) -> Outcome | None:
        if type(event) is BoardTime:
            interruption = self._handler.on_time(event)
            self._last = event.number
            # Strictly later: behind an answer at the deadline itself, a board whose host stamps the events may still
            # report an edge with the same stamp.
            if event.t_us > self._deadline_us or self._any_time:
                return TIMEOUT
            if interruption is None:
                self.ask_time(self._next_question_us)
            return interruption
        if type(event) is ZoneEvent:
            return self._judge_edge(event.edge)
        if isinstance(event, Continued):
            self._skip_deferred()
            self._last = 0  # a board that was opened again numbers its events from 1
            interruption = self._handler.on_control_event(event)
            self.inbox.events.extendleft(reversed(self._held_zones))
            self._held_zones.clear()
            return interruption
        if not isinstance(event, (ZoneEvent, Request, Fault, *SCREEN_EVENTS)):
            self._last = event.number
        interruption = self._handler.on_control_event(event)
        if type(event) is Request and interruption is None:
            return REST if not self._resting and self._handler.can_rest else None
        if interruption is not None:  # deferred events came before it; no later wait may read them after it
            self._skip_deferred()
        return interruption

    def _judge_without_board(self, event: Event) -> Outcome | None:
        """Handle an event while the board is lost: the task must not go on, because no order could be executed."""
        if isinstance(event, ZoneEvent):  # where the animal is counts afterwards too
            self._held_zones.append(event)
        elif isinstance(event, Edge):
            self._skip(event)
        elif isinstance(event, Hover):
            self.hovering = event.on
        elif not isinstance(event, (BoardTime, *SCREEN_EVENTS)):
            return self._judge(event)
        return None

    def _judge_in_rest(self, event: Event) -> Outcome | None:
        if isinstance(event, ZoneEvent):
            event = event.edge
        if isinstance(event, Edge):
            self._last = max(self._last, event.number)
            self._handler.on_held(event)
            self._held.append(event)
        elif isinstance(event, FrameShown):  # a wait for it would never end otherwise
            self._held.append(event)
        elif type(event) is BoardTime:
            return self._judge(event)
        elif isinstance(event, Hover):
            self.hovering = event.on
        elif not isinstance(event, SCREEN_EVENTS):  # touches and keys of a pause mean nothing
            interruption = self._judge(event)
            if interruption is not None or not self._handler.wants_rest:
                return interruption or REST
        return None

    def _judge_edge(self, edge: Edge) -> Edge | Timeout | None:
        if edge.t_us > self._deadline_us:
            self._deferred.append(edge)
            self._handler.on_deferred(edge)
            # If the edge fires a reflex, that reflex has a later deadline than this wait. The board has then decided
            # the group, so no edge that it reports later can answer this wait.
            return TIMEOUT if self._handler.would_fire(edge) else None
        if self._deferred:
            self._skip_deferred()
        self._on_edge(edge)
        # Edges that the host reads have no number; they must not reset the last board event.
        self._last = edge.number or self._last
        if (edge.channel, edge.level) in self._wanted:
            return edge
        self.skipped.append(edge)
        return None

    def _judge_screen(self, event: ScreenEvent) -> ScreenEvent | None:
        if event.t_us > self._deadline_us:
            self._deferred.append(event)
            return None
        if self._deferred:
            self._skip_deferred()
        if any(question in self._wanted for question in event.matches):
            self._note_screen_event(event)
            return event
        self._skip(event)
        return None

    def _skip_deferred(self) -> None:
        for deferred in self._deferred:
            self._skip(deferred)
        self._deferred.clear()

    def _skip(self, event: TaskEvent) -> None:
        if isinstance(event, Edge):
            self._on_edge(event)
            # Later events may have been read while this edge was deferred: the number must not go back.
            self._last = max(self._last, event.number)
            self.skipped.append(event)
            return
        self._note_screen_event(event)
        if isinstance(event, Touch):
            self.skipped_touches.append(event)

    def _on_edge(self, edge: Edge) -> None:
        self._handler.on_edge(edge)
        if (edge.channel, edge.level) in self.watched:
            self.noticed.append(edge)

    def _note_screen_event(self, event: ScreenEvent) -> None:
        if self.watched and any(key in self.watched for key in event.matches):
            self.noticed.append(event)
        # The program changes the picture: a frame is no activity of the subject.
        if isinstance(event, FrameShown):
            self._handler.watch.on_frame_shown(event.frame, event.t_us)
        elif isinstance(event, Hover):  # no activity either: a pointer that rests is reported when the picture changes
            self.hovering = event.on
        else:
            self._handler.watch.note_activity(event.t_us)
