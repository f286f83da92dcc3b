"""Which bursts of drops a calibration gives, and in which order.

The order is mirrored: each pass over the openings is followed by the same pass backward. The mean time of every
opening is therefore the same, and a steady drift (a reservoir that runs empty, a valve that warms up) changes all
points alike instead of bending the curve.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from rig.core.errors import ConfigError
from rig.core.model.actions import Train
from rig.devices.calibration import Calibration

FEWEST_OPENINGS, FEWEST_PULSES, FEWEST_REPEATS = 3, 50, 2
MOST_REPEATS = 20
MOST_PULSES = 2_000
"""A burst of more drops takes too long; the vial may be full, and water evaporates."""
WANTED_MG = 280.0
"""So much water of one burst; see docs/decisions/calibration-time.md."""
USUAL_UL = (0.85, 2.5, 4.4, 6.8)
"""The volumes that are measured when no openings are named: 1 to 6 µl lie well inside."""
SHORTEST_MS = 5.0
UL_PER_MS, DEAD_MS = 0.065, 3.0
"""What a valve of an unknown curve is expected to give: the published ones gave 0.06 µl per ms."""
SMALLEST_UL = 0.05
"""No opening is expected to give less."""
SHORTEST_PERIOD_US = 200_000
"""From drop to drop: the valve and the water come to rest."""


@dataclass(frozen=True, slots=True)
class Burst:
    """A number of equal openings, weighed together."""

    open_us: int
    pulses: int

    def train(self, output: str) -> Train:
        """Return the action of the burst: the board counts its pulses."""
        return Train(output, self.open_us, self._period_us, self.pulses)

    @property
    def lasts_s(self) -> float:
        """Return the seconds from the first opening to the end of the last one."""
        return (self._period_us * (self.pulses - 1) + self.open_us) / 1e6

    @property
    def _period_us(self) -> int:
        return max(SHORTEST_PERIOD_US, 3 * self.open_us)


def expected_ul(known: Calibration | None, open_us: int) -> float:
    """Return the volume that an opening is expected to give, in µl; outside the measured range by its nearest end."""
    if known is None:
        return max(SMALLEST_UL, UL_PER_MS * (open_us / 1000 - DEAD_MS))
    (t0, v0), (t1, v1) = known.points[:2] if open_us <= known.points[1][0] else known.points[-2:]
    if known.points[0][0] <= open_us <= known.points[-1][0]:
        return known.ul(open_us)
    return max(SMALLEST_UL, v0 + (open_us - t0) * (v1 - v0) / (t1 - t0))


def usual_openings(known: Calibration | None, most_us: int) -> list[int]:
    """Return the openings in µs that are expected to give ``USUAL_UL``, as far as the valve may open."""
    candidates = range(round(SHORTEST_MS * 1000), min(most_us, 1_000_000) + 1, 500)
    openings = [
        min(candidates, key=lambda open_us: abs(expected_ul(known, open_us) - ul)) for ul in USUAL_UL if candidates
    ]
    return sorted(set(openings))


def plan_bursts(
    openings_us: Sequence[int], known: Calibration | None, pulses: int | None, repeats: int, seed: int
) -> list[Burst]:
    """Return the bursts of a calibration in their order.

    ``pulses`` is the number of drops of a burst; None gives 50, or as many as are expected to weigh 280 mg. Raises
    ``ConfigError`` for fewer openings, pulses or repeats than a calibration needs.
    """
    _check(openings_us, pulses, repeats)
    bursts = [Burst(open_us, pulses or _pulses_for(expected_ul(known, open_us))) for open_us in openings_us]
    draw = random.Random(f"{seed}/calibration")
    order: list[Burst] = []
    for _ in range(repeats // 2):
        one_pass = sorted(bursts, key=lambda burst: draw.random())
        order += [*one_pass, *reversed(one_pass)]
    return order


def _pulses_for(ul: float) -> int:
    return min(MOST_PULSES, max(FEWEST_PULSES, 10 * math.ceil(WANTED_MG / ul / 10)))


def _check(openings_us: Sequence[int], pulses: int | None, repeats: int) -> None:
    mistakes = []
    if len(set(openings_us)) < FEWEST_OPENINGS or len(set(openings_us)) < len(openings_us):
        listed = ", ".join(f"{open_us / 1000:g}" for open_us in openings_us) or "none"
        mistakes.append(f"--open-ms: wanted {FEWEST_OPENINGS} or more different open times in ms, got {listed}")
    if pulses is not None and not FEWEST_PULSES <= pulses <= MOST_PULSES:
        mistakes.append(f"--pulses {pulses}: wanted {FEWEST_PULSES} to {MOST_PULSES} drops of each burst")
    if not FEWEST_REPEATS <= repeats <= MOST_REPEATS or repeats % 2:
        wanted = f"wanted an even number, {FEWEST_REPEATS} to {MOST_REPEATS}: each pass is also done backward"
        mistakes.append(f"--repeats {repeats}: {wanted}")
    if mistakes:
        raise ConfigError(*mistakes)
