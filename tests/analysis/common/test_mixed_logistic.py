"""The mixed logistic regression against what lme4 prints, and against data made with known values."""

import numpy as np
import pytest

from rig.analysis.common.mixed_logistic import mixed_logistic

# `cbpp` of lme4: new cases of a lung disease among the cattle of 15 herds in Ethiopia, in up to four periods
# (Lesnoff et al. 2004): herd, cases, animals, period.
CBPP = """
1 2 14 1, 1 3 12 2, 1 4 9 3, 1 0 5 4, 2 3 22 1, 2 1 18 2, 2 1 21 3, 3 8 22 1, 3 2 16 2, 3 0 16 3, 3 2 20 4,
4 2 10 1, 4 0 10 2, 4 2 9 3, 4 0 6 4, 5 5 18 1, 5 0 25 2, 5 0 24 3, 5 1 4 4, 6 3 17 1, 6 0 17 2, 6 0 18 3, 6 1 20 4,
7 8 16 1, 7 1 10 2, 7 3 9 3, 7 0 5 4, 8 12 34 1, 9 2 9 1, 9 0 6 2, 9 0 8 3, 9 0 6 4, 10 1 22 1, 10 1 22 2, 10 0 18 3,
10 2 22 4, 11 0 25 1, 11 5 27 2, 11 3 22 3, 11 1 22 4, 12 2 10 1, 12 1 8 2, 12 0 6 3, 12 0 5 4, 13 1 21 1, 13 2 24 2,
13 0 19 3, 13 0 23 4, 14 11 19 1, 14 0 2 2, 14 0 3 3, 14 0 2 4, 15 1 19 1, 15 1 15 2, 15 1 15 3, 15 0 15 4
"""


def test_it_gives_what_lme4_prints_for_its_own_example() -> None:
    herd, cases, animals, period = np.array([row.split() for row in CBPP.split(",")], int).T
    x = np.column_stack([np.ones(len(herd)), *((period == number).astype(float) for number in (2, 3, 4))])
    found = mixed_logistic(("intercept", "period 2", "period 3", "period 4"), x, cases, animals, herd - 1)
    assert found is not None
    # `summary(glmer(cbind(incidence, size - incidence) ~ period + (1 | herd), cbpp, binomial))`
    assert found.value == pytest.approx([-1.3983, -0.9919, -1.1282, -1.5797], abs=1e-3)
    # lme4 stops a little before the maximum, so that its curvature differs more than its coefficients.
    assert found.se == pytest.approx([0.2312, 0.3032, 0.3228, 0.4220], abs=1e-2)
    assert found.subject_sd == pytest.approx(0.6421, abs=1e-3)
    assert found.ll == pytest.approx(-92.03, abs=0.01)
    assert (found.answers, found.subjects, found.at_bound) == (842, 15, False)


def test_known_coefficients_are_found_again_and_rows_may_be_added_up() -> None:
    draw = np.random.default_rng(1)
    subject = np.repeat(np.arange(60), 200)
    x = np.column_stack([np.ones(subject.size), draw.integers(0, 2, subject.size)])
    odds = x @ np.array([-1.0, 0.8]) + 0.7 * draw.normal(size=60)[subject]
    yes = (draw.random(subject.size) < 1 / (1 + np.exp(-odds))).astype(float)
    single = mixed_logistic(("intercept", "x"), x, yes, np.ones_like(yes), subject)
    cells, cell = np.unique(np.column_stack([subject, x]), axis=0, return_inverse=True)
    added = mixed_logistic(
        ("intercept", "x"), cells[:, 1:], np.bincount(cell, yes), np.bincount(cell), cells[:, 0].astype(int)
    )
    assert single is not None
    assert added is not None
    assert added.value == pytest.approx(single.value, abs=1e-4)
    assert added.se == pytest.approx(single.se, abs=1e-4)
    assert abs(added.value[1] - 0.8) < 3 * added.se[1]
    assert added.subject_sd == pytest.approx(0.7, abs=0.2)


def test_predictors_that_say_the_same_have_no_solution() -> None:
    x = np.column_stack([np.ones(6), np.ones(6)])
    assert mixed_logistic(("a", "b"), x, [0, 1, 0, 1, 0, 1], [1] * 6, [0, 0, 1, 1, 2, 2]) is None


def test_a_predictor_that_separates_the_answers_is_named_at_its_bound() -> None:
    yes = np.array([0, 0, 1, 1] * 5)
    x = np.column_stack([np.ones(20), yes])
    found = mixed_logistic(("intercept", "x"), x, yes, np.ones(20), np.repeat(np.arange(5), 4))
    assert found is None or found.at_bound or found.value[1] > 10
