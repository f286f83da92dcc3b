"""Calibration files: what was measured on the valves, as the devices use it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rig.config.inheritance import load_config
from rig.config.models.calibration_file import CalibrationFile
from rig.config.validate import validate
from rig.devices.calibration import Calibration


def load_calibration(path: Path) -> Calibration:
    """Read a calibration. Raises ``ConfigError`` with every mistake."""
    measured = validate(CalibrationFile, load_config(path))
    points = tuple((point.open_us, point.ul) for point in measured.points)
    curve = Calibration(path.stem, measured.valve, measured.date.isoformat(), points)
    checks = (curve.check(check.date.isoformat(), check.open_us, check.ul, check.by) for check in measured.checks)
    return replace(curve, checks=tuple(checks))
