"""The valves of a rig that a command names."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rig.boards.registry import Driver, find_driver
from rig.cli.terminal.prompt import ask_now, is_interactive
from rig.cli.terminal.screen_layout import box
from rig.config.errors.formatting import unknown_name
from rig.core.errors import ConfigError
from rig.core.model.board import Output
from rig.core.model.channels import Role
from rig.core.model.rig_spec import RigSpec
from rig.devices.calibration import Calibration
from rig.session.spec.rig_file import Rig, rig_spec_of
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


def plan_of(rig: Rig, driver: str | None, *, needs_timing: bool = True) -> tuple[RigSpec, Driver]:
    """Return the hardware's view of a rig, and its driver.

    Raises ``ConfigError`` for a board that cannot count pulses by itself.
    """
    plan = rig_spec_of(rig, driver)
    found = find_driver(plan.board.driver)
    if needs_timing and found.timing_unsupported_reason is not None:
        raise ConfigError(f"{rig.name}: the board must count the pulses; {found.timing_unsupported_reason}")
    return plan, found


def valves_of(rig: Rig, names: Sequence[str]) -> list[ValveTarget]:
    """Return the valves of the named devices. Raises ``ConfigError`` for a device without one, or named twice."""
    outputs = _valve_outputs(rig)
    wrong = [
        unknown_name(f"{rig.name} has no valve {name!r}", name, list(outputs)) for name in names if name not in outputs
    ]
    wrong += [f"{name}: is named twice" for name in dict.fromkeys(names) if names.count(name) > 1]
    if wrong:
        raise ConfigError(*wrong)
    return [_target(rig, name, outputs[name]) for name in names]


def all_valves(rig: Rig) -> list[ValveTarget]:
    """Return every valve of a rig. Raises ``ConfigError`` for a rig without one."""
    if not (names := valve_names(rig)):
        raise ConfigError(f"{rig.name}: has no valve")
    return valves_of(rig, names)


def valve_names(rig: Rig) -> list[str]:
    """Return the names of the devices that have a valve."""
    return list(_valve_outputs(rig))


def valves_beside(rig: Rig, names: Sequence[str]) -> list[ValveTarget]:
    """Return the other valves of the rig, in devices of the same kind as the named ones."""
    kinds = {rig.file.devices[name].kind for name in names}
    outputs = {name: output for name, output in _valve_outputs(rig).items() if name not in names}
    return [_target(rig, name, output) for name, output in outputs.items() if rig.file.devices[name].kind in kinds]


def _valve_outputs(rig: Rig) -> dict[str, Output]:
    return {
        name: channel
        for name, device in rig.devices.items()
        for channel in device.channels
        if isinstance(channel, Output) and channel.role is Role.VALVE
    }


def _target(rig: Rig, name: str, output: Output) -> ValveTarget:
    config = rig.file.devices[name]
    word: str = getattr(config, "calibration", None) or ""
    known = rig.calibrations.get(word)
    measured = known if known is not None and known.name != UNMEASURED else None
    return ValveTarget(name, output.name, output.max_on_us or 0, valve_id(name, config), word, measured)


def confirm_no_animal(driver: Driver, *, yes: bool, what: str, rig: str = "the rig") -> None:
    """Wait until a person says that no animal is in the rig; a simulated rig asks nothing.

    Raises ``ConfigError`` otherwise.
    """
    if driver.records == "simulated" or yes:
        return
    if not is_interactive():
        raise ConfigError(f"no animal may be in {rig}: {what}. Without a terminal, add --yes to say so")
    box(f"No animal may be in {rig}: {what}", sys.stderr)
    answer = ask_now(f"Is {rig} empty? [y/N] ")
    if (answer or "").lower() not in ("y", "yes"):
        raise ConfigError("Not confirmed; nothing was given.")


def calibration_folder(rig: Rig, given: str | None, data: Path, *, simulated: bool) -> Path:
    """Return the folder for new calibrations: beside that of the rig file, or among the simulated records."""
    if given is not None:
        return Path(given)
    if simulated:
        return data / "sim" / "calibrations"
    root = rig.sources[0].parent.parent
    inside_package = "_configs" in rig.sources[0].parts
    return Path("configs") / "calibrations" if inside_package else root / "calibrations"
