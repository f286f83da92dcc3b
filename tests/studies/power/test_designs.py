import json
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest

from rig.core.errors import ConfigError
from rig.studies.power.designs import run_power
from rig.studies.power.experiments import ExperimentOrder, RejectionCount, run_order
from rig.studies.power.interval import Sampling, power_interval
from rig.studies.power.pool import Pool
from rig.studies.power.result import Design, Rate, Smallest, smallest_of
from tests.studies.power.exact import effect_of, t_power
from tests.studies.power.pools import pool, question

ALL_TESTS = [
    {"design": design, "test": test} for design in ("between", "within") for test in ("permutation", "mixed_model")
]


@pytest.mark.parametrize(("subjects", "power"), [(4, 0.5), (8, 0.8), (12, 0.3), (16, 0.9), (24, 0.8)])
def test_the_power_of_the_t_test_is_the_one_of_its_formula(subjects: int, power: float) -> None:
    """With one session of each subject the mixed model is the t test. The seed is fixed: it cannot be flaky."""
    rng, simulated, experiments = np.random.default_rng(subjects), 3000, 300
    first, second = rng.normal(0, 1, (simulated, 1)), rng.normal(effect_of(power, subjects), 1, (simulated, 1))
    order = ExperimentOrder("power", first, second, subjects, 1, "between", "mixed_model", 0.05, experiments, 1)
    low, high = power_interval(
        run_order(order).rejected, experiments, Sampling(subjects / simulated, 2 * subjects - 2), z=3
    )
    assert low <= t_power(effect_of(power, subjects), subjects) <= high
    assert high - low < 0.25


@pytest.mark.campaign
@pytest.mark.parametrize(("subjects", "power"), [(6, 0.5), (8, 0.8), (12, 0.3), (16, 0.9), (24, 0.8)])
@pytest.mark.parametrize("test", ["permutation", "mixed_model"])
def test_the_power_is_the_one_of_the_formula_to_a_hundredth(test: Any, subjects: int, power: float) -> None:
    """With 6 subjects or more a permutation test of normal values has nearly the power of the t test."""
    rng, simulated, experiments = np.random.default_rng(subjects), 20_000, 200
    effect = effect_of(power, subjects)
    rejected = 0
    for seed in range(60):  # other subjects each time
        first, second = rng.normal(0, 1, (simulated // 10, 1)), rng.normal(effect, 1, (simulated // 10, 1))
        order = ExperimentOrder("power", first, second, subjects, 1, "between", test, 0.05, experiments, seed)
        rejected += run_order(order).rejected
    error = 3 * np.sqrt(power * (1 - power) * (1 / (60 * experiments)) + (0.3**2) * subjects / 2000 / 60)
    assert rejected / (60 * experiments) == pytest.approx(power, abs=error + (0.02 if test == "permutation" else 0))


@pytest.mark.parametrize("given", ALL_TESTS)
def test_false_alarms_are_at_the_level(given: dict[str, Any]) -> None:
    power = question(**given, subjects=[8], sessions=[3], experiments=2000)
    for design in run_power(power, pool(power, 60, 1.0), 2).designs:
        assert design.false_alarms is not None
        assert design.false_alarms.value == pytest.approx(0.05, abs=0.015)


@pytest.mark.parametrize("given", ALL_TESTS)
def test_more_subjects_and_more_sessions_have_more_power(given: dict[str, Any]) -> None:
    power = question(**given, subjects=[6, 20], sessions=[1, 5])
    found = {
        (each.subjects, each.sessions): each.power.value
        for each in run_power(power, pool(power, 200, 1.0), 1).designs
        if each.power
    }
    assert found[6, 1] < found[20, 1] < found[20, 5]
    assert found[6, 1] < found[6, 5] < found[20, 5]


def test_the_answer_does_not_depend_on_the_order_of_the_work() -> None:
    def backwards(
        work: Callable[[ExperimentOrder], RejectionCount], orders: Iterable[ExperimentOrder]
    ) -> Iterable[RejectionCount]:
        return [work(order) for order in reversed(list(orders))]

    power = question()
    here = run_power(power, pool(power, 30, 1.0), 1)
    assert run_power(power, pool(power, 30, 1.0), 1, backwards) == here
    assert run_power(power, pool(power, 30, 1.0), 2, backwards) != here


def test_a_design_does_not_depend_on_the_others_that_are_asked() -> None:
    power, more = question(), question(subjects=[4, 5, 8, 12])
    designs = run_power(power, pool(power, 30, 1.0), 1).designs
    assert set(designs) <= set(run_power(more, pool(power, 30, 1.0), 1).designs)


def test_subjects_without_a_value_are_left_out_and_counted() -> None:
    power = question()
    whole = pool(power, 30, 1.0)
    baseline = whole.baseline.copy()
    baseline[:4, 0] = np.nan
    result = run_power(power, Pool(baseline, whole.effect), 1)
    assert [(each.arm, each.sessions, each.subjects, each.left_out) for each in result.compared] == [
        ("base", 1, 26, 4),
        ("learn", 1, 30, 0),
        ("base", 3, 30, 0),
        ("learn", 3, 30, 0),
    ]


def test_within_subjects_both_values_are_needed() -> None:
    power = question(design="within")
    whole = pool(power, 30, 1.0)
    whole.baseline[:4, 0] = np.nan
    whole.effect[3:6, 0] = np.nan
    assert [(each.subjects, each.left_out) for each in run_power(power, whole, 1).compared][:2] == [(24, 6), (24, 6)]


def test_a_mixed_model_takes_subjects_with_some_of_their_sessions() -> None:
    power = question(test="mixed_model")
    whole = pool(power, 30, 1.0)
    whole.baseline[:4, 0] = np.nan
    result = run_power(power, whole, 1)
    assert [each.left_out for each in result.compared] == [4, 0, 0, 0]
    assert all(each.power is not None for each in result.designs)


@pytest.mark.parametrize(("given", "fewest"), [({}, 3), ({"design": "within"}, 5)])
def test_a_permutation_test_of_very_few_says_that_it_never_rejects(given: dict[str, Any], fewest: int) -> None:
    power = question(**given, subjects=[fewest, fewest + 1])
    first, second, *_ = run_power(power, pool(power, 30, 5.0), 1).designs
    assert first.power is None
    assert first.false_alarms is None
    assert "no experiment can reject" in first.notes[0]
    assert second.power is not None
    assert second.notes == ()


def test_designs_larger_than_the_simulated_subjects_say_so() -> None:
    power = question(subjects=[8, 16, 40])
    small, middle, large = run_power(power, pool(power, 30, 1.0), 1).designs[:3]
    assert small.notes == ()
    assert (middle.power is not None, middle.false_alarms) == (True, None)
    assert "wanted at least 32" in middle.notes[0]
    assert large.power is None
    assert "wanted at least 40" in large.notes[0]


def test_false_alarms_of_few_different_experiments_are_not_sure() -> None:
    power = question(test="mixed_model", subjects=[4], experiments=1000)
    few, many = (run_power(power, pool(power, count, 1.0), 1).designs[0].false_alarms for count in (8, 80))
    assert few is not None
    assert many is not None
    assert few.high - few.low > 3 * (many.high - many.low)


def test_an_arm_without_values_is_a_mistake() -> None:
    power = question()
    whole = pool(power, 30, 1.0)
    whole.effect[1:] = np.nan
    with pytest.raises(ConfigError, match="arm learn: 1 of 30 simulated subjects"):
        run_power(power, whole, 1)


def test_the_document_is_plain_data() -> None:
    power = question(subjects=[3, 8])
    document = json.loads(json.dumps(run_power(power, pool(power, 30, 1.0), 1).document(), allow_nan=False))
    assert [each["subjects"] for each in document["designs"]] == [3, 8, 3, 8]
    assert document["designs"][0]["power"] is None
    assert 0 <= document["designs"][1]["power"]["low"] <= document["designs"][1]["power"]["value"] <= 1


def test_the_smallest_design_is_told_by_power_and_by_lower_bound() -> None:
    def design(subjects: int, rejected: int, low: float) -> Design:
        return Design(subjects, 1, Rate(rejected, 100, low, 1.0), None)

    designs = [Design(3, 1, None, None), design(6, 79, 0.7), design(8, 80, 0.75), design(12, 89, 0.81)]
    assert list(smallest_of(designs)) == [Smallest(1, 0.8, 8, 12), Smallest(1, 0.9, None, None)]
