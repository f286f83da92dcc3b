"""The curve of a valve: fitted to weighed bursts, with its errors, and the reasons to refuse it.

The curve goes in straight lines through the mean volume of each opening, as the devices use it. It must rise from
opening to opening. The mirrored order of the bursts has removed a steady drift from the means; the drift itself is
the slope of the bursts' deviations over their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from rig.core.errors import CalibrationError
from rig.devices.calibration import Calibration
from rig.devices.calibration_shape import dead_time_problem, off_line_pct
from rig.maintenance.valves.bursts import FEWEST_OPENINGS

MAX_CV_PCT = 5.0
MAX_DRIFT_PCT = 5.0
MAX_SIDES_PCT = 5.0
MAX_BEND_PCT = 5.0
"""A point may miss the line between its neighbors by so much: beside a sharper bend the volumes between are wrong."""
TRUST_PCT = 5.0
"""A volume is trusted when its mean is known this well, with 95 % confidence."""

# Two-sided 95 % quantiles of Student's t for 1, 2, 3, … degrees of freedom; scipy is not always installed.
_T95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131)
_T95_MORE = 2.12


@dataclass(frozen=True, slots=True)
class Weighing:
    """The weight of one burst in mg, without the vial."""

    open_us: int
    pulses: int
    mg: float


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One opening: the mean volume of a drop, the CV of its bursts, and by how much it misses a straight line.

    ``uncertainty_pct`` is the half width of the mean's 95 % confidence interval.
    """

    open_us: int
    ul: float
    cv_pct: float
    drops: int
    line_pct: float
    uncertainty_pct: float


@dataclass(frozen=True, slots=True)
class Curve:
    """The curve of one valve. ``residuals_pct`` are the deviations of the bursts, in their order."""

    points: tuple[CurvePoint, ...]
    residuals_pct: tuple[float, ...]
    drift_pct: float

    @property
    def trusted(self) -> tuple[CurvePoint, ...]:
        """Return the points that may be used: from the smallest volume on which all are known well enough."""
        first = len(self.points)
        while first and self.points[first - 1].uncertainty_pct <= TRUST_PCT:
            first -= 1
        return self.points[first:]

    def calibration(self, name: str, valve: str, date: str) -> Calibration:
        """Return the trusted part as the devices use it. Raises ``CalibrationError`` when it is no curve."""
        return Calibration(name, valve, date, tuple((point.open_us, round(point.ul, 4)) for point in self.trusted))


def fit_curve(weighings: Sequence[Weighing], mg_per_ul: float) -> Curve:
    """Return the curve of bursts in the order in which they were given; ``mg_per_ul`` is the density of the water."""
    open_us = np.array([weighing.open_us for weighing in weighings])
    mg = np.array([weighing.mg for weighing in weighings], dtype=float)
    ul = mg / mg_per_ul / np.array([weighing.pulses for weighing in weighings])
    openings = np.unique(open_us)
    means = np.array([ul[open_us == each].mean() for each in openings])
    expected = means[np.searchsorted(openings, open_us)]
    residuals = ul / expected - 1
    spread_mg = _pooled_spread(open_us, openings, mg)
    line = _line(openings, means)
    degrees = len(mg) - len(openings)
    points = []
    for index, each in enumerate(openings):
        here = open_us == each
        uncertainty = _t95(degrees) * spread_mg / mg[here].mean() / np.sqrt(here.sum())
        points.append(
            CurvePoint(
                int(each),
                float(means[index]),
                100 * float(ul[here].std(ddof=1) / means[index]) if here.sum() > 1 else 0.0,
                sum(weighing.pulses for weighing in weighings if weighing.open_us == each),
                100 * float(means[index] / line[index] - 1),
                100 * float(uncertainty),
            )
        )
    drift_pct = 100 * _drift(open_us, openings, residuals, expected)
    return Curve(tuple(points), tuple(100 * float(each) for each in residuals), drift_pct)


def _pooled_spread(open_us: np.ndarray, openings: np.ndarray, mg: np.ndarray) -> float:
    """Return the SD of a weight about the mean of its opening, in mg."""
    squares = sum(float(((mg[open_us == opening] - mg[open_us == opening].mean()) ** 2).sum()) for opening in openings)
    return float(np.sqrt(squares / max(1, len(mg) - len(openings))))


def _line(openings: np.ndarray, means: np.ndarray) -> np.ndarray:
    """Return the straight line through the means, fitted by the relative errors."""
    slope, start = np.polyfit(openings.astype(float), means, 1, w=1 / means)
    return np.asarray(np.maximum(start + slope * openings, 1e-9))


def _drift(open_us: np.ndarray, openings: np.ndarray, residuals: np.ndarray, expected: np.ndarray) -> float:
    """Return the relative change from the first burst to the last one, by weighted least squares.

    Each opening has a mean of its own; large drops are weighed better, and have more weight.
    """
    at = np.linspace(-0.5, 0.5, len(residuals))
    for opening in openings:
        at[open_us == opening] -= at[open_us == opening].mean()
    weight = expected / expected.max()
    spread = float((weight * at * at).sum())
    return float((weight * at * residuals).sum()) / spread if spread > 0 else 0.0


def _t95(degrees: int) -> float:
    return _T95[degrees - 1] if 1 <= degrees <= len(_T95) else _T95_MORE


def reasons_to_refuse(curve: Curve) -> Iterator[str]:
    """Yield what is wrong with a curve, each with what to do."""
    for before, point in pairwise(curve.points):
        if point.ul <= before.ul:
            yield (
                f"{point.open_us / 1000:g} ms give {point.ul:.3g} ul, not more than {before.open_us / 1000:g} ms "
                f"({before.ul:.3g} ul): the curve does not rise. Clean the valve, or exchange it, and measure again"
            )
    yield from _bends(curve.points)
    if text := dead_time_problem([(point.open_us / 1000, point.ul) for point in curve.trusted]):
        yield f"{text} Clean the valve, or exchange it, and measure again"
    for point in curve.points:
        if point.cv_pct > MAX_CV_PCT:
            yield (
                f"the bursts of {point.open_us / 1000:g} ms differ by a CV of {point.cv_pct:.1f} %, at most "
                f"{MAX_CV_PCT:g} % is accepted: look for air in the tube and for spilled drops, and measure again"
            )
    if abs(curve.drift_pct) > MAX_DRIFT_PCT:
        yield (
            f"the drops changed by {curve.drift_pct:+.1f} % from the first burst to the last one, at most "
            f"{MAX_DRIFT_PCT:g} % is accepted: fill the reservoir, prime the valve, and measure again"
        )
    if len(curve.trusted) < FEWEST_OPENINGS:
        yield (
            f"only {len(curve.trusted)} open times are known to {TRUST_PCT:g} %: weigh more drops (--pulses), or use "
            "a better scale"
        )


def _bends(points: Sequence[CurvePoint]) -> Iterator[str]:
    """Yield the points that miss the line between their neighbors by more than their own error explains."""
    for before, point, after in zip(points, points[1:], points[2:], strict=False):
        off_pct = off_line_pct(*((other.open_us / 1000, other.ul) for other in (before, point, after)))
        if abs(off_pct) > MAX_BEND_PCT + point.uncertainty_pct:
            yield (
                f"{point.open_us / 1000:g} ms give {off_pct:+.1f} % of the line between {before.open_us / 1000:g} and "
                f"{after.open_us / 1000:g} ms, at most {MAX_BEND_PCT:g} % is accepted: clean the valve, or exchange "
                "it, and measure again; if it is right, measure more open times between them (--open-ms)"
            )


def sides_that_differ(
    calibrations: Mapping[str, Calibration], reward_ul: float
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the pairs of valves that give different volumes in the time that a reward takes, each with a text.

    A valve that needs another open time than its neighbor wears out or is blocked: an animal hears and feels the
    difference. Also yields the valves that were not measured at the reward.
    """
    usable: dict[str, Calibration] = {}
    for name, calibration in calibrations.items():
        try:
            calibration.open_us(reward_ul)
        except CalibrationError as error:
            yield (name,), str(error)
        else:
            usable[name] = calibration
    for (one, first), (other, second) in combinations(usable.items(), 2):
        first_us, second_us = first.open_us(reward_ul), second.open_us(reward_ul)
        differ_pct = 100 * (_at(second, first_us) / reward_ul - 1)
        if abs(differ_pct) > MAX_SIDES_PCT:
            text = (
                f"{other} gives {differ_pct:+.1f} % of what {one} gives in {first_us / 1000:.1f} ms ({reward_ul:g} ul; "
                f"{other} needs {second_us / 1000:.1f} ms), at most {MAX_SIDES_PCT:g} % is accepted: bring both to "
                "the same height, clean or exchange a valve, and measure both again"
            )
            yield (one, other), text


def _at(calibration: Calibration, open_us: int) -> float:
    """Return the volume of an opening, also beyond the measured ends, in µl."""
    first_us, last_us = calibration.points[0][0], calibration.points[-1][0]
    if first_us <= open_us <= last_us:
        return calibration.ul(open_us)
    (t0, v0), (t1, v1) = calibration.points[:2] if open_us < first_us else calibration.points[-2:]
    return v0 + (open_us - t0) * (v1 - v0) / (t1 - t0)
