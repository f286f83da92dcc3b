"""The waits of a protocol, in seconds: edges, levels, touches, a quiet interval, clear devices.

Only a wait lets time pass, and the board executes all orders before it in one pass. Times are seconds of the session;
they are compared as whole microseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Protocol, TypeVar, overload

from rig.core.engine.reflex import ReflexGroup
from rig.core.errors import NotReadyError, TaskError
from rig.core.model.actions import Action
from rig.core.model.events import Edge, ScreenEvent, TaskEvent, Touch
from rig.core.model.microseconds import span_us, to_s, to_us
from rig.core.model.patterns import EdgePattern, LevelPattern, ScreenPattern
from rig.core.task.argument_forms import check_answers, check_devices, check_events, check_levels
from rig.core.task.beside import Beside, Pattern
from rig.core.task.sequence import LoadedSequence
from rig.core.task.waits import Block, Wait

A = TypeVar("A", bound=ScreenEvent)


class Detector(Protocol):
    """A device that a subject enters and leaves: a port, a zone, a hopper with a beam."""

    name: str
    on_entry: EdgePattern
    on_exit: EdgePattern
    clear: LevelPattern

    @property
    def entries(self) -> int:
        """Return the number of entries."""

    @property
    def last_entry_s(self) -> float | None:
        """Return the time of the last entry."""


class Waiting(Beside):
    """The part of a task that waits, and the facts that it has read."""

    # --- waiting ----------------------------------------------------------------------------------------------

    @overload
    def first(self, *patterns: EdgePattern) -> Wait[Edge]: ...

    @overload
    def first(self, *patterns: EdgePattern, within: float | None) -> Wait[Edge | None]: ...

    @overload
    def first(self, *patterns: EdgePattern, until_s: float | None) -> Wait[Edge | None]: ...

    @overload
    def first(self, *patterns: ScreenPattern[A]) -> Wait[A]: ...

    @overload
    def first(self, *patterns: ScreenPattern[A], within: float | None) -> Wait[A | None]: ...

    @overload
    def first(self, *patterns: ScreenPattern[A], until_s: float | None) -> Wait[A | None]: ...

    @overload
    def first(self, *patterns: Pattern) -> Wait[TaskEvent]: ...

    @overload
    def first(self, *patterns: Pattern, within: float | None) -> Wait[TaskEvent | None]: ...

    @overload
    def first(self, *patterns: Pattern, until_s: float | None) -> Wait[TaskEvent | None]: ...

    def first(self, *patterns: Pattern, within: float | None = None, until_s: float | None = None) -> Wait[Any]:
        """Wait for the first of some edges, touches or keys; None when the time is over.

        The time is over after ``within`` seconds of task time, or at ``until_s`` of the session; without either it
        never is. An edge at exactly the deadline counts. Events that do not match are skipped: they are in
        ``skipped``, in ``skipped_touches`` and in the devices' counters.
        """
        check_events("self.first", patterns)
        within_us = self._span_us(within, until_s)
        return Wait(self.waits, "self.first", partial(self._engine.wait, patterns, within_us))

    @overload
    def react(self, *answers: tuple[EdgePattern, Action]) -> Wait[Edge]: ...

    @overload
    def react(self, *answers: tuple[EdgePattern, Action], within: float | None) -> Wait[Edge | None]: ...

    @overload
    def react(self, *answers: tuple[EdgePattern, Action], until_s: float | None) -> Wait[Edge | None]: ...

    def react(
        self, *answers: tuple[EdgePattern, Action], within: float | None = None, until_s: float | None = None
    ) -> Wait[Any]:
        """Wait for the first of some edges; the board itself does the action of this edge at once.

        The edge of ``NOTHING`` is only waited for. Deadlines are those of ``first``.
        """
        check_answers("self.react", answers)
        within_us = self._span_us(within, until_s)
        return Wait(self.waits, "self.react", partial(self._react, answers, within_us))

    async def _react(self, answers: Sequence[tuple[EdgePattern, Action]], within_us: int | None) -> TaskEvent | None:
        with self.reflex(*answers):
            return await self._engine.wait([edge for edge, _ in answers], within_us)

    def until(
        self, *levels: LevelPattern, within: float | None = None, until_s: float | None = None
    ) -> Wait[LevelPattern | None]:
        """Wait until an input is at a level; return at once if one is already, and None when the time is over."""
        check_levels("self.until", levels)
        within_us = self._span_us(within, until_s)
        return Wait(self.waits, "self.until", partial(self._until, levels, within_us))

    async def _until(self, levels: Sequence[LevelPattern], within_us: int | None) -> LevelPattern | None:
        # The edge to this level may have been read already, and would not come again.
        for level in levels:
            if self._engine.handlers.inputs.level(level.channel) == level.level:
                return level
        edge = await self._engine.wait([level.edge for level in levels], within_us)
        return LevelPattern(edge.channel, edge.level) if isinstance(edge, Edge) else None

    def sleep(self, seconds: float | None = None, *, until_s: float | None = None) -> Wait[None]:
        """Wait for ``seconds`` from now, or until ``until_s`` of the session."""
        us = self._span_us(seconds, until_s, "sleep")
        if us is None:
            raise TaskError("sleep without an end: give it seconds, or until_s")
        return Wait(self.waits, "self.sleep", partial(self._sleep, us))

    async def _sleep(self, us: int) -> None:
        await self._engine.wait((), us)

    def quiet(
        self,
        seconds: float,
        *detectors: Detector,
        since_s: float | None = None,
        restart: bool = True,
        clear: bool = True,
    ) -> Wait[None]:
        """Wait until ``seconds`` have passed without an entry into a device.

        They count from ``since_s`` of the session, or from now. An entry restarts the interval; without ``restart`` it
        continues. While a device is occupied the interval pauses, unless ``clear`` is false.
        """
        check_devices("self.quiet", detectors)
        whole_us = span_us(seconds, "quiet")
        left_us = whole_us if since_s is None else max(0, to_us(since_s) + whole_us - self.now_us)
        run = partial(self._quiet, detectors, whole_us, left_us, restart, clear)
        return Wait(self.waits, "self.quiet", run)

    async def _quiet(
        self, detectors: Sequence[Detector], whole_us: int, left_us: int, restart: bool, clear: bool
    ) -> None:
        entries = [detector.on_entry for detector in detectors]
        while True:
            if clear:
                await self._wait_clear(detectors)
            # The interval counts in task time, so a replay waits for exactly the same span.
            from_us = self.now_us
            if not left_us or await self._engine.wait(entries, left_us) is None:
                return
            left_us = whole_us if restart else left_us - (self.now_us - from_us)

    def wait_clear(self, *detectors: Detector) -> Wait[None]:
        """Wait until all these devices are clear at the same time."""
        check_devices("self.wait_clear", detectors)
        return Wait(self.waits, "self.wait_clear", partial(self._wait_clear, detectors))

    async def _wait_clear(self, detectors: Sequence[Detector]) -> None:
        # All are checked again after each exit: another device may have been entered in the meantime.
        while occupied := [detector.on_exit for detector in detectors if not self.holds(detector.clear)]:
            await self._engine.wait(occupied, None)

    def wait_executed(self) -> Wait[float]:
        """Wait until the board has executed all orders so far; return the board's time in seconds."""
        return Wait(self.waits, "self.wait_executed", self._executed)

    async def _executed(self) -> float:
        return to_s(self._engine.time.pauses.task_us(await self._engine.wait_executed()))

    def _span_us(self, within: float | None, until_s: float | None, what: str = "within") -> int | None:
        if until_s is None:
            return None if within is None else span_us(within, what)
        if within is not None:
            raise TaskError("a length of time and until_s are two ends of one wait: give one of them")
        left_us = to_us(until_s) - self.now_us
        self._engine.observer.on_deadline(left_us)
        # A time already past is now, not a mistake: task time may have passed a protocol's schedule.
        return max(0, left_us)

    # --- the board answers ------------------------------------------------------------------------------------

    def reflex(self, *members: tuple[EdgePattern, Action]) -> Block[ReflexGroup | None]:
        """Arm a reflex: at the first of these edges the board does the action of this edge, and the reflex ends.

        The next wait in the ``with`` block arms the group. Its deadline is the group's deadline, and every edge that it
        asks for is a member. Without members there is no group.
        """
        check_answers("self.reflex", members)
        reflexes = self._engine.reflexes
        return Block(
            self.waits,
            "self.reflex",
            lambda: reflexes.new(dict(members)) if members else None,
            lambda group: None if group is None else reflexes.end(group),
        )

    # --- what has been read -----------------------------------------------------------------------------------

    def require_clear(self, *detectors: Detector) -> None:
        """Check in ``prepare`` that these devices are clear. Raises ``NotReadyError``: the session does not start."""
        check_devices("self.require_clear", detectors)
        broken = [detector.name for detector in detectors if not self.holds(detector.clear)]
        if broken:
            raise NotReadyError(
                f"the beam of {' and '.join(broken)} is broken before the session: the subject, or dirt?"
            )

    def entries(self, *detectors: Detector) -> int:
        """Return the number of entries into these devices that the task has read."""
        check_devices("self.entries", detectors)
        return sum(detector.entries for detector in detectors)

    def last_entry_s(self, *detectors: Detector) -> float | None:
        """Return the time of the last entry into these devices, in seconds of the session; None without one."""
        check_devices("self.last_entry_s", detectors)
        times = [t_s for detector in detectors if (t_s := detector.last_entry_s) is not None]
        return max(times, default=None)

    def holds(self, level: LevelPattern) -> bool:
        """Whether an input is at a level, by the events that the task has read."""
        check_levels("self.holds", (level,))
        return self._engine.handlers.inputs.level(level.channel) == level.level

    def began_us(self, sequence: LoadedSequence) -> int | None:
        """Return when a sequence last started, in microseconds of the session; None if it has not started."""
        began_us = self._engine.handlers.began_us.get(sequence.number)
        return None if began_us is None else self._engine.time.pauses.task_us(began_us)

    def began_s(self, sequence: LoadedSequence) -> float | None:
        """Return when a sequence last started, in seconds of the session; None if it has not started."""
        began_us = self.began_us(sequence)
        return None if began_us is None else to_s(began_us)

    @property
    def skipped(self) -> Sequence[Edge]:
        """Return the edges that the last wait skipped, because it did not wait for them."""
        return [self._engine.time.pauses.in_task_time(edge) for edge in self._engine.reader.skipped]

    @property
    def skipped_touches(self) -> Sequence[Touch]:
        """Return the touches that the last wait skipped: ``down``, ``move`` and ``up``."""
        return [self._engine.time.pauses.in_task_time(touch) for touch in self._engine.reader.skipped_touches]

    @property
    def hovering(self) -> str:
        """Return the item under the pointer, by the last report that a wait has taken or skipped; empty beside all."""
        return self._engine.reader.hovering

    @property
    def now_us(self) -> int:
        """Return task time in microseconds: the stamp of the event that ended the last wait, or the wait's deadline."""
        return self._engine.time.task_now_us

    @property
    def now_s(self) -> float:
        """Return task time in seconds of the session."""
        return to_s(self._engine.time.task_now_us)

    def elapsed_s(self, since_s: float) -> float:
        """Return the seconds from session time ``since_s`` to the task time, exact to the microsecond."""
        return to_s(self._engine.time.task_now_us - to_us(since_s))
