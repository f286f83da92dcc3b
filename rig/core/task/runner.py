"""The runner: it runs a task from state to state and decides when a session may and must end.

Only this module writes the state log. So the states partition the session, and nothing happens between states.
"""

from __future__ import annotations

from collections.abc import Coroutine
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from types import MethodType

from rig.core.engine.engine import Engine
from rig.core.engine.interrupts import SessionEnded, TrialAborted
from rig.core.errors import TaskError
from rig.core.model.rows import KEEPS_UNKNOWN_COLUMNS
from rig.core.task.states import Next, StateInfo
from rig.core.task.task import AnyTask
from rig.core.task.waits import run_state

IMMEDIATE_END_REASONS = frozenset({"operator", "fault", "panic"})
"""Reasons that end a session at once, without waiting for a drop that is being given."""


@dataclass(frozen=True, slots=True)
class RunLimits:
    """The limits of a session, in microseconds of the session and in trials."""

    session_us: int
    grace_us: int
    max_trials: int | None = None


MAX_STATES_WITHOUT_TIME = 1_000
"""The number of states in a row that may take no time."""


class Runner:
    """One run of one task."""

    def __init__(self, task: AnyTask, engine: Engine, limits: RunLimits) -> None:
        self.task = task
        self.is_started = False
        """Whether its first step was taken: a task that was canceled before has decided nothing."""
        self._prepared = False
        self._states_without_time = 0
        self._entered_us: int | None = None
        self._engine = engine
        self._limits = limits

    async def run(self) -> SessionEnded:
        """Run states until the session ends; return its end. A running trial is still open then."""
        self.is_started = True
        KEEPS_UNKNOWN_COLUMNS.set(self._engine.log.keep_mistakes)
        try:
            await self._start()
            initial: Next = getattr(self.task, next(iter(self.task.states)))
            state = initial
            while True:
                info = self._enter(state)
                self._check_time_passes(info)
                try:
                    following = await run_state(state())
                    # A wait without an await would pass silently and shorten the trial: this error names its line.
                    self.task.waits.check()
                    state = self._declared_next(info, following)
                except TrialAborted:
                    # The interrupt left waits that no state will await any more.
                    self.task.waits.pending.clear()
                    self.task.end_interrupted_trial()
                    self.task.reload_sequences()
                    self.task.on_interrupted()
                    state = initial
                except SessionEnded as end:
                    self.task.waits.pending.clear()
                    state = self._closing_state(info, end)
        except SessionEnded as end:
            if (
                end.reason not in IMMEDIATE_END_REASONS
                and self._engine.ledger.delivery_end_us > self._engine.time.now_us
            ):
                self._engine.flush()  # lights and reflexes go off while the last drop is given
            return end
        except SystemExit as error:  # it would end the program before all-off is sent
            raise TaskError(f"{type(self.task).__name__} called sys.exit").with_traceback(error.__traceback__) from None

    def _closing_state(self, info: StateInfo, end: SessionEnded) -> Next:
        """Return the closing state when the session's time is over; raise the end otherwise."""
        closing = next((name for name, info in self.task.states.items() if info.closing), None)
        if closing is None or end.reason != "time_limit" or not info.can_end:
            raise end
        self._engine.resume()
        following: Next = getattr(self.task, closing)
        return following

    async def _start(self) -> None:
        # The start ends with the board's first time answer; an expired lease before it only delays it.
        while not self._engine.time.started:
            with suppress(TrialAborted):  # a lease may expire before the first state
                await self._engine.start()
        self.task.prepare()
        self._engine.callbacks.is_open = False
        self._prepared = True

    def final_reason(self, end: SessionEnded) -> SessionEnded:
        """Return an end with its final reason: after a participant has left, no later limit or stop replaces it."""
        left = self.task.ending == "participant_left" and end.reason not in ("fault", "panic")
        return SessionEnded("participant_left", end.detail) if left else end

    def conclude(self, ended_us: int) -> None:
        """Record what is still open, at the time of the end, if the task ever started.

        A stop comes during a wait, long after the last event that the task has read.
        """
        self._engine.time.advance(ended_us)
        if self._prepared:
            # Not in the context of `run`: a session concludes after its task.
            context = copy_context()
            context.run(KEEPS_UNKNOWN_COLUMNS.set, self._engine.log.keep_mistakes)
            context.run(self.task.conclude)
        self._engine.log.conclude()

    def carried_over(self) -> dict[str, object]:
        """Return what the subject's next session must know; what it was, when this one never began."""
        return self.task.carry_over() if self._prepared else dict(self.task.carried_over)

    def _enter(self, state: Next) -> StateInfo:
        info: StateInfo = state.__state__  # type: ignore[attr-defined]
        engine = self._engine
        if engine.trials.open is None:
            self.task.take_live_params()
        engine.trials.ended_in_state = False
        engine.log.state(info.name)
        if info.can_end:
            # A garbage collection may run here: no reflex is armed, so no latency of a trial includes it.
            self._check_end()
            if not engine.reflexes:
                engine.observer.between_trials()
        limit_us = self._limits.session_us + (0 if info.can_end else self._limits.grace_us)
        engine.time.deadline_us = engine.time.pauses.board_us(limit_us)
        engine.time.may_rest = info.can_end
        return info

    def _declared_next(self, info: StateInfo, following: Next) -> Next:
        """Return what a state returned. Raises ``TaskError`` unless it is a state that its ``to=`` declares."""
        known = getattr(following, "__state__", None)
        if isinstance(known, StateInfo) and known.name in info.to:
            return following
        is_what = "a state that its to= does not name" if isinstance(known, StateInfo) else "not a state"
        right = " or ".join(f"self.{name}" for name in info.to) or "nothing, as its to= is empty"
        code = getattr(self.task, info.name).__code__
        error = TaskError(
            f"{type(self.task).__name__}.{info.name} returned {_as_written(following)}, which is {is_what}; "
            f"it may return {right}"
        )
        # No line of the protocol is running any more.
        error.where = code.co_filename, code.co_firstlineno
        raise error

    def _check_time_passes(self, info: StateInfo) -> None:
        """Check that states take time: a loop without a wait would read nothing, not even a stop."""
        now_us = self._engine.time.now_us
        self._states_without_time = self._states_without_time + 1 if now_us == self._entered_us else 0
        # Task time only advances with events, so equal times mean that no wait was awaited in between.
        self._entered_us = now_us
        if self._states_without_time >= MAX_STATES_WITHOUT_TIME:
            raise TaskError(
                f"{type(self.task).__name__} went through {MAX_STATES_WITHOUT_TIME} states and no time passed, "
                f"the last was {info.name}: a state that may return to itself has to await something"
            )

    def _check_end(self) -> None:
        # Strictly later, as for every deadline: a poke at exactly the limit still starts a trial.
        if self._engine.time.task_now_us > self._limits.session_us:
            raise SessionEnded("time_limit")
        if self._engine.ledger.limit_reached:
            raise SessionEnded("reward_limit")
        if self.task.ending is not None:
            raise SessionEnded(self.task.ending)
        # A closed trial counts before its drop is confirmed: otherwise one more trial could start.
        trials = self._engine.log.rows + self._engine.trials.pending_rows
        if self._limits.max_trials is not None and trials >= self._limits.max_trials:
            raise SessionEnded("trial_limit")


def _as_written(returned: object) -> str:
    """Return what a state returned as its author has written it."""
    if isinstance(returned, Coroutine):
        returned.close()  # Python warns of one that is never awaited
        return f"self.{getattr(returned, '__name__', 'state')}() with brackets"
    return f"self.{returned.__name__}" if isinstance(returned, MethodType) else repr(returned)
