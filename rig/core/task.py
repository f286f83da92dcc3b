"""A task: states that return the next state, and the few verbs a protocol needs.

``await`` means that time passes. ``first``, ``until`` and ``sleep`` await; everything else queues orders, and
what a state queues between two awaits travels as one batch and happens in one pass of the board.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, get_args, overload

from pydantic import BaseModel, ConfigDict

from rig.core.actions import Action, Load
from rig.core.engine import Engine
from rig.core.errors import TaskError
from rig.core.events import AtScreen, Edge, Seen, Touch
from rig.core.journal import fields_of_row
from rig.core.loaded import Loaded, timed
from rig.core.patterns import EdgePattern, LevelPattern, ScreenPattern
from rig.core.purse import Gift
from rig.core.rows import Row
from rig.core.states import StateInfo, check_states
from rig.core.streams import Stream, Streams
from rig.core.units import to_s, to_us

Question: TypeAlias = EdgePattern | ScreenPattern[Any]
A = TypeVar("A", bound=AtScreen)


class TaskParams(BaseModel):
    """A protocol's parameters; every name carries its unit, an unknown one is a mistake."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


P = TypeVar("P", bound=TaskParams)
B = TypeVar("B")
R = TypeVar("R", bound=Row)


class Task(Generic[P, B, R]):
    """The base of every protocol: ``class MyTask(Task[Params, Box, Trial])``.

    The first state written in the class is where a session starts, and where it goes on after a cut trial.
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
        cls.states = {**cls.states, **found}
        check_states(cls.__name__, cls.states)

    def __init__(self, params: P, box: B, engine: Engine, streams: Streams, carried: Mapping[str, Any]) -> None:
        self.params = params
        self.box = box
        self.carried = dict(carried)
        self.trial: R | None = None
        self.session_over = False
        """Set by a protocol that has nothing more to ask: the session ends in the next state in which it may."""
        self._engine = engine
        self._streams = streams
        self._rows: list[tuple[R, list[Gift]]] = []
        self.on_row: Callable[[R], None] = lambda row: None
        self.on_note: Callable[[Mapping[str, Any]], None] = lambda fields: None
        self.on_record: Callable[[str, Row], None] = lambda table, row: None
        engine.on_settled = self._write_settled

    # --- what a protocol may override -------------------------------------------------------------------------

    def prepare(self) -> None:
        """Make what lives as long as the session; draws and orders are allowed, waiting is not.

        Raises ``NotReadyError`` when the rig is not as it must be: the session does not begin then.
        """

    def after_cut(self) -> None:
        """Load again what the board may have forgotten; called when a trial was cut."""

    def conclude(self) -> None:
        """Record what is still open in a further table; the session is over, nothing is ordered or awaited any more."""

    def carry(self) -> dict[str, Any]:
        """Return what the subject's next session must know."""
        return self.carried

    # --- waiting ----------------------------------------------------------------------------------------------

    @overload
    def first(self, *patterns: EdgePattern) -> Coroutine[Any, Any, Edge]: ...

    @overload
    def first(self, *patterns: EdgePattern, within: float | None) -> Coroutine[Any, Any, Edge | None]: ...

    @overload
    def first(self, *patterns: ScreenPattern[A]) -> Coroutine[Any, Any, A]: ...

    @overload
    def first(self, *patterns: ScreenPattern[A], within: float | None) -> Coroutine[Any, Any, A | None]: ...

    @overload
    def first(self, *patterns: Question) -> Coroutine[Any, Any, Seen]: ...

    @overload
    def first(self, *patterns: Question, within: float | None) -> Coroutine[Any, Any, Seen | None]: ...

    def first(self, *patterns: Question, within: float | None = None) -> Coroutine[Any, Any, Any]:
        """Wait for the first of some edges, touches or keys; None when ``within`` seconds of task time have passed.

        An edge at exactly the deadline counts. What is not asked for is passed over: ``passed``, ``passed_touches``.
        """
        return self._engine.wait(patterns, None if within is None else to_us(within))

    async def until(self, *levels: LevelPattern, within: float | None = None) -> LevelPattern | None:
        """Wait until an input is at a level; at once if one already is, None when ``within`` seconds have passed."""
        for level in levels:
            if self.holds(level):
                return level
        within_us = None if within is None else to_us(within)
        edge = await self._engine.wait([level.edge for level in levels], within_us)
        return LevelPattern(edge.channel, edge.level) if isinstance(edge, Edge) else None

    async def sleep(self, seconds: float) -> None:
        """Pass over everything up to ``seconds`` from now."""
        await self._engine.wait((), to_us(seconds))

    def executed(self) -> Coroutine[Any, Any, int]:
        """Pass over everything until the board has done what was ordered; return its time then."""
        return self._engine.executed()

    def began_us(self, sequence: Loaded) -> int | None:
        """Tell when a sequence last began, whoever started it, as far as the task has read."""
        return self._engine.purse.began_us.get(sequence.number)

    def holds(self, level: LevelPattern) -> bool:
        """Tell whether an input is at a level, as far as the task has read."""
        return self._engine.levels.get(level.channel, 0) == level.level

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
        self._engine.queue(action)

    @contextmanager
    def reflex(self, *members: tuple[EdgePattern, Action]) -> Iterator[None]:
        """Hand deeds to the board: the first of these edges does its deed and ends the group.

        The next wait arms the group, its ``within`` is the group's end, and every edge it asks for is a member.
        """
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
        """Return the named stream of random numbers; use only its ``.random()``."""
        return self._streams(name)

    def note(self, **fields: Any) -> None:
        """Write a line of the protocol's own into the journal."""
        self._engine.journal.note(self.now_us, "note", **fields)
        self.on_note(fields)

    # --- rows -------------------------------------------------------------------------------------------------

    def begin(self, row: R) -> R:
        """Open a trial; what is given from now on belongs to its row."""
        self.finish()
        self._disown_gifts()
        self.trial = row
        return row

    @property
    def row(self) -> R:
        """The open trial's row. Raises ``TaskError`` when no trial is open."""
        if self.trial is None:
            raise TaskError(f"{type(self).__name__} asks for the trial's row while no trial is open")
        return self.trial

    def finish(self) -> None:
        """Close the trial; its row is written as soon as nothing that was given in it is open."""
        if self.trial is not None:
            self._rows.append((self.trial, list(self._engine.gifts)))
            self._engine.gifts.clear()
            self.trial = None
            self._write_settled()

    @property
    def gifts(self) -> Sequence[Gift]:
        """What has been given in the open trial so far."""
        return self._engine.gifts

    def finish_cut(self) -> None:
        """Close a trial that could not be completed."""
        if self.trial is not None:
            self.trial.cut()
            self.finish()
        self._disown_gifts()

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

    def _disown_gifts(self) -> None:
        for gift in self._engine.gifts:
            gave = {**gift.payment.amount.fields(), "by": gift.by, "status": gift.status}
            self.note(what="drop_without_a_trial", source=gift.payment.source, **gave)
        self._engine.gifts.clear()

    def _write_settled(self) -> None:
        while self._rows and all(gift.status != "open" for gift in self._rows[0][1]):
            row, gifts = self._rows.pop(0)
            row.settle(gifts)
            self._engine.journal.note(self.now_us, "trial", **fields_of_row(row.values()))
            self.on_row(row)
