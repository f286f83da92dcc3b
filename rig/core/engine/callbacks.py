"""The functions of a protocol that the engine calls beside its waits: at an event, and when a time has passed.

A wait goes on while they run. They run in the protocol's own turn, so that an error in one ends the state that waits.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from rig.core.engine.event_reader import FAR_US
from rig.core.engine.task_time import TaskTime
from rig.core.model.events import Edge, TaskEvent


class Watch(NamedTuple):
    """A function that is called at each event of some patterns."""

    patterns: Collection[tuple[str, int]]
    run: Callable[[TaskEvent], object]


class Timer(NamedTuple):
    """A function that is called once, when task time is ``due_us``."""

    due_us: int
    run: Callable[[], object]


class Callbacks:
    """The watches and timers of one task."""

    def __init__(self, time: TaskTime) -> None:
        self.watched: set[tuple[str, int]] = set()
        """All patterns of the watches: the reader keeps these events for `notify`."""
        self.is_open = True
        """Whether watches may be added: until the protocol is prepared."""
        self.is_running = False
        """Whether one of the functions is running."""
        self._time = time
        self._watches: list[Watch] = []
        self._timers: list[Timer] = []

    def watch(self, watch: Watch) -> None:
        """Add a watch, for the rest of the session."""
        self._watches.append(watch)
        self.watched.update(watch.patterns)

    def start(self, timer: Timer) -> None:
        """Add a timer; of two that are due at the same time the first one runs first."""
        self._timers.append(timer)
        self._timers.sort(key=lambda timer: timer.due_us)

    def stop(self, timer: Timer) -> None:
        """Remove a timer, if it has not run."""
        # By identity: two timers may have equal times and functions.
        self._timers = [other for other in self._timers if other is not timer]

    @property
    def alarm_us(self) -> int:
        """Return when the next timer is due, on the board's clock."""
        return self._time.pauses.board_us(self._timers[0].due_us) if self._timers else FAR_US

    def notify(self, event: TaskEvent, flush: Callable[[], object]) -> None:
        """Run the functions that watch an event, at its time, and then ``flush``."""
        time, now_us = self._time, self._time.now_us
        shown = time.pauses.in_task_time(event)
        keys = ((event.channel, event.level),) if isinstance(event, Edge) else event.matches
        time.advance(event.t_us)
        try:
            for watch in self._watches:
                if any(key in watch.patterns for key in keys):
                    self._run(watch.run, shown)
            flush()
        finally:
            # The wait goes on. Its task time is the stamp of the event that it takes, which may be earlier: see
            # docs/decisions/one-order.md.
            time.now_us = now_us

    def run_next(self) -> None:
        """Run the timer that is due first; task time is its time from now on."""
        timer = self._timers.pop(0)
        self._time.advance(self._time.pauses.board_us(timer.due_us))
        self._run(timer.run)

    def _run(self, function: Callable[..., object], *arguments: TaskEvent) -> None:
        self.is_running = True
        try:
            function(*arguments)
        finally:
            self.is_running = False
