"""A rehearsal in virtual time: a rig, a session on it, an animal that follows a script, and what goes wrong."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Annotated, Any
from unittest.mock import patch

from protocols.free_water import FreeWater
from protocols.two_armed_bandit import TwoArmedBandit
from rig.config import Stop, rig_file_model
from rig.core.actions import RewardAction
from rig.core.events import Edge
from rig.core.journal import Journal, event_of
from rig.core.plan import Rehearsal
from rig.core.reward_types import RewardVolume
from rig.core.rewards import Ceilings, Reward, RewardLedger
from rig.core.rows import Row
from rig.core.task import Task, TaskParams
from rig.devices import KINDS, Needs, Port
from rig.devices.calibration import Calibration
from rig.hardware.boards import Connection, make_board
from rig.session import replay
from rig.session.fit import Rig
from rig.session.session import Outcome, Script, Session
from rig.session.setup import assemble
from rig.session.tasks import FoundTask
from sim_hardware.driver import SimDriver, SimRig
from sim_hardware.loop import VirtualLoop
from sim_hardware.models.base import Model
from sim_hardware.wire import Faults
from tests.replaying import decide, decisions_of

Line = dict[str, Any]
EdgeAt = tuple[int, str, int]
"""A nose that goes in (1) or out (0) of a place, at a microsecond of the session."""

POINTS = ((10_000, 0.8), (40_000, 2.5), (80_000, 5.0), (160_000, 10.0))
DROP_US = 40_000
CONFIRM_US = 100
"""How long a beam must stay broken before the board believes it; reflexes fire then."""

PROTOCOLS: dict[type[Task[Any, Any, Any]], str] = {TwoArmedBandit: "two_armed_bandit", FreeWater: "free_water"}


def nose_ports(**port: Any) -> Rig:
    """Describe the rig of three ports; ``port`` holds further fields of every port."""
    calibration = Calibration("measured", "both", "2026-11-03", POINTS)
    devices = {
        "left": {"kind": "port", "beam": 6, "light": 10, "valve": 3, "calibration": "measured", **port},
        "centre": {"kind": "port", "beam": 5, "light": 8, **port},
        "right": {"kind": "port", "beam": 7, "light": 9, "valve": 4, "calibration": "measured", **port},
    }
    boards = {"sim": {"driver": "sim"}}
    file = rig_file_model(KINDS).model_validate({"boards": boards, "devices": devices})
    return Rig("three_ports", file, {"measured": calibration}, ())


NOSE_PORTS = nose_ports()


def script_for(
    task: type[Task[Any, Any, Any]],
    params: Mapping[str, Any] | None = None,
    stop: Mapping[str, Any] | None = None,
    seed: int = 1,
    rig: Rig = NOSE_PORTS,
) -> Script:
    """Make the script of a session; pokes may be as short as the rig believes them, unless ``min_poke_ms`` is given."""
    limits = {"session_s": 20, "max_rewards": 100, **(stop or {})}
    at_once = {"min_poke_ms": 0} if "min_poke_ms" in task.params_type.model_fields else {}
    made = task.params_type.model_validate({**at_once, **(params or {})})
    prepared = assemble(FoundTask(PROTOCOLS.get(task, "of_a_test"), task), made, Stop.model_validate(limits), rig)
    return prepared.script(seed, {})


@dataclass
class ThreePorts:
    """The box of the tasks that are made up for one test."""

    left: Annotated[Port, Needs("light", "valve")]
    centre: Annotated[Port, Needs("light")]
    right: Annotated[Port, Needs("light", "valve")]


class Water(TaskParams):
    """What the tasks of tests may be told."""

    reward_ul: RewardVolume = 2.5


@dataclass
class Visit(Row):
    """A row that says of every drop who gave it, where, and what became of it."""

    trial: int = 1
    outcome: str = "done"
    drops: tuple[str, ...] = ()

    def on_rewards(self, rewards: Sequence[Reward]) -> None:
        self.drops = tuple(f"{reward.delivered_by} {reward.source} {reward.status}" for reward in rewards)

    def interrupted(self) -> None:
        self.outcome = "interrupted"


class PortTask(Task[Water, ThreePorts, Visit]):
    """The base of the tasks of tests: what happened is noted in ``log``, which a replay does not touch."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.log: list[Any] = []

    def drop(self, place: str) -> RewardAction:
        port: Port = getattr(self.box, place)
        return port.drop(self.params.reward_ul)


@dataclass(frozen=True)
class Opening:
    """A valve that was open from ``t_us`` for ``us``."""

    place: str
    t_us: int
    us: int | None


class _WatchedLedger(RewardLedger):
    """A ledger that remembers every reward."""

    def __init__(self, ceilings: Ceilings, rewards: list[Reward]) -> None:
        super().__init__(ceilings)
        self.watched = rewards

    def give(self, reward: Reward) -> None:
        self.watched.append(reward)
        super().give(reward)


@dataclass
class Stage:
    """A session and its rig: what a mishap may reach for while it runs, and what is left of it afterwards."""

    script: Script
    rig: SimRig
    session: Session
    raw: list[bytes] = field(default_factory=list)
    rewards: list[Reward] = field(default_factory=list)
    outcome: Outcome | None = None
    error: BaseException | None = None

    # --- mishaps ----------------------------------------------------------------------------------------------

    def ask(self, what: str) -> None:
        """Request something of the session: ``stop``, ``reward left``."""
        self.session.request(what)

    def delay(self, seconds: float) -> None:
        """Let the link be slower or faster from now on, both ways."""
        for lane in (self.rig.cable.to_board, self.rig.cable.to_host):
            lane._latency_s = seconds
            lane._perfect = False  # in order, whatever is still on its way

    def stall(self, seconds: float) -> None:
        """Let the host not read for a while; it still sends."""
        self._hold(seconds, self.rig.cable.to_host)

    def deafen(self, seconds: float) -> None:
        """Let nothing reach the board for a while, then everything at once."""
        self._hold(seconds, self.rig.cable.to_board)

    def _hold(self, seconds: float, lane: Any) -> None:
        if lane.held is None:
            lane.hold()
            asyncio.get_running_loop().call_later(seconds, lane.release)

    # --- what is left -----------------------------------------------------------------------------------------

    @cached_property
    def lines(self) -> list[Line]:
        """The journal, parsed; every line's number and checksum are looked at."""
        lines = [json.loads(line) for line in self.raw]
        for number, (line, raw) in enumerate(zip(lines, self.raw, strict=True)):
            body, _, _ = raw.rpartition(b',"crc":')
            assert line["seq"] == number
            assert line["crc"] == f"{zlib.crc32(body):08x}"
        return lines

    @property
    def log(self) -> list[Any]:
        """What a :class:`PortTask` has noted."""
        log: list[Any] = self.session.runner.task.log
        return log

    def of(self, *kinds: str) -> list[Line]:
        return [line for line in self.lines if line["k"] in kinds]

    @property
    def rows(self) -> list[Line]:
        return self.of("trial")

    @property
    def row(self) -> Line:
        (row,) = self.rows
        return row

    @property
    def states(self) -> list[tuple[str, int]]:
        return [(line["name"], line["t"]) for line in self.of("state")]

    @property
    def edges(self) -> list[Edge]:
        return [event for event in map(event_of, self.lines) if isinstance(event, Edge)]

    @property
    def faults(self) -> list[str]:
        return [line["what"] for line in self.of("fault")]

    @property
    def orders(self) -> list[str]:
        return [order for line in self.of("command") for order in line["orders"]]

    @property
    def footer(self) -> Line:
        assert self.lines[-1]["k"] == "footer"
        return self.lines[-1]

    @property
    def trace(self) -> list[tuple[int, str, int]]:
        assert self.rig.world.trace is not None
        return self.rig.world.trace

    @property
    def openings(self) -> list[Opening]:
        """Every opening of a valve, in order; one that never closed has no length."""
        found = []
        for place in ("left", "right"):
            changes = [(t_us, value) for t_us, name, value in self.trace if name == f"{place}.valve"]
            assert [value for _, value in changes[:2]] in ([], [1], [1, 0])
            for (t_us, value), (until_us, _) in pairwise([*changes, (None, 0)]):  # type: ignore[list-item]
                if value:
                    found.append(Opening(place, t_us, None if until_us is None else until_us - t_us))
        return sorted(found, key=lambda opening: opening.t_us)

    def opened(self, place: str) -> list[int]:
        """When the valve at a place opened."""
        return [opening.t_us for opening in self.openings if opening.place == place]

    def on_at(self, t_us: int) -> set[str]:
        """What is on at an instant, of all outputs."""
        levels: dict[str, int] = {}
        for at_us, name, value in self.trace:
            if at_us <= t_us and not name.endswith(".beam"):
                levels[name] = value
        return {name for name, value in levels.items() if value}

    def replayed(self, lines: Sequence[Line] | None = None) -> list[dict[str, Any]]:
        """Let the protocol decide again, from the inputs of the journal."""
        with patch.object(replay, "script_of", lambda header, folder=None: self.script):
            return decide(self.lines if lines is None else lines)

    def assert_replay_agrees(self) -> None:
        """Hold the journal's own decisions against those of a replay, with and without them in its sight."""
        decided = decisions_of(self.lines)
        assert self.replayed() == decided
        dull = ("state", "trial", "command", "done", "note")
        assert self.replayed([line for line in self.lines if line["k"] not in dull]) == decided


Mishap = tuple[float, Callable[[Stage], object]]
"""Seconds of the session, and what happens then."""


def play(
    script: Script,
    edges: Sequence[EdgeAt] = (),
    *mishaps: Mishap,
    faults: Faults | None = None,
    model: Model | None = None,
    seed: int = 1,
    arrange: Callable[[Stage], object] = lambda stage: None,
    after_s: float = 6.0,
    t_max: float = 20_000.0,
    made: Callable[..., Any] = SimRig,
) -> Stage:
    """Run a session with an animal that follows a script, and watch the pins for ``after_s`` after its end.

    What the session raises is kept in ``error``; what virtual time raises is not survived.
    """

    async def main() -> Stage:
        rig = made(script.plan, Rehearsal(seed=seed), faults)
        connection = Connection(rig.transport, screen=rig.screen, tell=rig.body.tell)
        rig.world.trace = []
        raw: list[bytes] = []
        session = Session(
            script,
            Journal(raw.append, connection.tell),
            lambda inbox: make_board(SimDriver(), connection, script.plan, inbox, seed),
        )
        stage = Stage(script, rig, session, raw)
        session.engine.ledger = _WatchedLedger(script.ceilings, stage.rewards)
        arrange(stage)
        _let_animal_move(stage, edges)
        session.on_opened = lambda opened: _schedule(stage, mishaps)
        try:
            stage.outcome = await session.run(None if model is None else model.live(rig.body))
        except Exception as error:
            stage.error = error
        await asyncio.sleep(after_s)
        return stage

    with asyncio.Runner(loop_factory=lambda: VirtualLoop(t_max=t_max)) as runner:
        return runner.run(main())


def _let_animal_move(stage: Stage, edges: Sequence[EdgeAt]) -> None:
    """Let the beams change at their times from the board's opening on, whether the session still runs or not."""
    loop, world, begin = asyncio.get_running_loop(), stage.rig.world, stage.rig.board.on_open

    def opened() -> None:
        begin()
        for t_us, place, level in sorted(edges, key=lambda edge: edge[0]):
            loop.call_at(stage.rig.body._zero_s + t_us / 1e6, world.touch, place, bool(level))

    stage.rig.board.on_open = opened


def _schedule(stage: Stage, mishaps: Sequence[Mishap]) -> None:
    loop = asyncio.get_running_loop()
    for at_s, mishap in mishaps:
        loop.call_at(stage.rig.body._zero_s + at_s, _happen, stage, mishap)


def _happen(stage: Stage, mishap: Callable[[Stage], object]) -> None:
    if stage.outcome is None and stage.error is None:
        mishap(stage)


def noses(*visits: tuple[int, str, int]) -> list[EdgeAt]:
    """Turn visits ``(t_us, place, for_us)`` into edges."""
    return sorted(edge for t_us, place, for_us in visits for edge in ((t_us, place, 1), (t_us + for_us, place, 0)))


def bad_link(seed: int, rate: float = 1e-3, latency_s: float = 0.001, jitter_s: float = 0.004) -> Faults:
    """Describe a link that flips, drops and doubles bytes, each at ``rate``."""
    return Faults(latency_s, jitter_s, flip=rate, drop=rate, double=rate, seed=seed)


__all__ = ["Opening", "Stage", "bad_link", "nose_ports", "noses", "play", "replace", "script_for"]
