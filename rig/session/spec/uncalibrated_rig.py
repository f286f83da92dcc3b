"""Read a rig whose valves may not be measured yet, to measure, flush or prime them."""

from __future__ import annotations

from contextlib import suppress

from rig.config import find, load_calibration, load_config
from rig.config.find import find_calibration
from rig.core.errors import ConfigError, RigError
from rig.devices.base import DeviceConfig
from rig.devices.calibration import Calibration
from rig.session.spec.compatibility import check_rig
from rig.session.spec.read_rig import Rig, read_rig_file

UNMEASURED = "unmeasured"
"""The name of the calibration that stands in for a missing one."""
_STAND_IN = ((5_000, 0.13), (1_000_000, 64.8))


def load_uncalibrated_rig(name: str, driver: str | None = None) -> Rig:
    """Load a rig by its name or path; a calibration that is missing, wrong or another valve's has a stand-in.

    The volumes of a stand-in are those that a usual valve gives. Raises ``ConfigError``.
    """
    path = find("rigs", name)
    layered = load_config(path)
    file = read_rig_file(layered)
    folders = (path.parent.parent,)
    calibrations: dict[str, Calibration] = {}
    for device, config in file.devices.items():
        if (word := getattr(config, "calibration", None)) is not None:
            valve = valve_id(device, config)
            measured: Calibration | None = None
            with suppress(RigError):
                measured = load_calibration(find_calibration(word, folders))
            usable = measured is not None and measured.valve == valve
            calibrations[word] = (
                measured if measured and usable else Calibration(UNMEASURED, valve, "1970-01-01", _STAND_IN)
            )
    rig = Rig(path.stem, file, calibrations, layered.sources, layered)
    if mistakes := list(check_rig(rig, driver)):
        raise ConfigError(*mistakes)
    return rig


def valve_id(device: str, config: DeviceConfig) -> str:
    """Return what the calibration of a device calls its valve."""
    return getattr(config, "valve_id", None) or device
