"""Calibration files: what `rig valve calibrate` measured, as the devices use it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rig.config.find import find
from rig.config.layers import load
from rig.config.models import CalibrationFile
from rig.config.validate import validate
from rig.devices.calibration import Calibration


def load_calibration(name: str, near: Sequence[Path] = ()) -> tuple[Calibration, Path]:
    """Find and read a calibration; return it with its file. Raises ConfigError."""
    path = find("calibrations", name, near)
    measured = validate(CalibrationFile, load(path))
    points = tuple((point.open_us, point.ul) for point in measured.points)
    return Calibration(path.stem, measured.valve, measured.date.isoformat(), points), path
