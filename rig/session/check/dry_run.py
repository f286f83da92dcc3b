"""Run a protocol dry, in memory: check that it runs on this rig and that its orders fit the board.

The simulated board uses the wire protocol of real boards and the capacity of the chip in the rig file. A batch that is
too large, a forbidden transition or an error in the protocol's Python is found here and not with an animal in the box.
"""

from __future__ import annotations

import asyncio
import json
import math
import sys
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rig.boards.registry import Connection, find_driver, make_board
from rig.core.engine.trials import REWARD_OUTSIDE_TRIAL
from rig.core.errors import TaskError
from rig.core.journal.journal import REPLAYED_OUTPUTS, Journal
from rig.core.model.actions import Order
from rig.core.model.board import Wiring
from rig.core.model.events import Event
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from rig.core.model.units import to_us
from rig.session.build.request import SessionRequest
from rig.session.build.spec import SessionSpec
from rig.session.check.refused_orders import RefusedOrder, RefusedOrders
from rig.session.run.session import Outcome, Session
from rig.session.run.tracking import build_track_recorder
from rig.session.run.watchdog import TimeLimitExceeded, time_limit
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


@dataclass(frozen=True)
class DryRunResult:
    """Result of a dry run: its outcome, its trials, the states never reached, and the refused orders.

    ``decided`` is a sum over all that the protocol decided: the same seed must give the same. ``unowned`` are the
    rewards that were given in no trial.
    """

    outcome: Outcome
    trials: int
    seconds: float
    unreached: tuple[str, ...]
    decided: int
    refused: tuple[tuple[RefusedOrder, int], ...] = ()
    unowned: int = 0

    @property
    def failure(self) -> str | None:
        """Return what went wrong, if anything did."""
        if self.outcome.reason == "operator":  # there is no operator to stop it
            return "the protocol cancels itself: a state ends by returning the next one"
        return self.outcome.detail if self.outcome.reason == "fault" else None

    @property
    def got_no_rewards(self) -> bool:
        """Whether it was over because the limits have no room for a single reward."""
        return self.outcome.reason == "reward_limit" and not self.outcome.rewards


class _ObservedJournal(Journal):
    """Journal that is not stored but observed; ``lives`` is called with every line."""

    def __init__(
        self, wiring: Wiring, on_note: Callable[[Mapping[str, Any]], object], lives: Callable[[], object]
    ) -> None:
        super().__init__(self._observe, on_note)
        self.states: set[str] = set()
        self.decided = 0
        self.unowned = 0
        self.refusals = RefusedOrders(wiring)
        self.last_state = ""
        self._lives = lives

    def _observe(self, raw: bytes) -> None:
        self._lives()
        line = json.loads(raw)
        if line["k"] in REPLAYED_OUTPUTS:
            self.decided = zlib.crc32(raw, self.decided)
        self.unowned += line["k"] == "note" and line.get("what") == REWARD_OUTSIDE_TRIAL

    def state(self, t_us: int, name: str) -> None:
        """Record that the task entered a state."""
        super().state(t_us, name)
        self.states.add(name)
        self.last_state = name

    def command(self, t_us: int, epoch: int, number: int, seen: int, orders: Sequence[Order]) -> None:
        """Record a batch of orders."""
        super().command(t_us, epoch, number, seen, orders)
        self.refusals.record_batch(number, self.last_state, orders)

    def event(self, event: Event) -> None:
        """Record an event of the board."""
        super().event(event)
        self.refusals.record_event(event)


def dry_run(
    spec: SessionSpec, model: str = DEFAULT_MODEL, options: Mapping[str, str] | None = None, seed: int = 1
) -> DryRunResult:
    """Run a session of at most five minutes and a hundred trials on a simulated board; nothing is written.

    Raises ``ConfigError`` when the model is not there, ``BoardError`` when the board cannot take the rig's wiring,
    ``TaskError`` when the protocol does not come back.
    """
    driver = find_driver("sim")
    longest_s = min(spec.stop.session_s, MAX_SESSION_S)
    trials = min(spec.stop.max_trials or MAX_TRIALS, MAX_TRIALS)
    spec = replace(
        spec,
        request=SessionRequest(subject="dry_run", seed=seed),
        about_subject=spec.about_subject or rehearsed_subject(spec),
        stop=spec.stop.model_copy(update={"session_s": longest_s, "max_trials": trials}),
        plan=on_simulated_board(spec.plan),
        rehearsed=True,
    )
    hints = {"session_s": to_us(longest_s) / 1e6, **spec.model_params}
    simulation = SimulationOptions(model, options or {}, hints, seed=seed)
    # Kept outside of `main`, which returns nothing when the time limit ends it.
    journals: list[_ObservedJournal] = []

    def loop() -> asyncio.AbstractEventLoop:
        return driver.loop(math.inf)

    async def main(lives: Callable[[], object]) -> Outcome:
        connection = driver.connect(spec.plan, simulation)
        journal = _ObservedJournal(spec.plan.wiring, connection.tell, lives)
        journals.append(journal)
        session = Session(
            spec,
            journal,
            lambda inbox: make_board(driver, connection, spec.plan, inbox, seed),
            build_track_recorder(spec.plan, connection.camera, None),
        )
        return await session.run(_subject(connection))

    try:
        # What a protocol prints must not mix with the command's output, which other programs may parse.
        with (
            time_limit(UNRESPONSIVE_S, MAX_REAL_S) as lives,
            redirect_stdout(multiline_output(sys.stderr)),
            asyncio.Runner(loop_factory=loop) as runner,
        ):
            outcome = runner.run(main(lives))
    except TimeLimitExceeded as late:
        raise TaskError(_time_limit_text(late, journals)) from late
    (journal,) = journals
    unreached = tuple(name for name in spec.task.states if name not in journal.states)
    seconds, trials = outcome.t_us / 1e6, journal.counts["trial"]
    return DryRunResult(outcome, trials, seconds, unreached, journal.decided, journal.refusals.found, journal.unowned)


def on_simulated_board(plan: RigSpec) -> RigSpec:
    """Return a rig with the simulated board in place of its own."""
    # Without the id: the simulated board is not the one that the rig file names.
    return replace(plan, board=replace(plan.board, driver="sim", uid=None))


def _time_limit_text(late: TimeLimitExceeded, journals: Sequence[_ObservedJournal]) -> str:
    where = user_code_line(late)
    at = f"; it is at {Path(where[0]).name}:{where[1]}" if where else ""
    state = f"state '{journals[-1].last_state}'" if journals and journals[-1].last_state else "the protocol"
    silent = f"has not come back for {UNRESPONSIVE_S:g} s"
    said = silent if late.is_silent else f"still runs after {MAX_REAL_S:g} s"
    return f"{state} {said}{at}: does a loop never await, or does something sleep for real?"


def _subject(connection: Connection) -> Any:
    return None if connection.subject is None else connection.subject()
