"""Numbers of an analysis with their Monte Carlo errors."""

import math
from statistics import mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.studies.analysis_jobs import AnalysisAnswer, jackknife_error, obtained

VALUES = st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=10)


@given(VALUES)
def test_of_a_mean_the_jackknife_gives_the_standard_error(values: list[float]) -> None:
    left_out = [mean(values[:place] + values[place + 1 :]) for place in range(len(values))]
    assert jackknife_error(left_out) == pytest.approx(stdev(values) / math.sqrt(len(values)), abs=1e-9)


def test_without_a_second_group_the_error_is_not_known() -> None:
    assert math.isnan(jackknife_error([]))
    assert math.isnan(jackknife_error([1.0]))


@pytest.mark.parametrize("lost", [math.nan, "there is no place"])
def test_a_group_without_a_number_makes_the_error_unknown(lost: float | str) -> None:
    assert math.isnan(jackknife_error([1.0, 2.0, lost]))


def test_a_place_that_is_not_there_is_told() -> None:
    answers = [AnalysisAnswer("all", None, {"a/b": "there is no a"}, {})]
    found = obtained(answers, "a/b")
    assert math.isnan(found.value)
    assert found.problem == "there is no a"


def test_the_number_is_that_of_all_subjects() -> None:
    answers = [
        AnalysisAnswer("all", 0, {"a": 1.0}, {}),
        AnalysisAnswer("all", None, {"a": 2.0}, {}),
        AnalysisAnswer("all", 1, {"a": 3.0}, {}),
    ]
    found = obtained(answers, "a")
    assert (found.value, found.error) == (2.0, 1.0)
