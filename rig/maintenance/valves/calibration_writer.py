"""Write a calibration file under a name of its own, and append a check to one."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path

from filelock import FileLock, Timeout

from rig.config.errors.errors import SourceLocation
from rig.config.inheritance import LayeredConfig, load_config
from rig.config.models.calibration_file import CalibrationFile
from rig.config.read_calibration import load_calibration
from rig.config.validate import validate
from rig.config.yaml.document import parse
from rig.core.errors import ConfigError, RecordError
from rig.maintenance.valves.curve import Curve
from rig.system.atomic_files import append_atomic, os_error_text, write_new

_MOST_A_DAY = 1_000
_LOCK_S = 10.0


@dataclass(frozen=True)
class CalibrationFacts:
    """What a calibration file says beside its points."""

    valve: str
    date: str
    water_c: float
    note: str


def file_stem(valve: str) -> str:
    """Return the part of a file's name that stands for a valve: its letters, digits, '-' and '_'."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", valve).strip("-") or "valve"


def calibration_text(curve: Curve, facts: CalibrationFacts) -> str:
    """Return the text of a calibration file: the trusted points of a curve."""
    points = [
        f"  - {{open_ms: {point.open_us / 1000:g}, ul: {point.ul:.4f}, "
        f"cv_pct: {point.cv_pct:.2f}, drops: {point.drops}}}"
        for point in curve.trusted
    ]
    lines = [
        "# Written by `rig device calibrate`. Measure again instead of changing the numbers.",
        f"valve: {_quoted(facts.valve)}",
        f"date: {facts.date}",
        f"pulses: {min(point.drops for point in curve.trusted)}",
        f"water_c: {facts.water_c:g}",
        "points:",
        *points,
        f"note: {_quoted(facts.note)}",
    ]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """Return a text as YAML reads it; bytes that were no text on the command line become their numbers."""
    return f'"{"".join(map(_character, text.encode("utf-8", "backslashreplace").decode("utf-8")))}"'


def _character(one: str) -> str:
    # JSON writes a character beyond 16 bits as two, which YAML refuses.
    return json.dumps(one)[1:-1] if ord(one) < 1 << 16 else f"\\U{ord(one):08x}"


def write_calibration(folder: Path, curve: Curve, facts: CalibrationFacts) -> Path:
    """Write a new file ``VALVE_DATE.yaml``, with a number from the second one of a day on; return its path.

    An existing file is never changed. Raises ``RecordError``.
    """
    text = calibration_text(curve, facts)
    stem = f"{file_stem(facts.valve)}_{facts.date}"
    for number in range(1, _MOST_A_DAY):
        path = folder / (f"{stem}.yaml" if number == 1 else f"{stem}_{number}.yaml")
        if not path.exists() and write_new(path, text):
            load_calibration(path)
            return path
    raise RecordError(f"{folder}: holds {_MOST_A_DAY} calibrations of {facts.valve} of one day: look at the folder")


def append_check(path: Path, date: str, open_us: int, ul: float, by: str) -> None:
    """Add a check to a calibration file, whether it passed or not.

    Raises ``ConfigError`` when the file's end is not where a check can be added, and ``RecordError`` when it cannot be
    written.
    """
    try:
        # The first checks of two programs would both begin the list, and the file could not be read any more.
        with FileLock(path.with_name(f".{path.name}.lock"), timeout=_LOCK_S):
            _append_check(path, date, open_us, ul, by)
    except Timeout:
        raise RecordError(f"{path}: another program writes it: try again") from None
    except OSError as error:
        raise RecordError(f"{path}: cannot be written: {os_error_text(error)}") from error


def _append_check(path: Path, date: str, open_us: int, ul: float, by: str) -> None:
    line = f"  - {{date: {date}, open_ms: {open_us / 1000:g}, ul: {ul:.4f}, by: {_quoted(by)}}}"
    layered = load_config(path)
    known = validate(CalibrationFile, layered)
    try:
        before = path.read_text(encoding="utf-8")
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {os_error_text(error)}") from error
    addition = ("" if before.endswith("\n") else "\n") + ("" if known.checks else "checks:\n") + line + "\n"
    _check_addition(path, before + addition, layered, len(known.checks) + 1, line)
    append_atomic(path, addition.encode("utf-8"), synced=True)


def _check_addition(path: Path, text: str, layered: LayeredConfig, count: int, line: str) -> None:
    """Check that the text with the new line is a calibration with one check more. Raises ``ConfigError``."""
    try:
        data, _ = parse(text, lambda number: SourceLocation(str(path), number))
    except ConfigError:
        data = None
    checks = data.get("checks") if isinstance(data, dict) else None
    if not isinstance(checks, list) or len(checks) != count:
        raise ConfigError(
            f"{path}: a check cannot be added at its end: write it as the last entry of the list checks:", line
        )
    validate(CalibrationFile, replace(layered, data={**layered.data, "checks": checks}))
