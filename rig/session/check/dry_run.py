"""Run a protocol dry, in memory: check that it runs on this rig and that its orders fit the board.

The simulated board uses the wire protocol of real boards and the capacity of the chip in the rig file. A batch that is
too large, a forbidden transition or an error in the protocol's Python is found here and not with an animal in the box.
"""

from __future__ import annotations

import asyncio
import math
import sys
import zlib
from collections.abc import Callable, Coroutine, Mapping, Sequence, Set
from contextlib import redirect_stdout
from dataclasses import dataclass, field, replace
from functools import partial

from rig.boards.driver_lookup import Connection, find_driver, make_board
from rig.boards.simulation import SimulatedBody
from rig.core.engine.engine import Engine
from rig.core.engine.trials import REWARD_OUTSIDE_TRIAL
from rig.core.errors import TaskError
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import REPLAYED_OUTPUTS, Note, SessionLine, StateLine, TrialLine
from rig.core.model.actions import Order
from rig.core.model.board import Wiring
from rig.core.model.events import Refused
from rig.core.model.microseconds import to_us
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from rig.core.model.shares import COMPLETED
from rig.session.check.guided_subject import Experience, GuidedSubject, Situation
from rig.session.check.long_batches import LongBatch, LongBatches
from rig.session.check.outside_world import outside_uses
from rig.session.check.refused_orders import RefusedOrder, RefusedOrders
from rig.session.check.rehearsal_watch import Doubt, RehearsalWatch
from rig.session.check.watchdog import TimeLimitExceeded, Watchdog, time_limit
from rig.session.run.footer import Outcome
from rig.session.run.session import Session
from rig.session.run.tracking import build_track_recorder
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from rig.session.subject_facts import rehearsed_subject
from rig.system.plugins import user_code_line
from rig.terminal.output import multiline_output

DEFAULT_MODEL = "random_explorer"
MAX_SESSION_S = 300.0
UNRESPONSIVE_S = 10.0
"""A state takes microseconds of real time; one that takes so long is taken to block forever, in seconds."""
MAX_REAL_S = 60.0
"""A dry run takes about 1 s of real time; one that takes so long is taken not to end, in seconds."""
MAX_TRIALS = 100
LINES_AFTER = 1000
"""A run that has entered enough states goes on for so many lines: what the last state does must be tried, too."""


@dataclass(frozen=True)
class DryRunSpan:
    """How long a dry run is at most, and when it is enough.

    ``is_enough`` gets the states that were entered so far in the order of the first entry, and is called at each entry.
    """

    session_s: float = MAX_SESSION_S
    trials: int = MAX_TRIALS
    lines: int = sys.maxsize
    """Lines of the journal: a measure of the work that does not depend on the computer."""
    real_s: float = math.inf
    is_enough: Callable[[Set[str]], bool] = lambda entered: False


USUAL_SPAN = DryRunSpan()


@dataclass(frozen=True)
class DryRunResult:
    """Result of a dry run: its outcome, its trials, the states never reached, and the refused orders.

    ``decided`` is a sum over all that the protocol decided: the same seed must give the same. ``unowned`` are the
    rewards that were given in no trial. ``steps`` are the pairs of states that followed each other. A run that was
    ``stopped`` was long enough.
    """

    outcome: Outcome
    trials: int
    seconds: float
    unreached: tuple[str, ...]
    decided: int
    refused: tuple[tuple[RefusedOrder, int], ...] = ()
    unowned: int = 0
    last_state: str = ""
    table_rows: int = 0
    """Rows of the protocol's further tables."""
    steps: frozenset[tuple[str, str]] = frozenset()
    lines: int = 0
    real_s: float = 0.0
    stopped: bool = False
    completed: int = 0
    """Trials of which shares are counted."""
    doubts: Mapping[Doubt, int] = field(default_factory=dict)
    """What is hardly meant so, and how often."""
    long_batches: Mapping[str, LongBatch] = field(default_factory=dict)
    """The longest batch of each state whose orders take long on their way."""

    @property
    def failure(self) -> str | None:
        """Return what went wrong, if anything did."""
        if self.outcome.reason == "operator" and not self.stopped:  # there is no operator to stop it
            return "the protocol cancels itself: a state ends by returning the next one"
        return self.outcome.detail if self.outcome.reason == "fault" else None

    @property
    def got_no_rewards(self) -> bool:
        """Whether it was over because the limits have no room for a single reward."""
        return self.outcome.reason == "reward_limit" and not self.outcome.rewards


class _ObservedJournal(Journal):
    """Journal that is not stored but observed; ``stop`` is called once the run is long enough."""

    def __init__(
        self,
        wiring: Wiring,
        on_note: Callable[[Mapping[str, object]], object],
        watchdog: Watchdog,
        span: DryRunSpan,
        stop: Callable[[], object],
    ) -> None:
        super().__init__(lambda raw: None, on_note)
        self.states: set[str] = set()
        self.steps: set[tuple[str, str]] = set()
        self.stopped = False
        self._enough_at: int | None = None
        self._span = span
        self._stop = stop
        self.decided = 0
        self.completed = 0
        self.unowned = 0
        self.refusals = RefusedOrders(wiring)
        self.long_batches = LongBatches(wiring)
        self.last_state = ""
        self._watchdog = watchdog

    def _append(self, line: SessionLine, body: bytes) -> None:
        super()._append(line, body)
        self._watch_length()
        if isinstance(line, REPLAYED_OUTPUTS):
            self.decided = zlib.crc32(body, self.decided)
        match line:
            case TrialLine():
                self.completed += line.row.get("outcome") in COMPLETED
            case Note():
                self.unowned += line.what == REWARD_OUTSIDE_TRIAL
            case StateLine():
                self._enter(line.name)
            case Refused():
                self.refusals.record_refusal(line)

    def _watch_length(self) -> None:
        self._watchdog.lives()
        is_enough = self._enough_at is not None and self.seq >= self._enough_at
        is_long = self.seq >= self._span.lines or self._watchdog.elapsed_s >= self._span.real_s
        if (is_enough or is_long) and not self.stopped:
            self.stopped = True
            self._stop()

    def _enter(self, name: str) -> None:
        self.states.add(name)
        self.steps.add((self.last_state, name))
        self.last_state = name
        if self._enough_at is None and self._span.is_enough(self.states):
            self._enough_at = self.seq + LINES_AFTER

    def command(self, t_us: int, epoch: int, number: int, seen: int, orders: Sequence[Order]) -> None:
        """Record a batch of orders."""
        super().command(t_us, epoch, number, seen, orders)
        self.refusals.record_batch(number, self.last_state, orders)
        self.long_batches.record(t_us, self.last_state, orders)


def dry_run(
    spec: SessionSpec,
    model: str | None = DEFAULT_MODEL,
    options: Mapping[str, str] | None = None,
    seed: int = 1,
    *,
    span: DryRunSpan = USUAL_SPAN,
    experience: Experience | None = None,
) -> DryRunResult:
    """Run a session of at most five minutes and a hundred trials on a simulated board; nothing is written.

    With ``experience`` a guided subject accompanies the model, or plays alone if there is none. Raises ``ConfigError``
    when the model is not there, ``BoardError`` when the board cannot take the rig's wiring, ``TaskError`` when the
    protocol does not come back.
    """
    spec = _shortened(spec, seed, span)
    hints = {"session_s": to_us(spec.stop.session_s) / 1e6, **spec.model_params}
    simulation = SimulationOptions(model, options or {}, hints, seed=seed)
    # Kept outside of `main`, which returns nothing when the time limit ends it.
    journals: list[_ObservedJournal] = []
    engines: list[Engine] = []
    watch = RehearsalWatch(spec.found.files, spec.task.states, lambda: engines[0])

    async def main(watchdog: Watchdog) -> Outcome:
        driver = find_driver("sim")
        connection = driver.connect(spec.plan, simulation)
        session: Session | None = None

        def request_stop() -> None:
            if session is not None:
                session.request("stop")

        def stop() -> None:
            # Later: the journal is just writing a line.
            asyncio.get_running_loop().call_soon(request_stop)

        journal = _ObservedJournal(spec.plan.wiring, connection.tell, watchdog, span, stop)
        journals.append(journal)
        session = Session(
            spec,
            journal,
            lambda inbox: make_board(driver, connection, spec.plan, inbox, seed),
            build_track_recorder(spec.plan, connection.camera, None),
            watch,
        )
        engines.append(session.engine)
        look = partial(_look, journal, session.engine)
        guided = None if experience is None else GuidedSubject(look, experience, seed)
        return await session.run(_subject(connection, guided))

    with outside_uses(spec.found.files) as uses:
        outcome, real_s = _run_limited(main, journals)
    return replace(_result(spec, outcome, real_s, *journals), doubts=watch.doubts + uses)


def _run_limited(
    main: Callable[[Watchdog], Coroutine[None, None, Outcome]], journals: Sequence[_ObservedJournal]
) -> tuple[Outcome, float]:
    """Run a session in virtual time; return its outcome and its real time in seconds.

    Raises ``TaskError`` when the protocol does not come back.
    """
    try:
        # What a protocol prints must not mix with the command's output, which other programs may parse.
        with (
            time_limit(UNRESPONSIVE_S, MAX_REAL_S) as watchdog,
            redirect_stdout(multiline_output(sys.stderr)),
            asyncio.Runner(loop_factory=lambda: find_driver("sim").loop(math.inf)) as runner,
        ):
            outcome = runner.run(main(watchdog))
    except TimeLimitExceeded as late:
        error = TaskError(_time_limit_text(late, journals))
        error.where = user_code_line(late)
        raise error from late
    return outcome, watchdog.elapsed_s


def _shortened(spec: SessionSpec, seed: int, span: DryRunSpan) -> SessionSpec:
    longest_s = min(spec.stop.session_s, span.session_s)
    trials = min(spec.stop.max_trials or span.trials, span.trials)
    return replace(
        spec,
        request=SessionRequest(subject="dry_run", seed=seed),
        about_subject=spec.about_subject or rehearsed_subject(spec),
        stop=spec.stop.model_copy(update={"session_s": longest_s, "max_trials": trials}),
        plan=on_simulated_board(spec.plan),
        rehearsed=True,
    )


def _result(spec: SessionSpec, outcome: Outcome, real_s: float, journal: _ObservedJournal) -> DryRunResult:
    return DryRunResult(
        outcome,
        journal.counts["trial"],
        outcome.t_us / 1e6,
        tuple(name for name in spec.task.states if name not in journal.states),
        journal.decided,
        journal.refusals.found,
        journal.unowned,
        journal.last_state,
        journal.counts["row"],
        frozenset(journal.steps),
        journal.seq,
        real_s,
        journal.stopped,
        journal.completed,
        long_batches=journal.long_batches.longest,
    )


def _look(journal: _ObservedJournal, engine: Engine) -> Situation | None:
    """Return the situation of a guided subject; None between two waits."""
    asked = engine.reader.open_wait
    if asked is None or not journal.last_state:
        return None
    wanted, deadline_us = asked
    # Later than the state's own end is the deadline of a wait without one.
    own_us = deadline_us if deadline_us < engine.time.deadline_us else None
    return Situation(journal.last_state, frozenset(wanted), own_us, frozenset(engine.reflexes.acting_edges))


def on_simulated_board(plan: RigSpec) -> RigSpec:
    """Return a rig with the simulated board in place of its own."""
    # Without the id: the simulated board is not the one that the rig file names.
    return replace(plan, board=replace(plan.board, driver="sim", uid=None))


def _time_limit_text(late: TimeLimitExceeded, journals: Sequence[_ObservedJournal]) -> str:
    state = f"state '{journals[-1].last_state}'" if journals and journals[-1].last_state else "the protocol"
    silent = f"has not come back for {UNRESPONSIVE_S:g} s"
    why = silent if late.is_silent else f"still runs after {MAX_REAL_S:g} s"
    return f"{state} {why}: does a loop never await, or does something sleep for real?"


def _subject(connection: Connection, guided: GuidedSubject | None) -> Coroutine[object, None, None] | None:
    """Return the coroutine of the virtual subject, of the guided one, or of both."""
    model = None if connection.subject is None else connection.subject()
    if guided is None or connection.rig is None:
        return model
    return guided.live(connection.rig.body) if model is None else _both(model, guided, connection.rig.body)


async def _both(model: Coroutine[object, None, None], guided: GuidedSubject, body: SimulatedBody) -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(model)
        group.create_task(guided.accompany(body))
