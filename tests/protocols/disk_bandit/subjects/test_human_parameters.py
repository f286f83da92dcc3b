"""Who a person is by name, and how much people differ."""

import math
import statistics

import pytest

from protocols.disk_bandit.subjects.human_parameters import TAU_LOG_SD, THETA_LOG_SD, PersonTraits, traits_of

PEOPLE = tuple(traits_of(f"P{number}", 1.0) for number in range(1000))


def test_a_person_is_the_same_for_life_and_no_two_are_alike() -> None:
    assert traits_of("P07", 1.0) == traits_of("P07", 1.0)
    assert len(set(PEOPLE)) == len(PEOPLE)


def test_without_a_name_or_a_spread_it_is_the_average_person() -> None:
    assert traits_of("", 1.0) == traits_of("P07", 0.0) == PersonTraits(1.0, 1.0)


def test_people_differ_by_the_spread_that_is_written_down() -> None:
    """The standard error of a standard deviation of 1000 values is 2.2 %."""
    logs = [(math.log(person.theta), math.log(person.tau)) for person in PEOPLE]
    for column, sd in zip(zip(*logs, strict=True), (THETA_LOG_SD, TAU_LOG_SD), strict=True):
        assert statistics.stdev(column) == pytest.approx(sd, rel=0.1)
        assert statistics.fmean(column) == pytest.approx(0, abs=4 * sd / math.sqrt(len(PEOPLE)))


def test_half_a_spread_is_half_of_all_differences() -> None:
    whole, half = traits_of("P07", 1.0), traits_of("P07", 0.5)
    assert half.theta == pytest.approx(math.sqrt(whole.theta))
    assert half.tau == pytest.approx(math.sqrt(whole.tau))
