"""How old the calibrations of a rig are, and whether their last checks failed."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from rig.boards.driver_lookup import Driver
from rig.config.errors.errors import ConfigIssue
from rig.config.find import typed
from rig.devices.calibration import Calibration
from rig.session.spec.read_rig import Rig


def check_calibration_ages(rig: Rig, driver: Driver | None, start: datetime.datetime | None) -> Iterator[ConfigIssue]:
    """Yield the calibrations that are older than ``calibration_max_days``; a simulated valve does not age."""
    limit = rig.file.calibration_max_days
    if start is None or limit is None or driver is None or not driver.calibrations_expire:
        return
    today = start.date()
    for name, config in rig.file.devices.items():
        calibration = rig.calibrations.get(getattr(config, "calibration", None) or "")
        if calibration is not None and (
            text := _age_problem(age_days(calibration, today), limit, f"{typed('rigs', rig.sources[0])} {name}")
        ):
            how = f"checked on {calibration.checked}" if calibration.checked else f"measured on {calibration.date}"
            yield rig.error_at(("devices", name, "calibration"), f"{calibration.name} was {how}, {text}")


def failed_checks(rig: Rig) -> Iterator[str]:
    """Yield the valves that failed their last check, each with what to do."""
    for name, config in rig.file.devices.items():
        calibration = rig.calibrations.get(getattr(config, "calibration", None) or "")
        if calibration is not None and (check := calibration.failed_check) is not None:
            by = f" by {check.by}" if check.by else ""
            valve = f"{typed('rigs', rig.sources[0])} {name}"
            yield (
                f"{name}: its last check failed: {check.off_pct:+.1f} % of {calibration.name} ({check.date}{by}): "
                f"`rig device calibrate {valve}`, or clean it and `rig device check {valve}`"
            )


def _age_problem(days: int, limit: float, valve: str) -> str:
    if days < 0:
        return "which is yet to come: is the date right, and the computer's clock?"
    # Strictly more: a calibration serves to the end of its last day.
    if days > limit:
        text = f"{days} days ago; at most {limit:g} are allowed (calibration_max_days)"
        return f"{text}: `rig device check {valve}`, or measure it again: `rig device calibrate {valve}`"
    return ""


def age_days(calibration: Calibration, today: datetime.date) -> int:
    """Return how many days ago a valve was measured, or checked with success."""
    return (today - datetime.date.fromisoformat(calibration.newest)).days
