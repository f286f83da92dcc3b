"""A valve of a rig, and the calibration that the rig file names."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from rig.core.model.board import Output
from rig.core.model.channels import Role
from rig.devices.base import Device
from rig.devices.calibration import Calibration
from rig.session.spec.read_rig import Rig
from rig.session.spec.uncalibrated_rig import UNMEASURED, valve_id


@dataclass(frozen=True)
class ValveTarget:
    """A valve of a rig: its device, its output, and the calibration that the rig file names."""

    device: str
    output: str
    max_open_us: int
    valve: str
    word: str
    calibration: Calibration | None


def valve_output(device: Device) -> Output | None:
    """Return the output that drives the valve of a device; None without a valve."""
    outputs = (channel for channel in device.channels if isinstance(channel, Output))
    return next((output for output in outputs if output.role == Role.VALVE), None)


def valves_of(rig: Rig, devices: Iterable[Device]) -> list[ValveTarget]:
    """Return the valves of devices; one without a valve is passed over."""
    outputs = ((device.name, valve_output(device)) for device in devices)
    return [_target(rig, name, output) for name, output in outputs if output is not None]


def valves_beside(rig: Rig, names: Collection[str]) -> list[ValveTarget]:
    """Return the other valves of the rig, in devices of the same kind as the named ones."""
    kinds = {name: config.kind for name, config in rig.file.devices.items()}
    wanted = {kinds[name] for name in names}
    beside = (device for name, device in rig.devices.items() if name not in names and kinds.get(name) in wanted)
    return valves_of(rig, beside)


def _target(rig: Rig, name: str, output: Output) -> ValveTarget:
    config = rig.file.devices[name]
    word: str = getattr(config, "calibration", None) or ""
    known = rig.calibrations.get(word)
    measured = known if known is not None and known.name != UNMEASURED else None
    return ValveTarget(name, output.name, output.max_on_us or 0, valve_id(name, config), word, measured)
