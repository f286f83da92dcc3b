"""Tests of models that were fitted to the risky bandit: averages of R², lambda, and people against the model."""

import numpy as np
import pytest

from protocols.searching.analysis.comparisons import Comparison
from protocols.searching.analysis.fits import PersonFit, fits_of
from protocols.searching.analysis.models import RISKY_LEARNERS, RISKY_STRATEGIES
from protocols.searching.analysis.risky_fit_comparisons import averaged_r2, risky_fit_comparisons
from protocols.searching.analysis.rounds import GridPerson
from rig.analysis.common.t_tests import TTest
from tests.protocols.searching.analysis.made import person, risky_round

WORTH = {"pos": 0.5, "lcb": 0.4, "ucb": 0.3, "poi": 0.2}


def scorer(number: int) -> GridPerson:
    """A person who loses the round at the click with this number."""
    return person(risky_round([10] * (number + 2), [8.0] * (number + 1) + [2.0], 5.0), name=f"P{number}")


PEOPLE = [scorer(number) for number in range(1, 6)]


def fits_to(people: list[GridPerson], *, without: str = "") -> list[PersonFit]:
    """Fits in which the Gaussian process is .1 better, and those of the first people have the largest lambda."""
    found = []
    for number, each in enumerate(people):
        for learner in RISKY_LEARNERS:
            for strategy in RISKY_STRATEGIES:
                r2 = WORTH[strategy] + 0.1 * (learner == "gp") + 0.01 * number * (learner == "gp") * WORTH[strategy]
                at = {"lambda": np.exp(-float(number)), "tau": 0.1}
                name = f"{learner}_{strategy}"
                if name != without:
                    found.append(PersonFit(each.name, name, 9, -9.0, r2, {"risky": r2, "safe": r2 / 2}, at, ()))
    return found


def named(*, without: str = "") -> dict[str, Comparison]:
    fits = fits_of(fits_to(PEOPLE, without=without))
    return {each.name: each for each in risky_fit_comparisons(fits, PEOPLE, [])}


def t_test(name: str) -> TTest:
    found = named()[name].t_test
    assert found is not None
    return found


def test_learners_are_compared_over_strategies_and_strategies_over_learners() -> None:
    assert t_test("R² over strategies: gp - option").difference == pytest.approx(0.1, abs=0.01)
    assert t_test("R² over learners: pos - lcb").difference == pytest.approx(0.1, abs=0.01)
    assert t_test("R² over learners: pos - poi").difference == pytest.approx(0.3, abs=0.01)


def test_each_kind_of_round_is_compared_too() -> None:
    both = t_test("R² over learners: pos - ucb, risky rounds").difference
    assert t_test("R² over learners: pos - ucb, safe rounds").difference == pytest.approx(both / 2)


def test_an_average_needs_all_of_its_models() -> None:
    fits = fits_of(fits_to(PEOPLE, without="option_poi"))
    assert np.isnan(averaged_r2(fits, ["gp_poi", "option_poi"])).all()
    assert named(without="option_poi")["R² over strategies: gp - option"].t_test is None


def test_lambda_is_correlated_with_the_score() -> None:
    found = named()["gp_pos: ln lambda and score"].correlation
    assert found is not None
    assert found.n == 5
    assert found.r == pytest.approx(-1)


def test_people_are_compared_with_the_model_that_plays_their_rounds() -> None:
    played = [person(*each.rounds, *scorer(1).rounds, name=each.name) for each in PEOPLE[1:]]
    found = {each.name: each for each in risky_fit_comparisons(fits_of(fits_to(PEOPLE)), PEOPLE, played)}
    tested = found["score: people - gp_pos with their parameters"].t_test
    assert tested is not None
    assert tested.n == (4,)
    assert tested.difference > 0
