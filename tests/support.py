"""A rehearsal in virtual time: a rig, a session on it, an animal that follows a script, and what goes wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any
from unittest.mock import patch

from protocols.free_water import FreeWater
from protocols.two_armed_bandit import TwoArmedBandit
from rig.config import SessionLimits, rig_file_model
from rig.core.model.actions import RewardAction
from rig.core.model.reward import Reward
from rig.core.model.reward_types import RewardVolume
from rig.core.model.rig_spec import SimulationOptions
from rig.core.model.rows import Row
from rig.core.task.task import Task, TaskParams
from rig.devices import KINDS, Needs, Port
from rig.devices.calibration import Calibration
from rig.session import replay
from rig.session.build.build import spec_for_rig
from rig.session.build.request import SessionRequest
from rig.session.build.rig_file import Rig
from rig.session.build.spec import SessionSpec
from rig.session.build.task_classes import FoundTask
from rig.testing import Move, SessionHarness, at, enter, leave
from sim_hardware.link_model import LinkFaults
from sim_hardware.loop import VirtualLoop
from sim_hardware.models.base import Model
from tests.order_text import order_text
from tests.recording_observer import RecordingObserver
from tests.replay_decisions import recorded_decisions, replayed_decisions

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
        "center": {"kind": "port", "beam": 5, "light": 8, **port},
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
) -> SessionSpec:
    """A session; pokes may be as short as the rig believes them, unless ``min_poke_ms`` is given."""
    limits = {"session_s": 20, "max_rewards": 100, **(stop or {})}
    at_once = {"min_poke_ms": 0} if "min_poke_ms" in task.params_type.model_fields else {}
    made = task.params_type.model_validate({**at_once, **(params or {})})
    found = FoundTask(PROTOCOLS.get(task, "of_a_test"), task)
    return spec_for_rig(rig, found, made, SessionLimits.model_validate(limits), SessionRequest(seed=seed))


@dataclass
class ThreePorts:
    """The box of the tasks that are made up for one test."""

    left: Annotated[Port, Needs("light", "valve")]
    center: Annotated[Port, Needs("light")]
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
class ValveOpening:
    """A valve that was open from ``t_us`` for ``us``."""

    place: str
    t_us: int
    us: int | None


class Stage(SessionHarness):
    """A session that something goes wrong in: what a mishap may reach for, and what came of every reward."""

    def __init__(self, spec: SessionSpec, **settings: Any) -> None:
        self.observer = RecordingObserver()
        super().__init__(spec, observer=self.observer, **settings)

    # --- mishaps ----------------------------------------------------------------------------------------------

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

    @property
    def log(self) -> list[Any]:
        """What a :class:`PortTask` has noted."""
        log: list[Any] = self.session.runner.task.log
        return log

    @property
    def orders(self) -> list[tuple[int, str]]:
        """Every order as a person would say it, and when it was given."""
        return [(t_us, order_text(order)) for t_us, order in super().orders]

    @property
    def valve_openings(self) -> list[ValveOpening]:
        """Every opening of a valve, in order; one that never closed has no length."""
        places = ("left", "right")
        found = [ValveOpening(place, *opening) for place in places for opening in self.openings(f"{place}.valve")]
        return sorted(found, key=lambda opening: opening.t_us)

    def opened(self, place: str) -> list[int]:
        """When the valve at a place opened."""
        return [opening.t_us for opening in self.openings(f"{place}.valve")]

    def replayed(self, lines: Sequence[Line] | None = None) -> list[dict[str, Any]]:
        """Let the protocol replayed_decisions again, from the inputs of the journal."""
        with patch.object(replay, "spec_of_header", lambda header, folder=None: self.spec):
            return replayed_decisions(self.journal if lines is None else lines)

    def assert_replay_agrees(self) -> None:
        """Hold the journal's own decisions against those of a replay, with and without them in its sight."""
        decided = recorded_decisions(self.journal)
        assert self.replayed() == decided
        dull = ("state", "trial", "command", "reward", "done", "note")
        assert self.replayed([line for line in self.journal if line["k"] not in dull]) == decided


Mishap = tuple[float, Callable[[Stage], object]]
"""Seconds of the session, and what happens then."""


def play(
    spec: SessionSpec,
    edges: Sequence[EdgeAt] = (),
    *mishaps: Mishap,
    faults: LinkFaults | None = None,
    model: Model | None = None,
    seed: int = 1,
    arrange: Callable[[Stage], object] = lambda stage: None,
    after_s: float = 6.0,
    t_max: float = 20_000.0,
    board: str = "sim",
) -> Stage:
    """Run a session with an animal that follows a script, and watch the pins for ``after_s`` after its end.

    What the session raises is kept in ``error``; what virtual time raises is not survived.
    """
    rehearsal = SimulationOptions(seed=seed, faults={} if faults is None else asdict(faults))
    stage = Stage(spec, board=board, rehearsal=rehearsal)
    stage.run(
        [*(_edge(*edge) for edge in edges), *(_mishap(*mishap) for mishap in mishaps)],
        None if model is None else model.live,
        arrange=arrange,
        after_s=after_s,
        loop=lambda: VirtualLoop(t_max=t_max),
        keep_error=True,
    )
    return stage


def _edge(t_us: int, place: str, level: int) -> Move:
    return at(t_us / 1e6, place, enter if level else leave)


def _mishap(at_s: float, happen: Callable[[Stage], object]) -> Move:
    return Move(round(at_s * 1e6), lambda stage: None if stage.is_over else happen(stage))


def noses(*visits: tuple[int, str, int]) -> list[EdgeAt]:
    """Turn visits ``(t_us, place, for_us)`` into edges."""
    return sorted(edge for t_us, place, for_us in visits for edge in ((t_us, place, 1), (t_us + for_us, place, 0)))


def bad_link(seed: int, rate: float = 1e-3, latency_s: float = 0.001, jitter_s: float = 0.004) -> LinkFaults:
    """Describe a link that flips, drops and doubles bytes, each at ``rate``."""
    return LinkFaults(latency_s, jitter_s, flip=rate, drop=rate, double=rate, seed=seed)


__all__ = ["Stage", "ValveOpening", "bad_link", "nose_ports", "noses", "play", "replace", "script_for"]
