"""Build devices from the entries of a rig file."""

from __future__ import annotations

from collections.abc import Mapping

from rig.core.errors import CalibrationError
from rig.devices.base import Device, DeviceConfig
from rig.devices.calibration import Calibration
from rig.devices.touchscreen import NAME, ScreenConfig, Touchscreen


def build_devices(
    configs: Mapping[str, DeviceConfig],
    calibrations: Mapping[str, Calibration],
    screen: ScreenConfig | None = None,
    *,
    kinds: Mapping[str, type[Device]],
) -> dict[str, Device]:
    """Build the devices of a rig, in its order; ``kinds`` are their classes."""
    devices = {name: kinds[config.kind].build(name, config, calibrations) for name, config in configs.items()}
    return devices if screen is None else {**devices, NAME: Touchscreen(screen)}


def volume(calibration: Calibration, open_us: int) -> float:
    """Return the volume of an opening; outside the measured range, in proportion to the nearest point."""
    try:
        return calibration.ul(open_us)
    # The channel test opens a valve for 20 ms, whatever was measured, and that volume must be counted.
    except CalibrationError:
        first, last = calibration.points[0], calibration.points[-1]
        nearest = first if open_us < first[0] else last
        return nearest[1] * open_us / nearest[0]
