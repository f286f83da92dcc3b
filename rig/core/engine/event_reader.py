"""One inbox, one cursor: a wait reads forward, and nothing it reads can be late.

Stamps judge deadlines and never reorder. A debounced or confirmed edge is reported after edges with later
stamps, so an edge stamped after the deadline is only set aside: when the board's answer says that the deadline
has passed, what was set aside is put back for the next wait; when an edge in time still comes, it was passed
over. What a screen has to say is read in the same way, among the edges, in the order in which it arrived.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Protocol, TypeAlias

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
    Edge,
    Event,
    Fault,
    FrameShown,
    Key,
    Request,
    ScreenEvent,
    TaskEvent,
    Touch,
    ZoneEvent,
)

Wanted: TypeAlias = Collection[tuple[str, int]]


class Timeout:
    """The outcome of a wait whose deadline has passed."""


TIMEOUT = Timeout()
Outcome: TypeAlias = TaskEvent | Timeout | Interrupt | RigError

FAR_US = 1 << 62
"""Later than any deadline."""


class EventHandler(Protocol):
    """Handles what the cursor reads; its watch says when the board's time must be known at the latest."""

    watch: ActivityMonitor

    def on_edge(self, edge: Edge) -> None:
        """Take note of an edge, taken or passed over."""

    def on_deferred(self, edge: Edge) -> None:
        """Take note of an edge that is read now and judged later."""

    def would_fire(self, edge: Edge) -> bool:
        """Whether an edge would decide a reflex."""

    def on_time(self, answer: BoardTime) -> Interrupt | None:
        """Take note of the board's time; return what it interrupts the wait with, if it does."""

    def on_control_event(self, event: Event) -> Interrupt | None:
        """Take note of anything else; return what it interrupts the wait with, if it does."""


class EventReader:
    """Reads one inbox for one task.

    ``ask_time(at_us)`` has the board asked for its time; ``on_skipped`` is called after an event that the wait passed
    over.
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
        self._last = 0
        self._any_time = False
        self._handler = handler
        self._ask = ask_time
        self._on_passed = on_skipped
        self._asked_us = FAR_US
        self._deferred: list[TaskEvent] = []
        self._wanted: Wanted = ()
        self._deadline_us = 0
        self._waiting: ImmediateFuture[Outcome] | None = None

    @property
    def last_read(self) -> int:
        """Number of the last board event that has been read for good."""
        if not self._deferred:
            return self._last
        return next(
            (deferred.number - 1 for deferred in self._deferred if type(deferred) is Edge and deferred.number),
            self._last,
        )

    async def read_time(self) -> Outcome:
        """Pass over everything up to the board's next answer to ``time?``."""
        self._any_time = True
        try:
            return await self.read((), FAR_US, query_now=True)
        finally:
            self._any_time = False

    def read(self, wanted: Wanted, deadline_us: int, query_now: bool = False) -> ImmediateFuture[Outcome]:
        """Wait for the first of ``wanted`` that is stamped no later than ``deadline_us``.

        With ``query_now`` the board's time is asked for at once too: something hangs on what it has executed.
        """
        self.skipped, self.skipped_touches = [], []
        self._wanted, self._deadline_us = wanted, deadline_us
        if self._deferred:
            self.inbox.events.extendleft(reversed(self._deferred))
            self._deferred.clear()
        waiting: ImmediateFuture[Outcome] = ImmediateFuture()
        self._waiting = waiting
        if self.inbox.events or self.inbox.failure is not None:
            self._advance()
        if not waiting.done:
            self.ask_time(0 if query_now else min(deadline_us, self._handler.watch.next_check_us))
        return waiting

    def ask_time(self, at_us: int) -> None:
        """Have the board asked for its time at ``at_us``, in place of what was asked before."""
        self._asked_us = at_us
        self._ask(at_us)

    def drain(self) -> list[Event]:
        """Read everything that is left, whatever it is, and return it."""
        left: list[Event] = [*self._deferred, *self.inbox.events]
        self._deferred.clear()
        self.inbox.events.clear()
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
        if waiting is None or waiting.done:
            return
        while events:
            event = events.popleft()
            if type(event) is Edge:
                outcome: Outcome | None = self._judge_edge(event)
            elif isinstance(event, SCREEN_EVENTS):
                outcome = self._judge_screen(event)
            else:
                outcome = self._judge(event)
            if outcome is not None:
                waiting.set_result(outcome)
                return
            self._on_passed()
        next_check_us = self._handler.watch.next_check_us
        if next_check_us < self._asked_us:  # what has just been passed over may be the beginning of a long stay
            self.ask_time(next_check_us)
        if self.inbox.failure is not None:
            waiting.set_result(self.inbox.failure)

    def _judge(self, event: Event) -> Outcome | None:
        if type(event) is BoardTime:
            interruption = self._handler.on_time(event)
            self._last = event.number
            if event.t_us > self._deadline_us or self._any_time:
                return TIMEOUT
            if interruption is None:
                self.ask_time(min(self._deadline_us, self._handler.watch.next_check_us))
            return interruption
        if type(event) is ZoneEvent:
            return self._judge_edge(event.edge)
        if not isinstance(event, ZoneEvent | Request | Fault | Touch | Key | FrameShown):
            self._last = event.number
        interruption = self._handler.on_control_event(event)
        if interruption is not None:  # what was put aside came before it, and nothing is read backwards
            self._skip_deferred()
        return interruption

    def _judge_edge(self, edge: Edge) -> Edge | Timeout | None:
        if edge.t_us > self._deadline_us:
            self._deferred.append(edge)
            self._handler.on_deferred(edge)
            # A reflex that it decides outlives this wait: no edge reported later can be the answer any more.
            return TIMEOUT if self._handler.would_fire(edge) else None
        if self._deferred:
            self._skip_deferred()
        self._handler.on_edge(edge)
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
            self._note_screen_activity(event)
            return event
        self._skip(event)
        return None

    def _skip_deferred(self) -> None:
        for deferred in self._deferred:
            self._skip(deferred)
        self._deferred.clear()

    def _skip(self, event: TaskEvent) -> None:
        if isinstance(event, Edge):
            self._handler.on_edge(event)
            self._last = max(self._last, event.number)
            self.skipped.append(event)
            return
        self._note_screen_activity(event)
        if isinstance(event, Touch):
            self.skipped_touches.append(event)

    def _note_screen_activity(self, event: ScreenEvent) -> None:
        if isinstance(event, FrameShown):
            self._handler.watch.on_frame_shown(event.frame, event.t_us)
        else:
            self._handler.watch.note_activity(event.t_us)
