"""From names and files to a script: what the session will be, checked before anything is touched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from rig.config import (
    Layered,
    ProtocolFile,
    RigFile,
    Stop,
    collect,
    find,
    load,
    load_calibration,
    mistake,
    rig_file_model,
    validate,
)
from rig.core.board import Input, Wiring
from rig.core.errors import CalibrationError, ConfigError
from rig.core.plan import BoardSpec, RigPlan
from rig.core.purse import Ceilings
from rig.core.runner import Limits
from rig.core.units import to_us
from rig.core.watch import NEVER_US, Patience
from rig.devices import KINDS, Device, DeviceConfig, Valve
from rig.devices.box import build_box
from rig.devices.build import build_devices, volume
from rig.devices.calibration import Calibration
from rig.session.session import Script
from rig.session.tasks import FoundTask, find_task

FORMAT = 1
"""The journal's format; raised whenever a field changes its meaning."""


@dataclass(frozen=True)
class Rig:
    """A rig file, read."""

    name: str
    file: RigFile
    calibrations: Mapping[str, Calibration]
    sources: tuple[Path, ...]

    def header(self) -> dict[str, Any]:
        """Give what a replay needs of it."""
        devices = {name: config.model_dump(exclude_none=True) for name, config in self.file.devices.items()}
        calibrations = {name: calibration.to_dict() for name, calibration in self.calibrations.items()}
        board = self.file.boards[self.file.reference].model_dump(exclude_none=True)
        return {"name": self.name, "board": board, "devices": devices, "calibrations": calibrations}


@dataclass(frozen=True)
class Prepared:
    """A protocol on a rig, ready to be run any number of times."""

    found: FoundTask
    params: Any
    stop: Stop
    sim_subject: Mapping[str, Any]
    plan: RigPlan
    devices: Mapping[str, DeviceConfig]
    rig: Mapping[str, Any]
    calibrations: Mapping[str, Calibration]
    sources: tuple[Path, ...]

    @property
    def protocol(self) -> str:
        """Name the protocol as records do."""
        return self.found.name

    def script(self, seed: int, carried: Mapping[str, Any], left_today_ul: float | None = None, **facts: Any) -> Script:
        """Make the script of one session; ``facts`` are further fields of its header.

        ``left_today_ul`` is what the subject may still be given today; None when that has no limit.
        """
        devices, _ = build_devices(self.devices, self.calibrations)
        header = {
            "format": FORMAT,
            "protocol": self.protocol,
            **({} if self.found.word is None else {"task": self.found.word}),
            **facts,
            "seed": seed,
            "params": self.params.model_dump(mode="json"),
            "stop": self.stop.model_dump(mode="json", exclude_none=True),
            "rig": dict(self.rig),
            "carried": dict(carried),
            "left_today_ul": left_today_ul,
            "columns": self.found.task.row_type.columns(),
        }
        stop = self.stop
        ceilings = [ul for ul in (stop.max_ul, left_today_ul) if ul is not None]
        return Script(
            task=self.found.task,
            params=self.params,
            limits=Limits(to_us(stop.session_s), to_us(stop.grace_s), stop.max_trials),
            ceilings=Ceilings(stop.max_rewards, min(ceilings, default=None)),
            plan=self.plan,
            devices=devices,
            seed=seed,
            patience=_patience(stop, self.plan.wiring),
            carried=carried,
            header=header,
        )


def _patience(stop: Stop, wiring: Wiring) -> Patience:
    machines = [channel.name for channel in wiring.channels if isinstance(channel, Input) and channel.machine]
    alert_us, idle_us = (
        NEVER_US if minutes is None else to_us(60 * minutes) for minutes in (stop.idle_alert_min, stop.idle_stop_min)
    )
    return Patience(to_us(stop.stuck_s), alert_us, idle_us, frozenset(machines))


def prepare(
    protocol: str,
    rig: str | None = None,
    sets: Sequence[str] = (),
    driver: str | None = None,
    *,
    simulated: bool = True,
) -> Prepared:
    """Read a protocol file and a rig file. Raises ``ConfigError`` listing every mistake in both.

    Without ``rig`` a ``simulated`` session takes the one that the protocol names for its rehearsals; ``driver``
    replaces what the rig file says.
    """
    path = find("protocols", protocol)
    layered = load(path, sets)
    file, (found, params), read = collect(
        lambda: validate(ProtocolFile, layered),
        lambda: _params(layered),
        lambda: _rig(rig, layered, simulated, path.parent.parent),
    )
    prepared = assemble(found, params, file.stop, read, driver, layered.sources)
    return replace(prepared, sim_subject=file.sim_subject)


def _rig(name: str | None, layered: Layered, simulated: bool, near: Path) -> Rig:
    chosen = name or (layered.data.get("sim_rig") if simulated else None)
    if not isinstance(chosen, str):
        place = ("sim_rig",)
        raise ConfigError(
            mistake(layered.mark(place), place, "no rig is named: give --rig NAME, or sim_rig in the file")
        )
    return read_rig(chosen, (near,))


def _params(layered: Layered) -> tuple[FoundTask, Any]:
    word = layered.data.get("protocol")
    if not isinstance(word, str):
        raise ConfigError()  # the file's own validation says it
    mark = layered.mark(("protocol",))
    try:
        found = find_task(word, None if mark.line is None else Path(mark.file).parent)
    except ConfigError as error:
        raise ConfigError(mistake(mark, ("protocol",), str(error))) from None
    return found, validate(found.task.params_type, layered, ("params",))


def read_rig(name: str, near: Sequence[Path] = ()) -> Rig:
    """Read a rig file and its calibrations. Raises ``ConfigError`` listing every mistake."""
    path = find("rigs", name, near)
    layered = load(path)
    file = validate(rig_file_model(KINDS), layered)
    if len(file.boards) > 1:
        raise ConfigError(
            mistake(layered.mark(("boards",)), ("boards",), "several boards in one rig are not supported yet: keep one")
        )
    wanted = [getattr(config, "calibration", None) for config in file.devices.values()]
    measured = [name for name in dict.fromkeys(wanted) if name is not None]
    found = collect(*(partial(load_calibration, name, (path.parent.parent, *near)) for name in measured))
    calibrations = {name: calibration for name, (calibration, _) in zip(measured, found, strict=True)}
    return Rig(path.stem, file, calibrations, (*layered.sources, *(source for _, source in found)))


def assemble(
    found: FoundTask,
    params: Any,
    stop: Stop,
    rig: Rig,
    driver: str | None = None,
    sources: Sequence[Path] = (),
) -> Prepared:
    """Put a protocol on a rig, and see that the one has what the other needs."""
    devices, of_valves = build_devices(rig.file.devices, rig.calibrations)
    build_box(found.task.box_type, devices, f"rig {rig.name}")
    _check_volumes(params, devices)
    name = rig.file.reference
    board = rig.file.boards[name]
    spec = BoardSpec(name, driver or board.driver, board.id, board.port, board.baud)
    wiring = Wiring(tuple(channel for device in devices.values() for channel in device.channels), board.lease_s)
    ul_of = {valve: partial(volume, calibration) for valve, calibration in of_valves.items()}
    return Prepared(
        found=found,
        params=params,
        stop=stop,
        sim_subject={},
        plan=RigPlan(rig.name, spec, wiring, ul_of),
        devices=rig.file.devices,
        rig=rig.header(),
        calibrations=rig.calibrations,
        sources=(*sources, *rig.sources, *found.files),
    )


def _check_volumes(params: Any, devices: Mapping[str, Device]) -> None:
    ul = getattr(params, "reward_ul", None)
    mistakes = []
    for device in devices.values():
        if ul is not None and (device.has("valve") or isinstance(device, Valve)):
            try:
                device.drop(ul)  # type: ignore[attr-defined]
            except CalibrationError as error:
                mistakes.append(str(error))
    if mistakes:
        raise CalibrationError("\n".join(mistakes))
