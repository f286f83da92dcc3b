"""The calibration of a valve: open time for a volume, measured and interpolated, never extrapolated."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from rig.core.errors import CalibrationError

CHECK_PCT = 5.0
"""A check passes when its drops differ from the curve by no more; it then prolongs the calibration."""


@dataclass(frozen=True, slots=True)
class Check:
    """A later burst of a valve: its day, YYYY-MM-DD, and the difference from the curve in percent."""

    date: str
    off_pct: float
    by: str = ""

    @property
    def passed(self) -> bool:
        """Whether the drops agreed with the curve."""
        return abs(self.off_pct) <= CHECK_PCT


LONGEST_OPEN_MS = 60_000
"""The longest opening of a calibration."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Measured points ``(open_us, ul)`` of one valve, at least two, strictly increasing in both.

    ``date`` is the day of the measurement, YYYY-MM-DD; ``checks`` are the later checks, oldest first. Raises
    CalibrationError when the points are not a curve, or longer than ``LONGEST_OPEN_MS``.
    """

    name: str
    valve: str
    date: str
    points: tuple[tuple[int, float], ...]
    checks: tuple[Check, ...] = ()

    def __post_init__(self) -> None:
        # Strictly increasing in both, because the curve is read in both directions.
        if len(self.points) < 2 or not all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(self.points)):
            raise CalibrationError(f"{self._who}: two or more points are needed, each longer and larger than the last")
        if self.points[-1][0] > 1000 * LONGEST_OPEN_MS:
            raise CalibrationError(f"{self._who}: a point is longer than {LONGEST_OPEN_MS / 1000:g} s")

    def open_us(self, ul: float) -> int:
        """Return the opening that gives a volume in µl; raise CalibrationError outside the measured range."""
        volumes = [volume for _, volume in self.points]
        self._check(ul, volumes, "µl")
        return round(_interpolated(ul, volumes, [float(time) for time, _ in self.points]))

    def ul(self, open_us: int) -> float:
        """Return the volume in µl that an opening gives; raise CalibrationError outside the measured range."""
        times = [float(time) for time, _ in self.points]
        self._check(open_us, times, "µs")
        return _interpolated(open_us, times, [volume for _, volume in self.points])

    def check(self, date: str, open_us: int, ul: float, by: str) -> Check:
        """Return the check of a burst with drops of ``ul``; raise CalibrationError outside the measured range."""
        return Check(date, round(100 * (ul / self.ul(open_us) - 1), 2), by)

    def to_dict(self) -> dict[str, object]:
        """Return the calibration as plain JSON data."""
        points = [list(point) for point in self.points]
        known = [[check.date, check.off_pct, check.by] for check in self.checks]
        checks = {"checks": known} if known else {}
        return {"name": self.name, "valve": self.valve, "date": self.date, "points": points, **checks}

    @property
    def checked(self) -> str:
        """Return the day of the newest check that passed; empty without one."""
        return max((check.date for check in self.checks if check.passed), default="")

    @property
    def failed_check(self) -> Check | None:
        """Return the last check if it failed: the valve gives something else than the curve says."""
        return self.checks[-1] if self.checks and not self.checks[-1].passed else None

    @property
    def newest(self) -> str:
        """Return the day on which it was last known to be right: measured, or checked."""
        return self.checked or self.date

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Calibration:
        """Build a calibration from what ``to_dict`` returned."""
        points = tuple((int(time), float(volume)) for time, volume in data["points"])
        checks = tuple(Check(date, float(off_pct), by) for date, off_pct, by in data.get("checks", ()))
        return cls(data["name"], data["valve"], data["date"], points, checks)

    @property
    def _who(self) -> str:
        return f"valve '{self.valve}' (calibration {self.name} of {self.date})"

    def _check(self, asked: float, measured: Sequence[float], unit: str) -> None:
        # `not` with <= also refuses NaN.
        if not measured[0] <= asked <= measured[-1]:
            raise CalibrationError(
                f"{self._who}: {asked:g} {unit} is not in the measured range, "
                f"{measured[0]:g} to {measured[-1]:g} {unit}; measure the valve at that volume, or change the volume"
            )


def _interpolated(x: float, xs: Sequence[float], ys: Sequence[float]) -> float:
    """Return y at x on the line between the two points around it, exactly y at a point."""
    right = bisect_left(xs, x)
    if xs[right] == x:
        return ys[right]
    left = right - 1
    slope_part = (x - xs[left]) * (ys[right] - ys[left]) / (xs[right] - xs[left])
    return min(ys[left] + slope_part, ys[right])  # rounding must not pass the next point
