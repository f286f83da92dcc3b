"""The end of a session, in a fixed order.

Outputs off and the board's last event read, then the rewards of the running trial, then its row, then the footer. A
row needs its rewards, and the footer sums up both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace

from rig.core.engine.engine import Engine
from rig.core.engine.interrupts import SessionEnded
from rig.core.errors import RecordError, TaskError
from rig.core.journal.delivered import MAX_UNRECORDED_US
from rig.core.journal.kinds import HealthLine
from rig.core.journal.values import plain
from rig.core.model.board import Health
from rig.core.model.rig_spec import RigSpec
from rig.core.task.runner import IMMEDIATE_END_REASONS, Runner
from rig.session.run.current_part import CurrentPart
from rig.session.run.footer import Outcome, outcome_of
from rig.session.run.phases import Phase, Phases
from rig.session.run.sampling import SampleRecorder
from rig.session.run.session_lines import SessionLines
from rig.session.run.tracking import TrackRecorder
from rig.session.spec.assembly import format_error


@dataclass(frozen=True)
class TaskEnd:
    """How a task ended; it ``refuses`` when its failure means that no session should be, if nothing was ordered."""

    end: SessionEnded
    failure: BaseException | None = None
    refuses: bool = False

    def after(self, failure: BaseException | None) -> TaskEnd:
        """Return the end after one more failure: the first one is the cause."""
        if failure is None or self.failure is not None:
            return self
        return replace(self, end=SessionEnded("fault", format_error(failure)), failure=failure)


class Ending:
    """The last phases of one session: `run` leads it to its footer, once its task has ended."""

    def __init__(
        self,
        plan: RigSpec,
        engine: Engine,
        runner: Runner,
        phases: Phases,
        lines: SessionLines,
        part: CurrentPart,
        tracker: TrackRecorder | None,
        sampler: SampleRecorder,
    ) -> None:
        self._plan = plan
        self._engine = engine
        self._runner = runner
        self._phases = phases
        self._lines = lines
        self._part = part
        self._tracker = tracker
        self._sampler = sampler

    async def run(self, task_end: TaskEnd) -> Outcome:
        """Switch all outputs off, write what is left and the footer; return the outcome. Raises a refusal."""
        self._lines.discard_pending()
        # Taken before the board is closed: that exchange takes a round trip, and is no part of the session.
        ended_us = self._ended_us(task_end.end)
        end = self._runner.final_reason(task_end.end)
        health = await self._close()
        lost = None if self._tracker is None else self._tracker.close()
        unwritten = self._sampler.close() or lost
        # The all-off line was tried before the last positions and samples: the first failure is the cause.
        task_end = replace(task_end, end=end).after(self._lines.unwritten or unwritten)
        failure = task_end.failure
        if failure is not None and task_end.refuses and not self._engine.journal.counts["command"]:
            self._phases.enter(Phase.REFUSED)
            raise failure
        return self._write(task_end, health, ended_us)

    def _ended_us(self, end: SessionEnded) -> int:
        """Return when it ended: a limit is reached in task time, everything else happens while the task waits."""
        is_open = self._engine.link.opened is not None
        interrupted = is_open and end.reason in (*IMMEDIATE_END_REASONS, "idle")
        # Never before the last event that the task has read: the host's estimate may be behind it.
        return max(self._engine.time.now_us, self._engine.board.estimate_us()[0] if interrupted else 0)

    async def _close(self) -> Health:
        self._lines.begin_end()
        try:
            return await self._part.run("close", self._engine.board.close())
        except asyncio.CancelledError:
            if not self._phases.is_stopped:
                raise
            # The operator did not wait for a dead board: its open rewards stay unconfirmed, and count.
            return Health(False, 0, 0)

    def _write(self, task_end: TaskEnd, health: Health, ended_us: int) -> Outcome:
        """Write the last lines; without room for a footer the journal ends before it, and `rig recover` appends one."""
        engine = self._engine
        try:
            # The board's end: from it follows what became of every reward.
            engine.journal.write(HealthLine(ended_us, health.complete, health.executed, dict(health.counters)))
            carried_over, mistake = self._settle(health, ended_us)
            # The button may have been pressed after the task's last event: the end of the session says so all the same.
            if task_end.failure is None and engine.handlers.panic is not None:
                task_end = replace(task_end, end=engine.handlers.panic)
            task_end = task_end.after(mistake)
            outcome = self._outcome(task_end, health, carried_over, ended_us)
            self._phases.enter(Phase.WRITTEN)
            engine.journal.write(outcome.footer)
        except RecordError as error:
            if not self._phases.is_over:
                self._phases.enter(Phase.WRITTEN)
            fault = TaskEnd(SessionEnded("fault", str(error)), error)
            outcome = self._outcome(fault, health, self._runner.task.carried_over, ended_us)
        return outcome

    def _outcome(self, end: TaskEnd, health: Health, carried_over: Mapping[str, object], ended_us: int) -> Outcome:
        return outcome_of(
            self._plan,
            self._engine,
            end.end,
            end.failure,
            health,
            dict(carried_over),
            ended_us,
            task_started=self._runner.is_started,
        )

    def _settle(self, health: Health, ended_us: int) -> tuple[Mapping[str, object], BaseException | None]:
        """Write the last rows and rewards, and return the carried-over values and the protocol's error, if any."""
        try:
            finish_records(self._engine, self._runner, health, ended_us)
            # Here: a value that JSON cannot hold is the protocol's fault, and must not fail the footer.
            carried_over = plain(self._runner.carried_over())
            failure = self._engine.inbox.failure
            return carried_over, failure if isinstance(failure, TaskError) else None
        except RecordError:
            raise
        except (Exception, SystemExit) as error:  # the footer must be written all the same
            return self._runner.task.carried_over, error


def finish_records(engine: Engine, runner: Runner, health: Health, ended_us: int) -> None:
    """Read what is left, say what became of every drop, and write the rows that waited for it."""
    engine.reader.drain()
    # Again: an edge among the last events may make the host order a reward, which cannot be sent any more.
    engine.discard_pending()
    # Only the board's answer says what it executed: without it no open reward is closed as refused or canceled.
    if health.complete:
        engine.ledger.end_epoch(health.executed, ended_us)
    # Dated at the latest possible delivery, so that no daily total counts it too early.
    engine.ledger.mark_unconfirmed(ended_us + MAX_UNRECORDED_US)
    runner.task.end_interrupted_trial()
    engine.write_rows()
    runner.conclude(ended_us)
