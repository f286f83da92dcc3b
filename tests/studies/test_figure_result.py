"""A number beside the one that it should be: its verdict, and whether it is safe."""

import math

import pytest

from rig.config.models.study_figures import ExpectedFigure
from rig.studies.estimate import Estimate
from rig.studies.figure_result import FigureResult, Verdict, bounds_text


def figure(**given: object) -> ExpectedFigure:
    keys = {"name": "n", "of": "a", "take": "x", "source": "s", "expected": 1, "tolerance": 0.5}
    return ExpectedFigure.model_validate({**keys, **given})


NAMED = {"text": "why", "at_least": 2, "at_most": 3}
TESTED = {**NAMED, "without": "b"}


@pytest.mark.parametrize(
    ("value", "explanation", "without", "verdict"),
    [
        (1.5, None, None, "within"),
        (1.6, None, None, "off"),
        (math.nan, None, None, "unknown"),
        (2.5, NAMED, None, "not_explained"),
        (3.5, NAMED, None, "off"),
        (2.5, TESTED, 1.0, "explained"),
        (2.5, TESTED, 2.0, "off"),
        (2.5, TESTED, math.nan, "unknown"),
        (3.5, TESTED, 1.0, "off"),
        (1.0, TESTED, 9.0, "within"),
        (1.0, TESTED, math.nan, "within"),
    ],
)
def test_a_number_outside_is_explained_only_where_arms_without_the_cause_give_the_expected_one(
    value: float, explanation: dict[str, object] | None, without: float | None, verdict: Verdict
) -> None:
    beside = None if without is None else Estimate(without, 0)
    assert FigureResult(figure(explanation=explanation), Estimate(value, 0), beside).verdict == verdict


@pytest.mark.parametrize(("value", "verdict"), [(0.1, "direction"), (-0.1, "off")])
def test_a_direction_is_no_number_within_its_bounds(value: float, verdict: Verdict) -> None:
    row = figure(expected=None, tolerance=None, at_least=0, compares="direction")
    assert FigureResult(row, Estimate(value, 0)).verdict == verdict


@pytest.mark.parametrize(
    ("value", "error", "unsafe"),
    [
        (1.0, 0.24, False),
        (1.0, 0.26, True),
        (1.4, 0.1, True),
        (1.6, 0.1, False),
        (1.6, math.nan, True),
        (1.8, 0.1, False),
        (1.5, 0.0, False),
        (1.0, math.nan, True),
        (math.nan, math.nan, False),
    ],
)
def test_a_verdict_is_unsafe_if_it_is_another_one_two_errors_away(value: float, error: float, unsafe: bool) -> None:
    assert FigureResult(figure(), Estimate(value, error)).is_unsafe == unsafe


@pytest.mark.parametrize(
    ("value", "error", "verdict"),
    [(1.69, 0.1, "undecided"), (1.71, 0.1, "off"), (0.31, 0.1, "undecided"), (1.6, 0, "off"), (1.6, math.nan, "off")],
)
def test_a_number_outside_by_less_than_another_seed_may_change_is_undecided_and_fails_nothing(
    value: float, error: float, verdict: Verdict
) -> None:
    result = FigureResult(figure(), Estimate(value, error))
    assert result.verdict == verdict
    assert result.is_missed == (verdict == "off")


@pytest.mark.parametrize(
    ("value", "without", "verdict"),
    [
        (Estimate(3.1, 0.1), Estimate(1, 0.1), "undecided"),
        (Estimate(2.5, 0.1), Estimate(1.6, 0.1), "undecided"),
        (Estimate(2.5, 0.1), Estimate(1.8, 0.1), "off"),
    ],
)
def test_an_explanation_is_undecided_as_its_numbers_are(value: Estimate, without: Estimate, verdict: Verdict) -> None:
    assert FigureResult(figure(explanation=TESTED), value, without).verdict == verdict


@pytest.mark.parametrize(
    ("value", "without", "unsafe"),
    [
        (Estimate(2.5, 0.1), Estimate(1, 0.1), False),
        (Estimate(2.9, 0.1), Estimate(1, 0.1), True),
        (Estimate(2.5, 0.1), Estimate(1.4, 0.1), True),
        (Estimate(2.5, 0.1), Estimate(1, math.nan), True),
        (Estimate(1, 0.1), Estimate(1.4, 0.1), False),
    ],
)
def test_an_explained_number_is_safe_with_its_range_and_with_the_number_that_tests_it(
    value: Estimate, without: Estimate, unsafe: bool
) -> None:
    assert FigureResult(figure(explanation=TESTED), value, without).is_unsafe == unsafe


@pytest.mark.parametrize(
    ("bounds", "text"), [((0, math.inf), "≥ 0"), ((-math.inf, 0.5), "≤ 0.5"), ((0.25, 1), "0.25 to 1")]
)
def test_bounds_are_written_as_a_range(bounds: tuple[float, float], text: str) -> None:
    assert bounds_text(*bounds) == text
