"""The calibration of a valve: open time for a volume, measured and interpolated, never extrapolated."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from rig.core.errors import CalibrationError


@dataclass(frozen=True, slots=True)
class Calibration:
    """Measured points ``(open_us, ul)`` of one valve, at least two, strictly increasing in both.

    ``date`` is the day of the measurement, YYYY-MM-DD; ``checked`` is that of the newest check that agreed, or empty.
    Raises CalibrationError when the points are not a curve.
    """

    name: str
    valve: str
    date: str
    points: tuple[tuple[int, float], ...]
    checked: str = ""

    def __post_init__(self) -> None:
        # Strictly increasing in both, because the curve is read in both directions.
        if len(self.points) < 2 or not all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(self.points)):
            raise CalibrationError(f"{self._who}: two or more points are needed, each longer and larger than the last")

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

    def to_dict(self) -> dict[str, Any]:
        """Return the calibration as plain JSON data."""
        points = [list(point) for point in self.points]
        checked = {"checked": self.checked} if self.checked else {}
        return {"name": self.name, "valve": self.valve, "date": self.date, "points": points, **checked}

    @property
    def newest(self) -> str:
        """Return the day on which it was last known to be right: measured, or checked."""
        return self.checked or self.date

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Calibration:
        """Build a calibration from what ``to_dict`` returned."""
        points = tuple((int(time), float(volume)) for time, volume in data["points"])
        return cls(data["name"], data["valve"], data["date"], points, data.get("checked", ""))

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
