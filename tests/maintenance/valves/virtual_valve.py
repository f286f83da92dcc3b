"""A valve with a known curve and a scale with noise, as plain numbers."""

import random
from collections.abc import Callable

from rig.maintenance.valves.bursts import plan_bursts, usual_openings
from rig.maintenance.valves.curve import Curve, Weighing, fit_curve
from rig.scales.water import density_mg_per_ul

CELSIUS = 21.0
SIGMA_MG = 2.0


def true_ul(open_us: int) -> float:
    """The volume of a healthy valve, which opens after 4 ms and is a little curved."""
    ms = open_us / 1000
    return 0.066 * (ms - 4.0) - 0.00006 * (ms - 4.0) ** 2


def true_open_us(ul: float) -> int:
    return min(range(4_000, 250_000, 10), key=lambda open_us: abs(true_ul(open_us) - ul))


def measured(
    seed: int,
    ul_of: Callable[[int], float] = true_ul,
    factor: Callable[[float], float] = lambda part: 1.0,
    sigma_mg: float = SIGMA_MG,
    readings: int = 2,
    repeats: int = 2,
) -> Curve:
    """A calibration with the usual openings; ``factor`` changes the valve with the part that is done, 0 to 1.

    Each weight is the difference of two readings, each with the noise.
    """
    draw = random.Random(seed)
    bursts = plan_bursts(usual_openings(None, 1_000_000), None, None, repeats, seed)
    density = density_mg_per_ul(CELSIUS)
    weighings = []
    for place, burst in enumerate(bursts):
        ul = ul_of(burst.open_us) * factor(place / (len(bursts) - 1))
        noise = sum(draw.gauss(0, sigma_mg) for _ in range(readings))
        weighings.append(Weighing(burst.open_us, burst.pulses, burst.pulses * ul * density + noise))
    return fit_curve(weighings, density)
