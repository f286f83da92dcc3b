"""The base class of a task: states that return the next state, and the methods that a protocol uses.

Time passes only at ``await``, in the methods of ``Waiting``. Everything else queues orders. The orders that a state
queues between two awaits travel as one batch, and the board executes them in one pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import iscoroutinefunction
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, get_args

from pydantic import BaseModel, ConfigDict

from rig.core.engine.engine import Engine
from rig.core.engine.interrupts import OWN_ENDS, OwnEnd
from rig.core.errors import TaskError
from rig.core.model.actions import Action, Load
from rig.core.model.code_lines import line_above
from rig.core.model.reward import Reward
from rig.core.model.rows import Row
from rig.core.model.subject import Subject
from rig.core.model.views import AnyView
from rig.core.task.argument_forms import check_ordered
from rig.core.task.random_streams import RandomStreams, Stream
from rig.core.task.sequence import LoadedSequence, calling_line, timed
from rig.core.task.states import StateInfo, check_states
from rig.core.task.summary_columns import check_summary_columns
from rig.core.task.trial_row import TrialRow
from rig.core.task.waiting import Waiting
from rig.core.task.waits import Waits, as_wait


class TaskParams(BaseModel):
    """The parameters of a protocol; each name ends with its unit, and an unknown name is a mistake."""

    # No NaN and no infinity: the journal's header holds the parameters as JSON, which has neither.
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    def min_on_us(self) -> Mapping[str, int]:
        """Return for devices how long their inputs must be on before the board reports them and fires reflexes."""
        return {}


P = TypeVar("P", bound=TaskParams)
B = TypeVar("B")
R = TypeVar("R", bound=Row)


OVERRIDABLE = frozenset(
    {
        "prepare",
        "on_interrupted",
        "conclude",
        "carry_over",
        "check_history",
        "draw",
        "end_interrupted_trial",
        "tables",
        "views",
        "publications",
        "needs_board_timing",
        "params_type",
        "box_type",
        "row_type",
    }
)
"""What a protocol may define although `Task` has it."""
SET_AT_CONSTRUCTION = frozenset(
    {
        "params",
        "box",
        "carried_over",
        "drawn",
        "subject",
        "ending",
        "waits",
        "trial_number",
        "_engine",
        "_streams",
        "_sequences",
    }
)
"""The attributes that a task has and its class does not: in a class they would be replaced, or refuse to be set."""


class Task(Waiting, Generic[P, B, R]):
    """The base class of every protocol: ``class MyTask(Task[Params, Box, Trial])``.

    The first state written in the class is where a session starts, and where it goes on after an interrupted trial.
    """

    params_type: ClassVar[type[TaskParams]] = TaskParams
    box_type: ClassVar[type[object]] = object
    row_type: ClassVar[type[Row]] = Row
    tables: ClassVar[Mapping[str, type[Row]]] = {}
    """Further tables of the session, each with the class of its rows: ``{"intervals": Interval}``."""
    views: ClassVar[Sequence[AnyView]] = ()
    """What people look at during a session and after it; without views they see a page made from the tables."""
    publications: ClassVar[Sequence[str]] = ()
    """The publications that the task follows: ``("https://doi.org/...",)``."""
    states: ClassVar[Mapping[str, StateInfo]] = {}
    # The default, because a delay of the host has no bound: see docs/decisions/armed-reflexes.md.
    needs_board_timing: ClassVar[bool] = True

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        # A state or a method with the name of one of the base class would replace it without an error.
        hidden = next((name for name in vars(cls) if _has(name) and not _may_be_overridden(name)), None)
        if hidden is not None:
            raise TaskError(f"{cls.__name__}.{hidden}: every task has '{hidden}' already: choose another name")
        for base in getattr(cls, "__orig_bases__", ()):
            named = get_args(base)
            if len(named) == 3 and not any(isinstance(arg, TypeVar) for arg in named):
                cls.params_type, cls.box_type, cls.row_type = named
        states = {name: member.__state__ for name, member in vars(cls).items() if hasattr(member, "__state__")}
        # A new mapping: the states of a subclass must not appear in its base.
        cls.states = {**cls.states, **states}
        for name, member in list(vars(cls).items()):
            # Helper methods of a protocol are waits too, so a missing await of one is also detected.
            if iscoroutinefunction(member) and name not in states:
                setattr(cls, name, as_wait(member))
        # The states of a base with open type variables may go to those of the tasks that are made of it.
        if not cls.__dict__.get("__parameters__"):
            check_states(cls.__name__, cls.states)
        check_summary_columns(cls.row_type)

    @classmethod
    def check_history(cls, params: P, carried_over: Mapping[str, Any]) -> None:
        """Check that these parameters are allowed after the subject's past sessions.

        Raises ``ConfigError``, ``params.key: what is wrong``, before a session starts. A dry run has no past sessions.
        """

    @classmethod
    def draw(cls, params: P, streams: RandomStreams, carried_over: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what is drawn before a session starts, as JSON can hold it: ``drawn`` and the header have it.

        Raises ``ConfigError`` when these parameters leave nothing to draw.
        """
        return {}

    def __init__(
        self,
        params: P,
        box: B,
        engine: Engine,
        streams: RandomStreams,
        carried_over: Mapping[str, Any],
        drawn: Mapping[str, Any] | None = None,
        subject: Subject | None = None,
    ) -> None:
        self.params = params
        self.box = box
        # A copy: a protocol that changes it must not change the session's specification.
        self.carried_over = dict(carried_over)
        self.drawn = dict(drawn or {})
        """What ``draw`` returned before the session; a replay takes it from the header."""
        self.subject = subject or Subject.named("")
        """The subject as it is known at the start of the session; a replay takes it from the header."""
        self.ending: OwnEnd | None = None
        """The reason for which the protocol ends the session; None when it does not."""
        self.waits = Waits()
        self._engine = engine
        self._streams = streams
        self._sequences: list[LoadedSequence] = []
        self.trial_number = 0
        """The number of trials that have begun: that of the open one, or of the last."""

    # --- what a protocol may override -------------------------------------------------------------------------

    def prepare(self) -> None:
        """Build what lasts for the whole session: it may draw numbers and queue orders, but it cannot wait.

        Raises ``NotReadyError`` when the rig is not ready: the session does not start then.
        """

    def on_interrupted(self) -> None:
        """Handle an interrupted trial; the task then continues in its first state.

        The sequences are already loaded again.
        """

    def conclude(self) -> None:
        """Record the open rows of further tables after the session's end; it cannot order or wait any more."""

    def carry_over(self) -> dict[str, Any]:
        """Return the values that the subject's next session has in ``carried_over``."""
        return self.carried_over

    # --- doing ------------------------------------------------------------------------------------------------

    def do(self, action: Action) -> None:
        """Queue an action; the next wait sends it to the board."""
        check_ordered("self.do", action)
        self._engine.orders.put(action)

    def sequence(self, *entries: tuple[float, Action]) -> LoadedSequence:
        """Load actions on the board, each with its time in seconds after the start of the sequence.

        After an interruption they are loaded again automatically.
        """
        orders = self._engine.orders
        load = Load(orders.new_sequence(), timed(entries)).made_at(calling_line())
        loaded = LoadedSequence(load, orders.put, self._engine.time.pauses.board_us)
        loaded.load()
        self._sequences.append(loaded)
        return loaded

    def reload_sequences(self) -> None:
        """Load all sequences again: after an interruption the board may have removed them."""
        for sequence in self._sequences:
            sequence.load()

    def stream(self, name: str) -> Stream:
        """Return the named stream of random numbers."""
        return self._streams(name)

    def note(self, **fields: object) -> None:
        """Write a note with these fields into the journal."""
        self._engine.log.note(fields)

    def end(self, reason: OwnEnd) -> None:
        """End the session before the next state with ``can_end=True``. Raises ``TaskError`` for an unknown reason.

        ``task_finished``: the protocol is complete. ``participant_left``: a person declined or withdrew, and the
        session does not count, whatever else ends it.
        """
        if reason not in OWN_ENDS:
            raise TaskError(f"a protocol cannot end a session as {reason!r}: wanted {' or '.join(OWN_ENDS)}")
        self.ending = reason

    # --- rows -------------------------------------------------------------------------------------------------

    def begin_trial(self, row: R, *, keep_rewards: bool = False) -> R:
        """Open the next trial, once the last has ended: rewards now belong to its row. A ``TrialRow`` is numbered.

        With ``keep_rewards`` the rewards since the last trial belong to it too: a trial that begins with its reward.
        """
        self._check_in_state()
        trials = self._engine.trials
        trials.close_left_open()
        if trials.ended_in_state:  # no state has begun between the two trials
            self.take_live_params()
        self.trial_number += 1
        if isinstance(row, TrialRow):
            row.trial = self.trial_number
        trials.begin_trial(row, keep_rewards=keep_rewards, begun_at=line_above(1))
        return row

    def take_live_params(self) -> None:
        """Set the parameters that an operator wants, and write from which trial on; no trial is open."""
        if changed := self._engine.live.take():
            # Validated by the model of these parameters.
            self.params = self._engine.live.current  # type: ignore[assignment]
            self._engine.log.params(self.trial_number + 1, changed)

    @property
    def trial(self) -> R | None:
        """Return the open trial's row; None when no trial is open."""
        return self._engine.trials.open  # type: ignore[return-value] # `begin_trial` takes rows of this type only

    @property
    def row(self) -> R:
        """Return the row of the open trial. Raises ``TaskError`` when no trial is open."""
        row = self._engine.trials.open
        if row is None:
            raise TaskError(f"{type(self).__name__} uses self.row while no trial is open")
        return row  # type: ignore[return-value]

    def end_trial(self) -> None:
        """Close the trial; its row is written when no reward of the trial is pending."""
        self._check_in_state()
        self._engine.trials.end_trial()

    def _check_in_state(self) -> None:
        if self._engine.callbacks.is_running:
            # The state that waits meanwhile holds the row, and would go on with a trial that is over.
            raise TaskError("a function of self.whenever or self.after begins or ends a trial: only a state does")

    @property
    def rewards(self) -> Sequence[Reward]:
        """Return the rewards of the open trial so far."""
        return self._engine.trials.rewards

    def end_interrupted_trial(self) -> None:
        """Close an interrupted trial."""
        if self.trial is not None:
            self.trial.interrupted()
            self.end_trial()
        self._engine.trials.log_orphan_rewards()

    def record(self, row: Row) -> None:
        """Write a row of a further table; its class selects the table. Raises ``TaskError`` for another class."""
        # Exactly this class: a row of a subclass may have columns that the header does not name.
        table = next((name for name, kind in self.tables.items() if type(row) is kind), None)
        if table is None:
            name = type(row).__name__
            raise TaskError(f'{type(self).__name__} records {name}, of no table: wanted tables = {{"name": {name}}}')
        self._engine.log.record(table, row, line_above(1))


def _has(name: str) -> bool:
    return hasattr(Task, name) or name in SET_AT_CONSTRUCTION


def _may_be_overridden(name: str) -> bool:
    return name in OVERRIDABLE or (name.startswith("__") and name.endswith("__"))


AnyTask: TypeAlias = Task[Any, Any, Any]
"""A task, whatever its parameters, its box and its rows are."""
