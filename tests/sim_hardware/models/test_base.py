"""Draws: lognormal ones have their median and their spread, and take two uniform numbers."""

import math
import random
import statistics

from hypothesis import given, settings
from hypothesis import strategies as st

from sim_hardware.models.base import lognormal


@settings(max_examples=10)
@given(st.integers(0, 1 << 40), st.floats(0.01, 10), st.floats(0.05, 1.5))
def test_a_lognormal_draw_has_its_median_and_its_spread(seed: int, median: float, sigma: float) -> None:
    stream, count = random.Random(seed), 4_000
    logs = [math.log(lognormal(stream, median, sigma)) for _ in range(count)]
    assert abs(statistics.fmean(logs) - math.log(median)) < 6 * sigma / math.sqrt(count)
    assert abs(statistics.stdev(logs) - sigma) < 6 * sigma / math.sqrt(2 * count)


def test_a_lognormal_draw_takes_two_uniform_numbers_and_survives_their_extremes() -> None:
    class Fixed(random.Random):
        def random(self) -> float:
            return draws.pop(0)

    for value in (0.0, 1.0 - 2**-53):
        draws = [value, 0.25, 0.5]
        assert math.isfinite(lognormal(Fixed(), 1.0, 1.0))
        assert len(draws) == 1
