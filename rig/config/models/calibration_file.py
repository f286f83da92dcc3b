"""A calibration file: what was measured on one valve."""

from __future__ import annotations

import datetime
from itertools import pairwise

from pydantic import Field, ValidationInfo, field_validator

from rig.config.errors.errors import ConfigIssuesError, Loc
from rig.config.models.names import IsoDate
from rig.core.errors import CalibrationError
from rig.devices.base import StrictModel
from rig.devices.calibration import LONGEST_OPEN_MS, Calibration
from rig.devices.calibration_shape import MAX_UL_PER_MS, implausible_points

MIN_UL_PER_MS = 0.001
"""What a valve gives: 2.5 ul in 40 ms and 3 ul in 50 ms were published of mice's (Beron et al. 2022); the rest is room.

What lies beyond is a slip: microseconds, milliliters, or the weight of all the drops.
"""


class CalibrationPoint(StrictModel):
    """A measured opening and the volume of one drop; no solenoid valve opens and closes within a millisecond."""

    open_ms: float = Field(
        ge=1, le=LONGEST_OPEN_MS, description="how long the valve was opened; grows from point to point"
    )
    ul: float = Field(gt=0, description="volume of one drop: the weight in mg, over the number of drops")
    drops: int | None = Field(default=None, gt=0, description="drops weighed at this opening, in all bursts")
    cv_pct: float | None = Field(
        default=None, ge=0, le=5, description="coefficient of variation of the bursts; more is refused: the valve spits"
    )

    @property
    def open_us(self) -> int:
        """Return the opening in whole microseconds."""
        return round(self.open_ms * 1000)


class CalibrationCheck(StrictModel):
    """A later burst, within 5 % of the curve or not; after one that passed the calibration counts as new."""

    date: IsoDate = Field(description="the day of the check")
    open_ms: float = Field(ge=1, le=LONGEST_OPEN_MS, description="how long the valve was opened")
    ul: float = Field(gt=0, description="volume of one drop; a check passes at most 5 % from the curve")
    by: str = Field(default="", description="who checked")

    @property
    def open_us(self) -> int:
        """Return the opening in whole microseconds."""
        return round(self.open_ms * 1000)


class CalibrationFile(StrictModel):
    """What was measured on one valve; ``pulses`` is the number of drops weighed per point."""

    valve: str = Field(min_length=1, description="which valve was measured")
    date: IsoDate = Field(description="the day of the measurement")
    points: list[CalibrationPoint] = Field(
        min_length=2,
        description="what was measured; volumes between points are interpolated. A point lies at most 25 % above and "
        "45 % below the straight line between its neighbors",
    )
    pulses: int = Field(default=100, gt=0, description="drops weighed per point")
    water_c: float | None = Field(
        default=None, ge=0, le=40, description="temperature of the water in degrees Celsius, for its density"
    )
    note: str = Field(default="", description="anything worth knowing: pressure, tube, who measured")
    checks: list[CalibrationCheck] = Field(
        default=[],
        description="later checks, oldest first; the newest that passed counts for calibration_max_days, and after one "
        "that failed each session needs a reason",
    )

    @field_validator("points")
    @classmethod
    def _a_curve(cls, points: list[CalibrationPoint]) -> list[CalibrationPoint]:
        mistakes: list[tuple[Loc, str]] = [
            ((index, "ul"), said) for index, point in enumerate(points) if (said := _volume_problem(point))
        ]
        for index, (before, point) in enumerate(pairwise(points), start=1):
            # In whole microseconds, as the board gets them: the interpolation divides by this difference.
            if point.open_us <= before.open_us:
                mistakes.append(((index, "open_ms"), _must_grow("longer", before.open_ms, point.open_ms, "ms")))
            if point.ul <= before.ul:
                mistakes.append(((index, "ul"), _must_grow("larger", before.ul, point.ul, "ul")))
        # Only of points that rise: what is wrong with the others has been said.
        shape = [] if mistakes else implausible_points([(point.open_ms, point.ul) for point in points])
        mistakes += [((index, "ul"), f"{text} Is a number mistyped?") for index, text in shape]
        if mistakes:
            raise ConfigIssuesError(*mistakes)
        return points

    @field_validator("checks")
    @classmethod
    def _checks_follow(cls, checks: list[CalibrationCheck], info: ValidationInfo) -> list[CalibrationCheck]:
        points, date = info.data.get("points"), info.data.get("date")
        if points is None or date is None:  # wrong themselves, and say so
            return checks
        curve = Calibration("", "", "", tuple((point.open_us, point.ul) for point in points))
        found = ((index, _check_problem(check, curve, date)) for index, check in enumerate(checks))
        mistakes: list[tuple[Loc, str]] = [((index, key), said) for index, (key, said) in found if said]
        if mistakes:
            raise ConfigIssuesError(*mistakes)
        return checks


def _check_problem(check: CalibrationCheck, curve: Calibration, measured: datetime.date) -> tuple[str, str]:
    """Return the key at fault and a message; empty texts for a check of this calibration."""
    if check.date < measured:
        return "date", f"{check.date} is before the measurement ({measured}): a check follows it"
    try:
        curve.ul(check.open_us)
    except CalibrationError:
        return "open_ms", f"{check.open_ms:g} ms was not measured: check an open time between the points"
    return "", ""


def _volume_problem(point: CalibrationPoint) -> str:
    """Return a message if no valve gives so little or so much; empty if the point is possible."""
    per_ms = point.ul / point.open_ms
    if MIN_UL_PER_MS <= per_ms <= MAX_UL_PER_MS:
        return ""
    slip = "this the volume of all drops" if per_ms > MAX_UL_PER_MS else "a number in microseconds or milliliters"
    usual = f"a valve gives {MIN_UL_PER_MS:g} to {MAX_UL_PER_MS:g} ul per ms"
    return f"{point.ul:g} ul in {point.open_ms:g} ms cannot be one drop: {usual}; is {slip}?"


def _must_grow(how: str, before: float, now: float, unit: str) -> str:
    return f"must be {how} than in the point before ({before:g} {unit}), got {now:g}"
