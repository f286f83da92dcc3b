from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.analysis.common.intervals import wilson
from rig.studies.power.experiments import ExperimentOrder, run_order
from rig.studies.power.interval import Sampling, expected_interval, power_interval, subjects_for
from rig.studies.power.mixed_model import p_values
from tests.studies.power.exact import effect_of


@given(st.integers(1, 2000), st.floats(0, 1), st.floats(0, 1))
def test_the_interval_holds_the_share_of_rejections(experiments: int, part: float, share: float) -> None:
    rejected = round(part * experiments)
    low, high = power_interval(rejected, experiments, Sampling(share, 10))
    assert 0 <= low <= rejected / experiments <= high <= 1


@pytest.mark.parametrize("rejected", [100, 500, 800, 950])
def test_with_any_number_of_simulated_subjects_it_is_that_of_the_experiments(rejected: int) -> None:
    low, high = power_interval(rejected, 1000, Sampling(0.0, 10))
    expected = wilson(rejected / 1000, 1000)
    assert (low, high) == pytest.approx((float(expected[0]), float(expected[1])), abs=0.003)


def test_with_all_simulated_subjects_in_each_experiment_nothing_is_known() -> None:
    low, high = power_interval(1000, 1000, Sampling(1.0, 10**6))
    assert low == pytest.approx(0.025, abs=0.001)
    assert high == 1.0


def test_the_number_of_subjects_to_simulate_gives_the_width_that_was_asked() -> None:
    count = subjects_for(0.8, 0.05, 12, 22, 0.05)
    assert 1600 < count < 1800
    low, high = expected_interval(0.8, Sampling(12 / count, 22))
    assert (high - low) / 2 == pytest.approx(0.05, abs=0.003)


Values = Callable[[np.random.Generator, tuple[int, ...]], tuple[np.ndarray, np.ndarray]]


def normal(effect: float) -> Values:
    return lambda rng, shape: (rng.normal(0, 1, shape), rng.normal(effect, 1, shape))


def held(power: float, subjects: int, simulated: int, pools: int, test: str, experiments: int) -> float:
    """The share of pools of normal values whose interval holds the exact power."""
    return held_of(normal(effect_of(power, subjects)), power, subjects, simulated, pools, test, experiments)


def held_of(
    values: Values, power: float, subjects: int, simulated: int, pools: int, test: str, experiments: int
) -> float:
    rng = np.random.default_rng(subjects)
    inside = 0
    for seed in range(pools):
        first, second = values(rng, (simulated, 1))
        order = ExperimentOrder("power", first, second, subjects, 1, "between", test, 0.05, experiments, seed)  # type: ignore[arg-type]
        low, high = power_interval(
            run_order(order).rejected, experiments, Sampling(subjects / simulated, 2 * subjects - 2)
        )
        inside += low <= power <= high
    return inside / pools


@pytest.mark.parametrize(("power", "subjects", "simulated"), [(0.8, 8, 80), (0.5, 20, 60)])
def test_most_intervals_hold_the_exact_power(power: float, subjects: int, simulated: int) -> None:
    assert held(power, subjects, simulated, 60, "mixed_model", 200) >= 0.88


@pytest.mark.campaign
@pytest.mark.parametrize("power", [0.1, 0.3, 0.8, 0.95])
@pytest.mark.parametrize(("subjects", "simulated"), [(4, 40), (8, 40), (12, 200), (20, 40), (32, 100)])
def test_95_of_100_intervals_hold_the_exact_power(power: float, subjects: int, simulated: int) -> None:
    """The standard error of the share is .009."""
    assert 0.92 <= held(power, subjects, simulated, 600, "mixed_model", 500) <= 0.998


@pytest.mark.campaign
@pytest.mark.parametrize(("subjects", "simulated"), [(8, 80), (12, 100), (16, 200), (24, 200), (32, 200)])
def test_intervals_of_permutation_tests_hold_the_power_of_the_t_test(subjects: int, simulated: int) -> None:
    """With 8 subjects or more their power is the same to about .01, with values that are normal."""
    assert 0.92 <= held(0.8, subjects, simulated, 400, "permutation", 500) <= 0.998


SKEWED: dict[str, Values] = {
    "exponential, moved": lambda rng, shape: (rng.exponential(1, shape), rng.exponential(1, shape) + 1),
    "exponential, longer": lambda rng, shape: (rng.exponential(1, shape), rng.exponential(3, shape)),
    "lognormal": lambda rng, shape: (rng.lognormal(0, 1, shape), rng.lognormal(1, 1, shape)),
    "of five": lambda rng, shape: (rng.binomial(5, 0.3, shape) / 5, rng.binomial(5, 0.55, shape) / 5),
}


@pytest.mark.campaign
@pytest.mark.parametrize("name", SKEWED)
@pytest.mark.parametrize(("subjects", "simulated"), [(6, 40), (12, 60)])
def test_intervals_of_skewed_values_hold_the_power(name: str, subjects: int, simulated: int) -> None:
    """The power is that of 60,000 experiments with other subjects in each."""
    fresh = SKEWED[name](np.random.default_rng(1), (60_000, subjects, 1))
    power = float((p_values(*fresh, "between") <= 0.05).mean())
    assert held_of(SKEWED[name], power, subjects, simulated, 400, "mixed_model", 500) >= 0.87
