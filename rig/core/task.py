"""A task: states that return the next state, and the few verbs a protocol needs.

``await`` means that time passes. ``first``, ``until`` and ``sleep`` await; everything else queues orders, and
what a state queues between two awaits travels as one batch and happens in one pass of the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from inspect import iscoroutinefunction
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, get_args, overload

from pydantic import BaseModel, ConfigDict

from rig.core.actions import Action, Load, check_length
from rig.core.ending import OWN_ENDS, OwnEnd
from rig.core.engine import Engine
from rig.core.errors import TaskError
from rig.core.events import AtScreen, Edge, Seen, Touch
from rig.core.lines import fields_of_row
from rig.core.loaded import Loaded, timed
from rig.core.patterns import EdgePattern, LevelPattern, ScreenPattern
from rig.core.rewards import Reward, RewardStatus
from rig.core.rows import Row
from rig.core.states import StateInfo, check_states
from rig.core.streams import Stream, Streams
from rig.core.units import span_us, to_s
from rig.core.waits import Wait, Waits, remembered

Question: TypeAlias = EdgePattern | ScreenPattern[Any]
A = TypeVar("A", bound=AtScreen)


class TaskParams(BaseModel):
    """A protocol's parameters; every name carries its unit, an unknown one is a mistake."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    def min_on_us(self) -> Mapping[str, int]:
        """Map devices to how long their inputs have to be on until the board reports them and fires reflexes."""
        return {}


P = TypeVar("P", bound=TaskParams)
B = TypeVar("B")
R = TypeVar("R", bound=Row)


class Task(Generic[P, B, R]):
    """The base of every protocol: ``class MyTask(Task[Params, Box, Trial])``.

    The first state written in the class is where a session starts, and where it goes on after an interrupted trial.
    """

    params_type: ClassVar[type[TaskParams]] = TaskParams
    box_type: ClassVar[type[Any]] = object
    row_type: ClassVar[type[Row]] = Row
    tables: ClassVar[Mapping[str, type[Row]]] = {}
    """Further tables of the session, each with the class of its rows: ``{"intervals": Interval}``."""
    states: ClassVar[Mapping[str, StateInfo]] = {}
    needs_board_timing: ClassVar[bool] = True

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for base in getattr(cls, "__orig_bases__", ()):
            named = get_args(base)
            if len(named) == 3 and not any(isinstance(arg, TypeVar) for arg in named):
                cls.params_type, cls.box_type, cls.row_type = named
        found = {name: member.__state__ for name, member in vars(cls).items() if hasattr(member, "__state__")}
        hidden = next((name for name in found if name in vars(Task)), None)
        if hidden is not None:
            raise TaskError(f"{cls.__name__}.{hidden}: every task has '{hidden}' already: give the state another name")
        cls.states = {**cls.states, **found}
        for name, member in list(vars(cls).items()):
            if iscoroutinefunction(member) and name not in found:
                setattr(cls, name, remembered(member))
        check_states(cls.__name__, cls.states)

    @classmethod
    def check_history(cls, params: P, carried: Mapping[str, Any]) -> None:
        """Refuse a subject whose past sessions, by what they left, do not lead to these parameters.

        Raises ``ConfigError``, ``params.key: what is wrong``, before a session begins; a rehearsal has no past.
        """

    def __init__(self, params: P, box: B, engine: Engine, streams: Streams, carried: Mapping[str, Any]) -> None:
        self.params = params
        self.box = box
        self.carried = dict(carried)
        self.trial: R | None = None
        self.ending: OwnEnd | None = None
        """How the protocol has asked the session to end; None when it has not."""
        self.waits = Waits()
        self._engine = engine
        self._streams = streams
        self._rows: list[tuple[R, list[Reward]]] = []
        self.on_row: Callable[[R], None] = lambda row: None
        self.on_note: Callable[[Mapping[str, Any]], None] = lambda fields: None
        self.on_record: Callable[[str, Row], None] = lambda table, row: None
        engine.on_settled = self._write_settled

    # --- what a protocol may override -------------------------------------------------------------------------

    def prepare(self) -> None:
        """Make what lives as long as the session; draws and orders are allowed, waiting is not.

        Raises ``NotReadyError`` when the rig is not as it must be: the session does not begin then.
        """

    def on_interrupted(self) -> None:
        """Load again what the board may have forgotten; called when a trial was interrupted."""

    def conclude(self) -> None:
        """Record what is still open in a further table; the session is over, nothing is ordered or awaited any more."""

    def carry(self) -> dict[str, Any]:
        """Return what the subject's next session must know."""
        return self.carried

    # --- waiting ----------------------------------------------------------------------------------------------

    @overload
    def first(self, *patterns: EdgePattern) -> Wait[Edge]: ...

    @overload
    def first(self, *patterns: EdgePattern, within: float | None) -> Wait[Edge | None]: ...

    @overload
    def first(self, *patterns: ScreenPattern[A]) -> Wait[A]: ...

    @overload
    def first(self, *patterns: ScreenPattern[A], within: float | None) -> Wait[A | None]: ...

    @overload
    def first(self, *patterns: Question) -> Wait[Seen]: ...

    @overload
    def first(self, *patterns: Question, within: float | None) -> Wait[Seen | None]: ...

    def first(self, *patterns: Question, within: float | None = None) -> Wait[Any]:
        """Wait for the first of some edges, touches or keys; None when ``within`` seconds of task time have passed.

        An edge at exactly the deadline counts. What is not asked for is passed over: ``passed``, ``passed_touches``.
        """
        within_us = None if within is None else span_us(within, "within")
        return Wait(self.waits, "self.first", partial(self._engine.wait, patterns, within_us))

    def until(self, *levels: LevelPattern, within: float | None = None) -> Wait[LevelPattern | None]:
        """Wait until an input is at a level; at once if one already is, None when ``within`` seconds have passed."""
        within_us = None if within is None else span_us(within, "within")
        return Wait(self.waits, "self.until", partial(self._until, levels, within_us))

    async def _until(self, levels: Sequence[LevelPattern], within_us: int | None) -> LevelPattern | None:
        for level in levels:
            if self.holds(level):
                return level
        edge = await self._engine.wait([level.edge for level in levels], within_us)
        return LevelPattern(edge.channel, edge.level) if isinstance(edge, Edge) else None

    def sleep(self, seconds: float) -> Wait[None]:
        """Pass over everything up to ``seconds`` from now."""
        return Wait(self.waits, "self.sleep", partial(self._sleep, span_us(seconds, "sleep")))

    async def _sleep(self, us: int) -> None:
        await self._engine.wait((), us)

    def executed(self) -> Wait[int]:
        """Pass over everything until the board has done what was ordered; return its time then."""
        return Wait(self.waits, "self.executed", self._engine.executed)

    def began_us(self, sequence: Loaded) -> int | None:
        """Tell when a sequence last began, whoever started it, as far as the task has read."""
        return self._engine.ledger.began_us.get(sequence.number)

    def holds(self, level: LevelPattern) -> bool:
        """Tell whether an input is at a level, as far as the task has read."""
        return self._engine.inputs.level(level.channel) == level.level

    @property
    def passed(self) -> Sequence[Edge]:
        """The edges that the last wait passed over."""
        return self._engine.cursor.passed

    @property
    def passed_touches(self) -> Sequence[Touch]:
        """The touches that the last wait passed over, in every phase."""
        return self._engine.cursor.passed_touches

    @property
    def now_us(self) -> int:
        """Task time: the stamp of the edge that was taken, or the deadline; never "now"."""
        return self._engine.now_us

    @property
    def now_s(self) -> float:
        """Task time in seconds."""
        return to_s(self._engine.now_us)

    # --- doing ------------------------------------------------------------------------------------------------

    def do(self, action: Action) -> None:
        """Order an action; it belongs to the batch that the next wait closes."""
        check_length(action)
        self._engine.queue(action)

    @contextmanager
    def reflex(self, *members: tuple[EdgePattern, Action]) -> Iterator[None]:
        """Hand actions to the board: the first of these edges does its action and ends the group.

        The next wait arms the group, its ``within`` is the group's end, and every edge it asks for is a member.
        """
        for _, action in members:
            check_length(action)
        group = self._engine.new_group(dict(members))
        try:
            yield
        finally:
            self._engine.end_group(group)

    def sequence(self, *entries: tuple[float, Action]) -> Loaded:
        """Load actions on the board, each so many seconds after the sequence's start."""
        loaded = Loaded(Load(self._engine.new_sequence(), timed(entries)), self._engine.queue)
        loaded.load()
        return loaded

    def stream(self, name: str) -> Stream:
        """Return the named stream of random numbers."""
        return self._streams(name)

    def note(self, **fields: Any) -> None:
        """Write a line of the protocol's own into the journal."""
        self._engine.journal.note(self.now_us, "note", **fields)
        self.on_note(fields)

    def end(self, reason: OwnEnd) -> None:
        """End the session in the next state of ``rest``. Raises ``TaskError`` for a word that is none of ``OwnEnd``.

        ``task_finished``: the protocol has nothing more to ask. ``participant_left``: a person declined or withdrew,
        and the session does not count, whatever else ends it.
        """
        if reason not in OWN_ENDS:
            raise TaskError(f"a protocol cannot end a session as {reason!r}: wanted {' or '.join(OWN_ENDS)}")
        self.ending = reason

    # --- rows -------------------------------------------------------------------------------------------------

    def begin(self, row: R) -> R:
        """Open a trial; what is given from now on belongs to its row."""
        self.finish()
        self._log_orphan_rewards()
        self.trial = row
        return row

    @property
    def row(self) -> R:
        """The open trial's row. Raises ``TaskError`` when no trial is open."""
        if self.trial is None:
            raise TaskError(f"{type(self).__name__} asks for the trial's row while no trial is open")
        return self.trial

    def finish(self) -> None:
        """Close the trial; its row is written as soon as nothing that was given in it is pending."""
        if self.trial is not None:
            self._rows.append((self.trial, list(self._engine.rewards)))
            self._engine.rewards.clear()
            self.trial = None
            self._write_settled()

    @property
    def rewards(self) -> Sequence[Reward]:
        """What has been given in the open trial so far."""
        return self._engine.rewards

    def finish_interrupted(self) -> None:
        """Close a trial that could not be completed."""
        if self.trial is not None:
            self.trial.interrupted()
            self.finish()
        self._log_orphan_rewards()

    def record(self, row: Row) -> None:
        """Write a row of a further table, which its class tells. Raises ``TaskError`` when there is no such table."""
        table = next((name for name, kind in self.tables.items() if type(row) is kind), None)
        if table is None:
            name = type(row).__name__
            raise TaskError(f'{type(self).__name__} records {name}, of no table: wanted tables = {{"name": {name}}}')
        self._engine.journal.note(self.now_us, "row", table=table, **fields_of_row(row.values()))
        self.on_record(table, row)

    @property
    def unwritten(self) -> int:
        """How many closed trials wait for their row to be written."""
        return len(self._rows)

    def _log_orphan_rewards(self) -> None:
        for reward in self._engine.rewards:
            gave = {**reward.amount.fields(), "delivered_by": reward.delivered_by, "status": reward.status}
            self.note(what="drop_without_a_trial", source=reward.source, **gave)
        self._engine.rewards.clear()

    def _write_settled(self) -> None:
        while self._rows and all(reward.status != RewardStatus.PENDING for reward in self._rows[0][1]):
            row, rewards = self._rows.pop(0)
            row.on_rewards(rewards)
            self._engine.journal.note(self.now_us, "trial", **fields_of_row(row.values()))
            self.on_row(row)
