"""Build devices from the entries of a rig file."""

from __future__ import annotations

from collections.abc import Mapping

from rig.core.errors import CalibrationError, ConfigError, RigError
from rig.devices.base import Device, DeviceConfig
from rig.devices.calibration import Calibration
from rig.devices.touchscreen import NAME, ScreenConfig, Touchscreen
from rig.system.plugins import describe_user_error


def build_devices(
    configs: Mapping[str, DeviceConfig],
    calibrations: Mapping[str, Calibration],
    screen: ScreenConfig | None = None,
    *,
    kinds: Mapping[str, type[Device]],
) -> dict[str, Device]:
    """Build the devices of a rig, in its order; ``kinds`` are their classes."""
    devices = {name: _built(kinds[config.kind], name, config, calibrations) for name, config in configs.items()}
    return devices if screen is None else {**devices, NAME: Touchscreen(screen)}


def _built(kind: type[Device], name: str, config: DeviceConfig, calibrations: Mapping[str, Calibration]) -> Device:
    try:
        device = kind.build(name, config, calibrations)
    except RigError:
        raise
    except Exception as error:  # a laboratory's class
        problem = describe_user_error(error, kind.__module__.partition(".")[0])
        raise ConfigError(f"devices.{name}: {kind.__name__} cannot be built: {problem}") from error
    if getattr(device, "name", None) != name:
        raise ConfigError(f"devices.{name}: {kind.__name__} cannot be built: its __init__ lacks super().__init__(name)")
    return device


def volume(calibration: Calibration, open_us: int) -> float:
    """Return the volume of an opening; outside the measured range, in proportion to the nearest point."""
    try:
        return calibration.ul(open_us)
    # The channel test opens a valve for 20 ms, whatever was measured, and that volume must be counted.
    except CalibrationError:
        first, last = calibration.points[0], calibration.points[-1]
        nearest = first if open_us < first[0] else last
        return nearest[1] * open_us / nearest[0]
