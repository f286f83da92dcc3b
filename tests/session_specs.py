"""Specifications of sessions: of shipped protocols, and of the tasks that one test defines, on a rig of three ports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Annotated, Any

from protocols.free_water.task import FreeWater
from protocols.two_armed_bandit.task import TwoArmedBandit
from rig.config import SessionLimits, rig_file_model
from rig.core.model.actions import RewardAction
from rig.core.model.board import PanicInput
from rig.core.model.reward import Reward
from rig.core.model.reward_types import RewardVolume
from rig.core.model.rows import Row
from rig.core.task.task import Task, TaskParams
from rig.devices import Needs, Port
from rig.devices.calibration import Calibration
from rig.devices.kinds import installed_kinds
from rig.session.spec.build import build_spec, spec_for_rig
from rig.session.spec.read_rig import Rig
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from rig.session.spec.task_classes import FoundTask

POINTS = ((10_000, 0.8), (40_000, 2.5), (80_000, 5.0), (160_000, 10.0))
DROP_US = 40_000
CONFIRM_US = 100
"""A beam must stay broken for this time before the board reports it; reflexes fire then."""
PROTOCOLS: dict[type[Task[Any, Any, Any]], str] = {TwoArmedBandit: "two_armed_bandit", FreeWater: "free_water"}


def nose_ports(**port: Any) -> Rig:
    """Return the rig of three ports; ``port`` holds further fields of every port."""
    calibration = Calibration("measured", "both", "2026-11-03", POINTS)
    devices = {
        "left": {"kind": "port", "beam": 6, "light": 10, "valve": 3, "calibration": "measured", **port},
        "center": {"kind": "port", "beam": 5, "light": 8, **port},
        "right": {"kind": "port", "beam": 7, "light": 9, "valve": 4, "calibration": "measured", **port},
    }
    boards = {"sim": {"driver": "sim"}}
    file = rig_file_model(installed_kinds()).model_validate({"boards": boards, "devices": devices})
    return Rig("three_ports", file, {"measured": calibration}, ())


NOSE_PORTS = nose_ports()


def task_spec(
    task: type[Task[Any, Any, Any]],
    params: Mapping[str, Any] | None = None,
    stop: Mapping[str, Any] | None = None,
    seed: int = 1,
    rig: Rig = NOSE_PORTS,
) -> SessionSpec:
    """Return the specification of a session of a task class; ``min_poke_ms`` is 0 unless it is given."""
    limits = {"session_s": 20, "max_rewards": 100, **(stop or {})}
    at_once = {"min_poke_ms": 0} if "min_poke_ms" in task.params_type.model_fields else {}
    made = task.params_type.model_validate({**at_once, **(params or {})})
    found = FoundTask(PROTOCOLS.get(task, "of_a_test"), task)
    return spec_for_rig(rig, found, made, SessionLimits.model_validate(limits), SessionRequest(seed=seed))


def protocol_spec(protocol: str = "two_armed_bandit", /, rig: str | None = None, **values: Any) -> SessionSpec:
    """Return the specification of a shipped protocol.

    ``iti_min_s=2`` changes a parameter, ``stop_session_s=60`` a limit. A bandit's ``min_poke_ms`` is 0 unless it is
    given.
    """
    if protocol.startswith("two_armed_bandit"):
        values = {"min_poke_ms": 0, **values}
    return _prepared(protocol, rig, tuple(values.items()))


@cache
def _prepared(protocol: str, rig: str | None, values: tuple[tuple[str, Any], ...]) -> SessionSpec:
    sets = [
        f"stop.{name.removeprefix('stop_')}={value}" if name.startswith("stop_") else f"params.{name}={value}"
        for name, value in values
    ]
    return build_spec(SessionRequest(protocol, rig, sets))


def with_panic(spec: SessionSpec, *, inverted: bool = False) -> SessionSpec:
    """Return a specification whose board has a panic button on pin 12."""
    wiring = replace(spec.plan.wiring, panic=PanicInput("sim", 12, inverted))
    return replace(spec, plan=replace(spec.plan, wiring=wiring))


def session_spec(
    spec: SessionSpec, seed: int = 1, carried_over: Mapping[str, Any] | None = None, **asked: Any
) -> SessionSpec:
    """Return the specification of one session; ``asked`` are further fields of its request."""
    request = replace(spec.request, **{"subject": "M1", "seed": seed, **asked})
    return replace(spec, request=request, carried_over=spec.carried_over if carried_over is None else carried_over)


@dataclass
class ThreePorts:
    """The box of the tasks that a test defines."""

    left: Annotated[Port, Needs("light", "valve")]
    center: Annotated[Port, Needs("light")]
    right: Annotated[Port, Needs("light", "valve")]


class Water(TaskParams):
    """The parameters of these tasks."""

    reward_ul: RewardVolume = 2.5


@dataclass
class Visit(Row):
    """A row with who delivered each drop, where, and its status."""

    trial: int = 1
    outcome: str = "done"
    drops: tuple[str, ...] = ()

    def on_rewards(self, rewards: Sequence[Reward]) -> None:
        self.drops = tuple(f"{reward.delivered_by} {reward.source} {reward.status}" for reward in rewards)

    def interrupted(self) -> None:
        self.outcome = "interrupted"


class PortTask(Task[Water, ThreePorts, Visit]):
    """The base of these tasks: a test notes events in ``log``, which a replay does not use."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.log: list[Any] = []

    def drop(self, place: str) -> RewardAction:
        port: Port = getattr(self.box, place)
        return port.drop(self.params.reward_ul)
