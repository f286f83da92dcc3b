"""What a burst should weigh, judged as soon as it is weighed, and which burst is wrong at the end."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from rig.devices.calibration import Calibration
from rig.maintenance.valves.bursts import SMALLEST_UL, expected_ul
from rig.maintenance.valves.curve import Weighing

AGREES_PCT = 5.0
LIKELY_FACTOR, FAR_FACTOR, ANY_FACTOR = 1.5, 3.0, 5.0
"""A drop is doubtful beyond the factor: at a measured open time, beyond the measured ones, of an unknown valve."""
WRONG_FACTOR = 1.1
"""A burst is wrong that differs by more from what the other bursts of its valve say."""


_USUAL = "a usual valve"


@dataclass(frozen=True, slots=True)
class ExpectedDrop:
    """The volume that a drop should have, whence it is known, and the factor up to which another one is likely."""

    ul: float
    source: str
    factor: float

    def is_doubtful(self, ul: float) -> bool:
        """Whether a volume is so far off that its weight was probably mistyped."""
        return ul <= 0 or max(ul / self.ul, self.ul / ul) > self.factor

    def comparison(self, ul: float) -> str:
        """Return how a volume compares: ``as last time``, ``23 times less than last time (2.49 ul)``.

        Empty where a likely volume is compared with that of other valves.
        """
        if self.source == _USUAL and not self.is_doubtful(ul):
            return ""
        ratio = max(ul, 1e-9) / self.ul
        off_pct = 100 * (ratio - 1)
        if abs(off_pct) <= AGREES_PCT:
            return f"as {self.source}"
        word = "more" if ratio > 1 else "less"
        factor = max(ratio, 1 / ratio)
        by = f"{factor:.2g} times" if factor >= 2 else f"{abs(off_pct):.0f} %"
        return f"{by} {word} than {self.source} ({self.ul:.2f} ul)"


def expected_drop(
    open_us: int, known: Calibration | None, weighings: Sequence[Weighing], mg_per_ul: float
) -> ExpectedDrop:
    """Return what an opening should give: by the last calibration, else by the other openings, else by usual valves."""
    if known is not None:
        is_inside = known.points[0][0] <= open_us <= known.points[-1][0]
        return ExpectedDrop(expected_ul(known, open_us), "last time", LIKELY_FACTOR if is_inside else FAR_FACTOR)
    others = _means([weighing for weighing in weighings if weighing.open_us != open_us], mg_per_ul)
    if len(others) < 2:
        return ExpectedDrop(expected_ul(None, open_us), _USUAL, ANY_FACTOR)
    is_inside = min(others) <= open_us <= max(others)
    factor = LIKELY_FACTOR if is_inside else FAR_FACTOR
    return ExpectedDrop(_on_line(others, open_us), "the other open times say", factor)


def wrong_burst(weighings: Sequence[Weighing], known: Calibration | None, mg_per_ul: float) -> int | None:
    """Return the index of the burst that differs most from what all others say; None if none differs much.

    A valve that gives less of everything than last time has no wrong burst.
    """
    ratios = [
        math.log(_ul(weighing, mg_per_ul) / expected_drop(weighing.open_us, known, weighings, mg_per_ul).ul)
        for weighing in weighings
    ]
    middle = median(ratios)
    worst = max(range(len(ratios)), key=lambda index: abs(ratios[index] - middle))
    return worst if abs(ratios[worst] - middle) > math.log(WRONG_FACTOR) else None


def _ul(weighing: Weighing, mg_per_ul: float) -> float:
    return weighing.mg / mg_per_ul / weighing.pulses


def _means(weighings: Sequence[Weighing], mg_per_ul: float) -> dict[int, float]:
    """Return the mean volume of each opening."""
    volumes: dict[int, list[float]] = {}
    for weighing in weighings:
        volumes.setdefault(weighing.open_us, []).append(_ul(weighing, mg_per_ul))
    return {open_us: sum(each) / len(each) for open_us, each in volumes.items()}


def _on_line(means: Mapping[int, float], open_us: int) -> float:
    """Return the volume of an opening on the straight line through others, fitted by the relative errors."""
    volumes = np.array(list(means.values()))
    slope, start = np.polyfit(np.array(list(means), dtype=float), volumes, 1, w=1 / volumes)
    return max(SMALLEST_UL, float(start + slope * open_us))
