"""A short rehearsal in memory: does the protocol run on this rig, and does the board hold what it orders?

The simulated board speaks the wire that real ones speak and has the room of the chip that the rig file names, so a
batch that cannot fit, a state that goes where it may not, or a mistake in the protocol's Python comes out here, and
not with an animal in the box.
"""

from __future__ import annotations

import asyncio
import json
import math
import sys
import zlib
from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rig.core.errors import TaskError
from rig.core.journal import DECISIONS, Journal
from rig.core.plan import Rehearsal
from rig.core.units import to_us
from rig.hardware.boards import Connection, find_driver, make_board
from rig.installed import their_line
from rig.session.overdue import OverdueInterrupt, at_most
from rig.session.session import Outcome, Session
from rig.session.setup import Prepared
from rig.session.tracking import tracker_of

PROBER = "prober"
LONGEST_S = 300.0
PATIENCE_S = 60.0
"""A rehearsal takes about a second of real time; one that takes this long would never end."""
MOST_TRIALS = 100


@dataclass(frozen=True)
class Rehearsed:
    """What a rehearsal showed: how it ended, its trials, and the states that were never reached.

    ``decided`` is a sum over all that the protocol decided: the same seed must give the same.
    """

    outcome: Outcome
    trials: int
    seconds: float
    unreached: tuple[str, ...]
    decided: int

    @property
    def failure(self) -> str | None:
        """Say what went wrong, if anything did."""
        if self.outcome.reason == "operator":  # nobody was there to stop it
            return "the protocol cancels itself: a state ends by returning the next one"
        return self.outcome.detail if self.outcome.reason == "fault" else None

    @property
    def is_starved(self) -> bool:
        """Tell whether it was over because the ceilings have no room for a single reward."""
        return self.outcome.reason == "reward_cap" and not self.outcome.rewards


@dataclass
class _Heard:
    """Listens to a journal that nobody keeps."""

    states: set[str] = field(default_factory=set)
    trials: int = 0
    decided: int = 0

    def line(self, raw: bytes) -> None:
        line: dict[str, Any] = json.loads(raw)
        if line["k"] == "state":
            self.states.add(line["name"])
        self.trials += line["k"] == "trial"
        if line["k"] in DECISIONS:
            self.decided = zlib.crc32(raw, self.decided)


def rehearse(
    prepared: Prepared, model: str = PROBER, options: Mapping[str, str] | None = None, seed: int = 1
) -> Rehearsed:
    """Run a session of at most five minutes and a hundred trials on a simulated board; nothing is written.

    Raises ``ConfigError`` when the model is not there, ``BoardError`` when the board cannot take the rig's wiring,
    ``TaskError`` when the protocol does not come back.
    """
    driver = find_driver("sim")
    board = replace(prepared.plan.board, driver="sim", uid=None)
    script = prepared.script(seed, {}, subject="rehearsal")
    longest_us = min(script.limits.session_us, to_us(LONGEST_S))
    trials = min(script.limits.max_trials or MOST_TRIALS, MOST_TRIALS)
    limits = replace(script.limits, session_us=longest_us, max_trials=trials)
    script = replace(script, plan=replace(prepared.plan, board=board), limits=limits)
    hints = {"session_s": longest_us / 1e6, **prepared.sim_subject}
    rehearsal = Rehearsal(model, options or {}, hints, seed=seed)
    heard = _Heard()

    def loop() -> asyncio.AbstractEventLoop:
        return driver.loop(math.inf)

    async def main() -> Outcome:
        connection = driver.connect(script.plan, rehearsal)
        session = Session(
            script,
            Journal(heard.line, connection.tell),
            lambda inbox: make_board(driver, connection, script.plan, inbox, seed),
            tracker_of(script.plan, connection.camera, None),
        )
        return await session.run(_subject(connection))

    try:
        # What a state prints is no part of what was asked for.
        with at_most(PATIENCE_S), redirect_stdout(sys.stderr), asyncio.Runner(loop_factory=loop) as runner:
            outcome = runner.run(main())
    except OverdueInterrupt as late:
        where = their_line(late)
        at = f"; it is at {Path(where[0]).name}:{where[1]}" if where else ""
        raise TaskError(f"a rehearsal was not over after {PATIENCE_S:g} s{at}: does a loop never await?") from late
    unreached = tuple(name for name in prepared.found.task.states if name not in heard.states)
    return Rehearsed(outcome, heard.trials, outcome.t_us / 1e6, unreached, heard.decided)


def _subject(connection: Connection) -> Any:
    return None if connection.subject is None else connection.subject()
