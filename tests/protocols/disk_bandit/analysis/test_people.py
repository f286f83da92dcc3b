import math

import numpy as np
import pytest

from protocols.disk_bandit.analysis.people import traits

THETAS = {f"P{n}": 0.1 * n for n in range(1, 7)}


def test_a_trait_of_numbers_is_correlated_with_theta() -> None:
    people = {name: {"grades": str(4 - theta)} for name, theta in THETAS.items()}
    (found,) = traits(THETAS, people)
    assert found.name == "grades"
    assert found.correlation is not None
    assert (found.correlation.n, found.correlation.rho) == (6, pytest.approx(-1))
    assert found.difference is None
    assert found.numbers is not None


def test_a_trait_of_words_is_compared_between_them() -> None:
    people = {name: {"sex": "f" if theta < 0.35 else "m"} for name, theta in THETAS.items()}
    (found,) = traits(THETAS, people)
    assert found.correlation is None
    assert found.difference is not None
    assert (found.difference.df, found.difference.n) == (1, 6)
    assert found.difference.p < 0.06
    assert found.numbers is None


def test_subjects_of_whom_something_is_unknown_are_left_out_of_that_trait_alone() -> None:
    people = {name: {"sex": "f", "grades": ""} for name in THETAS} | {
        "P1": {"sex": "", "grades": "3"},
        "X": {"sex": "m", "grades": "2"},
    }
    sex, grades = traits(THETAS | {"P2": math.nan}, people)
    assert sex.subjects == ("P3", "P4", "P5", "P6")
    assert sex.difference is None
    assert grades.subjects == ("P1",)
    assert grades.theta == pytest.approx([0.1])
    assert grades.correlation is None


def test_words_that_read_as_no_number_with_an_end_are_words() -> None:
    (found,) = traits(THETAS, {name: {"grades": "nan" if name == "P1" else "3"} for name in THETAS})
    assert found.numbers is None
    assert np.isfinite(found.theta).all()


def test_without_people_there_are_no_traits() -> None:
    assert traits(THETAS, {}) == ()
