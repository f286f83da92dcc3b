"""Errors of numbers: Monte Carlo errors, and the spread between subjects."""

import math
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean, mean, stdev
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.analysis.common.plugin import Source
from rig.studies.jackknife import PARTS, jackknife_error, without_draws, without_subjects

VALUES = st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=10)


@given(VALUES)
def test_of_a_mean_the_jackknife_gives_the_standard_error(values: list[float]) -> None:
    left_out = [mean(values[:index] + values[index + 1 :]) for index in range(len(values))]
    assert jackknife_error(left_out) == pytest.approx(stdev(values) / math.sqrt(len(values)), abs=1e-9)


def test_without_a_second_part_the_error_is_not_known() -> None:
    assert math.isnan(jackknife_error([]))
    assert math.isnan(jackknife_error([1.0]))


def test_numbers_of_any_size_have_an_error() -> None:
    assert jackknife_error([1e200, -1e200]) == pytest.approx(1e200)


@pytest.mark.parametrize("lost", [math.nan, "there is no place"])
def test_a_part_without_a_number_makes_the_error_unknown(lost: float | str) -> None:
    assert math.isnan(jackknife_error([1.0, 2.0, lost]))


def sources(folders: dict[str, Sequence[Any]]) -> list[Source[Any]]:
    """Return the sessions of each subject, by the folder of its arm and its name."""
    return [Source(Path(folder), session) for folder, sessions in folders.items() for session in sessions]


def kept(samples: Iterator[list[Source[Any]]]) -> list[list[Any]]:
    return [[source.session for source in sample] for sample in samples]


def test_a_numbered_subject_of_two_arms_is_left_out_of_both() -> None:
    both = sources({"a/m1": "1", "a/m2": "2", "b/m1": "3", "b/m2": "4"})
    assert kept(without_draws(both, frozenset())) == [["2", "4"], ["1", "3"]]


def test_a_named_subject_loses_a_stretch_of_its_sessions() -> None:
    mouse = sources({"a/dill": range(8)})
    assert kept(without_draws(mouse, {"dill"}))[0] == [1, 2, 3, 4, 5, 6, 7]
    long = sources({"a/dill": range(40)})
    assert kept(without_draws(long, {"dill"}))[1] == [*range(4), *range(8, 40)]


def test_one_numbered_subject_loses_sessions_as_a_named_one() -> None:
    assert len(kept(without_draws(sources({"a/a-001": range(5)}), frozenset()))) == 5


@given(st.integers(2, 40), st.integers(1, 7))
def test_each_part_has_as_many_sessions_of_each_named_subject(sessions: int, subjects: int) -> None:
    names = [f"m{index}" for index in range(subjects)]
    whole = sources({f"a/{name}": [name] * sessions for name in names})
    samples = kept(without_draws(whole, names))
    assert 2 <= len(samples) <= PARTS
    counts = {sample.count(name) for sample in samples for name in names}
    [count] = counts
    over = sessions - len(samples) * (sessions - count)  # sessions that are in all samples
    assert 0 <= over <= sessions / 9


def test_numbered_and_named_subjects_are_left_out_together() -> None:
    whole = sources({"a/dill": range(4), "b/b-001": "x", "b/b-002": "y", "b/b-003": "z", "b/b-004": "w"})
    assert kept(without_draws(whole, {"dill"}))[0] == [1, 2, 3, "y", "z", "w"]
    assert len(kept(without_draws(whole, {"dill"}))) == 4


def test_with_one_session_of_a_named_subject_there_is_no_error() -> None:
    assert kept(without_draws(sources({"a/dill": "1", "a/sky": "2"}), {"dill", "sky"})) == []
    assert kept(without_draws([], frozenset())) == []


def birds(seed: int, trend: float = 0) -> dict[str, list[float]]:
    """Return six birds, the same for every seed, with a number of each of 24 days."""
    draws = random.Random(seed)
    return {
        f"a/bird-{bird}": [100 * bird + trend * day + draws.gauss(0, 1) for day in range(24)] for bird in range(1, 7)
    }


def errors_of_mean(folders: dict[str, list[float]]) -> tuple[float, float]:
    """Return the Monte Carlo error and the spread of the mean of all sessions."""
    whole = sources(folders)
    named = {Path(folder).name for folder in folders}
    draws = [fmean(sample) for sample in kept(without_draws(whole, named))]
    return jackknife_error(draws), jackknife_error([fmean(sample) for sample in kept(without_subjects(whole))])


@pytest.mark.parametrize("trend", [0, 0.05])
def test_of_named_subjects_the_error_is_that_within_and_the_spread_that_between(trend: float) -> None:
    errors, spreads = zip(*(errors_of_mean(birds(seed, trend)) for seed in range(100)), strict=True)
    within = 1 / math.sqrt(6 * 24)
    assert math.sqrt(fmean(error**2 for error in errors)) == pytest.approx(within, rel=0.1)
    assert fmean(spreads) == pytest.approx(stdev(range(100, 700, 100)) / math.sqrt(6), rel=0.01)


def test_the_error_of_named_subjects_is_the_standard_deviation_over_seeds() -> None:
    means = [fmean(value for values in birds(seed).values() for value in values) for seed in range(100)]
    assert fmean(errors_of_mean(birds(seed))[0] for seed in range(100)) == pytest.approx(stdev(means), rel=0.15)
