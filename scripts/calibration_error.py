"""Print how long a calibration takes and how wrong its volumes are, for the default and for other designs.

    python -m scripts.calibration_error

The valve, the scale and the water are simulated as plain numbers; docs/decisions/calibration-time.md has the result.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean, pstdev

from rig.core.errors import CalibrationError
from rig.maintenance.valves.bursts import FEWEST_PULSES, MOST_PULSES, USUAL_UL, WANTED_MG, Burst, plan_bursts
from rig.maintenance.valves.curve import Weighing, fit_curve, reasons_to_refuse

REWARDS_UL = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0)
READING_MG = (0.5, 1.0, 2.0)
"""The SD of a reading: with a draft shield, of a milligram scale, and beside a bench that is walked past."""
DROP_CV = 0.02
EVAPORATES_MG_PER_S = 0.2 / 60
HANDLING_S = 5.0
"""The vial stays on the scale."""


@dataclass(frozen=True)
class Design:
    """The volumes that are measured, the water of a burst, and the fewest drops of one."""

    name: str
    volumes_ul: Sequence[float]
    wanted_mg: float
    fewest: int

    def bursts(self, seed: int) -> list[Burst]:
        """Return the bursts in a mirrored order."""
        pulses = {_open_us(ul): self._pulses(ul) for ul in self.volumes_ul}
        order = plan_bursts(list(pulses), None, self.fewest, 2, seed)
        return [Burst(burst.open_us, pulses[burst.open_us]) for burst in order]

    def _pulses(self, ul: float) -> int:
        return min(MOST_PULSES, max(self.fewest, 10 * -(-int(self.wanted_mg / ul) // 10)))


FIVE_UL = (0.8, 1.4, 2.5, 4.5, 7.5)
DESIGNS = (
    Design("5 open times, 400 mg", FIVE_UL, 400, 100),
    Design("5 open times, 280 mg", FIVE_UL, 280, 50),
    Design("4 open times, 400 mg", USUAL_UL, 400, 100),
    Design("4 open times, 280 mg, the default", USUAL_UL, WANTED_MG, FEWEST_PULSES),
    Design("4 open times, 150 mg", USUAL_UL, 150, 50),
    Design("3 open times, 280 mg", (0.85, 2.5, 6.8), 280, 50),
)


def true_ul(open_us: float) -> float:
    """Return what the valve gives: it opens after 4 ms, and is a little curved."""
    ms = open_us / 1000 - 4.0
    return 0.066 * ms - 0.00006 * ms * ms


@cache
def _open_us(ul: float) -> int:
    return min(range(4_000, 250_000, 100), key=lambda open_us: abs(true_ul(open_us) - ul))


def errors_pct(design: Design, reading_mg: float, seed: int) -> Iterator[float | None]:
    """Yield by how many percent the drop differs from each reward; None where the curve is refused."""
    draw = random.Random(f"{seed}/{design.name}")
    weighings = []
    for burst in design.bursts(seed):
        drops = burst.pulses * true_ul(burst.open_us) * (1 + DROP_CV * draw.gauss(0, 1) / burst.pulses**0.5)
        lost = EVAPORATES_MG_PER_S * (burst.lasts_s + HANDLING_S)
        # A weight is the difference of two readings.
        mg = drops - lost + reading_mg * (draw.gauss(0, 1) - draw.gauss(0, 1))
        weighings.append(Weighing(burst.open_us, burst.pulses, mg))
    curve = fit_curve(weighings, 1.0)
    if list(reasons_to_refuse(curve)):
        yield from [None] * len(REWARDS_UL)
        return
    calibration = curve.calibration("", "", "")
    for reward_ul in REWARDS_UL:
        try:
            yield 100 * (true_ul(calibration.open_us(reward_ul)) / reward_ul - 1)
        except CalibrationError:
            yield None


def row(design: Design, reading_mg: float, runs: int) -> str:
    """Return one line of the table."""
    bursts = design.bursts(1)
    minutes = sum(burst.lasts_s + HANDLING_S for burst in bursts) / 60
    found: list[list[float]] = [[] for _ in REWARDS_UL]
    for seed in range(runs):
        for column, error in zip(found, errors_pct(design, reading_mg, seed), strict=True):
            if error is not None:
                column.append(error)
    noise = max(pstdev(column) for column in found)
    whole = max(fmean(error * error for error in column) ** 0.5 for column in found)
    at_usual = fmean(error * error for error in found[REWARDS_UL.index(2.5)]) ** 0.5
    lost = max(runs - len(column) for column in found) / runs
    return (
        f"| {design.name} | {len(bursts)} | {minutes:.1f} | {reading_mg:g} | {noise:.2f} | {whole:.2f} | "
        f"{at_usual:.2f} | {100 * lost:.1f} |"
    )


_HEAD = "| design | bursts | min | SD of a reading, mg | noise, % | error, % | error at 2.5 ul, % | refused, % |"


def main() -> int:
    """Print the table of all designs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000, help="calibrations of each line (default: 1000)")
    runs = parser.parse_args().runs
    lines = [_HEAD, "|---" * _HEAD.count(" | ") + "|---|"]
    lines += [row(design, reading_mg, runs) for reading_mg in READING_MG for design in DESIGNS]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
