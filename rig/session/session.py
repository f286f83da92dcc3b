"""A session: open, run, everything off, whatever happens.

The order of the end is fixed: outputs off and the board's last event read, then what was given in the trial
that was running, then its row, then the footer.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rig.core.actions import Payment
from rig.core.board import Board, Health, Input, Opened
from rig.core.ending import SessionEnds
from rig.core.engine import Engine
from rig.core.errors import RecordError, RigError
from rig.core.events import Request
from rig.core.inbox import Inbox
from rig.core.journal import Journal
from rig.core.plan import RigPlan
from rig.core.purse import Ceilings, Purse
from rig.core.runner import Limits, Runner
from rig.core.streams import Streams
from rig.core.task import Task
from rig.devices.base import Device
from rig.devices.box import build_box


@dataclass(frozen=True)
class Script:
    """Everything that decides a session: what is in the header."""

    task: type[Task[Any, Any, Any]]
    params: Any
    limits: Limits
    ceilings: Ceilings
    plan: RigPlan
    devices: Mapping[str, Device]
    seed: int
    stuck_us: int = 120_000_000
    carried: Mapping[str, Any] = field(default_factory=dict)
    header: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """How a session ended."""

    reason: str
    detail: str
    rows: int
    rewards: int
    ul: float
    carried: Mapping[str, Any]
    health: Health
    t_us: int
    unconfirmed: int = 0
    failure: BaseException | None = None


def assemble(script: Script, board: Board, inbox: Inbox) -> tuple[Engine, Runner]:
    """Put a task, its box and its engine together. Raises ``ConfigError`` when the rig lacks a device."""
    engine = Engine(board, inbox, Purse(script.ceilings), script.stuck_us)
    box = build_box(script.task.box_type, script.devices, f"rig {script.plan.name}")
    for device in vars(box).values():
        if device is not None:
            device.bind(engine.queue)
    task = script.task(script.params, box, engine, Streams(script.seed), script.carried)
    engine.manual = _manual_reward(script)
    return engine, Runner(task, engine, script.limits)


def _manual_reward(script: Script) -> Callable[[str], Payment | None]:
    ul = getattr(script.params, "reward_ul", None)

    def reward(source: str) -> Payment | None:
        device = script.devices.get(source)
        drop = getattr(device, "drop", None)
        payment: Payment | None = drop(ul) if drop is not None and ul is not None else None
        return payment

    return reward


class Session:
    """One run of one script; the journal's sink and the board are given, time is the running loop's."""

    def __init__(self, script: Script, journal: Journal, make_board: Callable[[Inbox], Board]) -> None:
        self.journal = journal
        self.script = script
        self.inbox = Inbox(journal)
        self.board = make_board(self.inbox)
        self.engine, self.runner = assemble(script, self.board, self.inbox)
        self.on_opened: Callable[[Opened], None] = lambda opened: None
        self._main: asyncio.Task[SessionEnds] | None = None
        self._hurried = False

    async def run(self, subject: Any = None) -> Outcome:
        """Run to the end and return how it ended. Raises ``BoardError`` when the board cannot be opened.

        ``subject`` is the coroutine of a virtual subject, alive from the board's opening to the session's end.
        """
        self.journal.note(0, "header", **self.script.header)
        try:
            opened = await self.board.open(self.script.plan.wiring)
        except BaseException:
            if subject is not None:
                subject.close()
            self.board.abort()
            raise
        self.on_opened(opened)
        end, failure = await self._run_task(subject)
        return await self._end(end, failure)

    async def _run_task(self, subject: Any) -> tuple[SessionEnds, BaseException | None]:
        loop = asyncio.get_running_loop()
        self._main = loop.create_task(self.runner.run(), name="task")
        living = None if subject is None else loop.create_task(subject, name="subject")
        if living is not None:
            living.add_done_callback(self._subject_died)
        try:
            return await self._main, None
        except asyncio.CancelledError:
            failure = living.exception() if living is not None and living.done() and not living.cancelled() else None
            return SessionEnds("fault" if failure else "operator", "" if failure is None else str(failure)), failure
        except RigError as error:
            return SessionEnds("fault", str(error)), error
        except Exception as error:  # the protocol's own mistake: the animal must not pay for it
            return SessionEnds("fault", f"{type(error).__name__}: {error}"), error
        finally:
            if living is not None:
                living.cancel()
                await asyncio.gather(living, return_exceptions=True)

    def _subject_died(self, living: asyncio.Task[None]) -> None:
        if not living.cancelled() and living.exception() is not None and self._main is not None:
            self._main.cancel()

    async def _end(self, end: SessionEnds, failure: BaseException | None) -> Outcome:
        self.engine.forget()
        health = Health(False, 0, 0) if self._hurried else await self.board.close()
        try:
            settle(self.engine, self.runner, health)
            outcome = self._outcome(end, failure, health)
            self._write_footer(outcome)
        except RecordError as error:
            outcome = self._outcome(SessionEnds("fault", str(error)), error, health)
        return outcome

    def _outcome(self, end: SessionEnds, failure: BaseException | None, health: Health) -> Outcome:
        purse, carried = self.engine.purse, self.runner.task.carried
        try:
            carried = self.runner.carried()
        except Exception as error:  # the protocol's own mistake: the footer must be written all the same
            end, failure = SessionEnds("fault", f"carry: {type(error).__name__}: {error}"), failure or error
        return Outcome(
            reason=end.reason,
            detail=end.detail,
            rows=self.runner.rows,
            rewards=purse.rewards,
            ul=purse.ul,
            carried=carried,
            health=health,
            t_us=self.engine.now_us,
            unconfirmed=purse.in_doubt,
            failure=failure,
        )

    def _write_footer(self, outcome: Outcome) -> None:
        self.journal.note(outcome.t_us, "health", **outcome.health.counters)
        self.journal.note(
            outcome.t_us,
            "footer",
            reason=outcome.reason,
            detail=outcome.detail,
            counts=self.journal.counts,
            complete=outcome.health.complete,
            executed=outcome.health.executed,
            last_event=outcome.health.last_event,
            unconfirmed=self.engine.purse.in_doubt,
            in_doubt=list(outcome.health.in_doubt),
            silent_inputs=self.engine.watch.silent(self._inputs()),
            refusals=self.engine.refusals,
            leases=self.engine.leases,
            rewards=outcome.rewards,
            ul=round(outcome.ul, 6),
            trials=outcome.rows,
            carried=dict(outcome.carried),
        )

    def _inputs(self) -> list[str]:
        return [channel.name for channel in self.script.plan.wiring.channels if isinstance(channel, Input)]

    def request(self, what: str) -> None:
        """Ask the task for something, in the order of its events: ``stop``, ``reward left``."""
        t_us, within_us = self.board.estimate_us()
        try:
            self.inbox.put(Request(t_us, what, round(asyncio.get_running_loop().time() * 1e6), within_us))
        except RecordError as error:
            self.board.all_off()
            self.inbox.fail(error)

    def hurry(self) -> None:
        """End now: all off without waiting for an answer."""
        self._hurried = True
        self.board.abort()
        if self._main is not None:
            self._main.cancel()


def settle(engine: Engine, runner: Runner, health: Health) -> None:
    """Read what is left, say what became of every drop, and write the rows that waited for it."""
    engine.cursor.drain()
    engine.forget()
    if health.complete:
        engine.purse.end_epoch(health.executed)
    engine.purse.lose_sight()
    runner.task.finish_cut()
    engine.on_settled()


class QuietGarbage:
    """Keep Python's collector out of a real session: ``with QuietGarbage() as quiet``, ``quiet.collect()``."""

    def __enter__(self) -> QuietGarbage:
        gc.collect()
        gc.freeze()
        gc.disable()
        return self

    def collect(self) -> None:
        """Collect the young generations, bounded, between trials."""
        gc.collect(1)

    def __exit__(self, *exc: object) -> None:
        gc.enable()
        gc.unfreeze()
