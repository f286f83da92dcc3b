"""Build a task, its box and its engine, for a session or for its replay."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from rig.core.engine.engine import Engine
from rig.core.engine.inbox import Inbox
from rig.core.engine.live_params import LiveParams
from rig.core.engine.observer import SessionObserver
from rig.core.engine.reward_ledger import RewardLedger
from rig.core.errors import CalibrationError, OrderRefusedError, RigError, TaskError
from rig.core.journal.journal import Journal
from rig.core.model.actions import RewardAction
from rig.core.model.board import Board
from rig.core.model.reward_types import reward_params
from rig.core.task.random_streams import RandomStreams
from rig.core.task.runner import Runner
from rig.devices import Device
from rig.devices.box import build_box
from rig.session.spec.param_changes import ParamChanges
from rig.session.spec.session_spec import SessionSpec
from rig.system.plugins import first_line, user_code_line

_PROTOCOL_ERRORS = (TaskError, CalibrationError, OrderRefusedError)
"""Errors of this package that a line of the protocol causes, so that the line is reported with them."""


def wire_up_task(
    spec: SessionSpec,
    journal: Journal,
    make_board: Callable[[Inbox], Board],
    observer: SessionObserver | None = None,
) -> tuple[Engine, Runner]:
    """Build a task, its box and its engine. Raises ``ConfigError`` when the rig lacks a device."""
    devices = spec.rig.build()
    streams = RandomStreams(spec.seed)
    live = LiveParams(spec.params, ParamChanges(devices, spec.reward_limits))
    engine = Engine(
        journal,
        make_board,
        RewardLedger(spec.reward_limits, journal, spec.header.start, observer),
        activity_limits=spec.activity_limits,
        host_inputs=spec.plan.host_inputs,
        observer=observer,
        reward_at=_manual_reward(live, devices),
        describe=format_error,
        longest_pause_us=round(spec.stop.max_pause_s * 1e6),
        live=live,
        codes=[code for device in devices.values() if (code := device.signal(streams)) is not None],
        keep_mistakes=spec.keeps_mistakes,
    )
    box = build_box(
        spec.task.box_type,
        {name: device.linked(engine.link) for name, device in devices.items()},
        f"rig {spec.rig.name}",
    )
    task = spec.task(spec.params, box, engine, streams, spec.carried_over, spec.drawn, spec.subject)
    return engine, Runner(task, engine, spec.limits)


def _manual_reward(live: LiveParams, devices: Mapping[str, Device]) -> Callable[[str], RewardAction | None]:
    """Return the manual reward of each device: the protocol's first reward there, or the device's default one."""

    def reward(source: str) -> RewardAction | None:
        device = devices.get(source)
        if device is None:
            return None
        sizes = (reward.size for reward in reward_params(live.current) if reward.is_given_at(source, device.gives))
        with suppress(TaskError):  # a port without a valve: the request is recorded and gives nothing
            return device.reward(next(sizes, None))
        return None

    return reward


def format_error(error: BaseException) -> str:
    """Return an error's text for the operator; errors of other code have their type and the protocol's line."""
    if isinstance(error, RigError) and not isinstance(error, _PROTOCOL_ERRORS):
        return str(error)
    text = str(error) if isinstance(error, RigError) else f"{type(error).__name__}: {first_line(error)}"
    where = user_code_line(error)
    return text if where is None else f"{Path(where[0]).name}:{where[1]}: {text}"
