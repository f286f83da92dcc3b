"""Tests of fitted parameters: what is compared with what."""

import math

import pytest

from protocols.searching.analysis.comparisons import Comparison
from protocols.searching.analysis.cross_validation import Fold
from protocols.searching.analysis.fit_comparisons import fit_comparisons
from protocols.searching.analysis.fits import PersonFit, fits_of
from tests.protocols.searching.analysis.made import made_round, person

PEOPLE = [person(made_round([0, 1], [1, 2]), name=f"P{number}") for number in range(5)]


def fitted(model: str, blocks: tuple[str, str], r2: float = 0.2) -> list[PersonFit]:
    """Fits in which the second block has twice the first one's tau, times a little for each person."""
    found = []
    for number, each in enumerate(PEOPLE):
        at = {"lambda": 0.5 + 0.1 * number, "tau": 0.1}
        folds = (
            Fold(blocks[0], 1, 20, -50.0, at),
            Fold(blocks[1], 2, 40, -90.0, at | {"tau": 0.2 * (1 + 0.01 * number)}),
        )
        of_block = {blocks[0]: r2 + 0.01 * number, blocks[1]: r2}
        found.append(PersonFit(each.name, model, 60, -140.0, r2, of_block, at, folds))
    return found


def named(*fits: PersonFit, risky: bool = False) -> dict[str, Comparison]:
    return {each.name: each for each in fit_comparisons(fits_of(fits), PEOPLE, risky=risky)}


def test_the_long_horizon_is_compared_with_the_short_one() -> None:
    found = named(*fitted("gp_mg", ("20", "40")))
    tau = found["gp_mg: ln tau, 40 - 20"].t_test
    assert tau is not None
    assert tau.difference == pytest.approx(math.log(2), abs=0.05)
    assert tau.n == (5,)
    r2 = found["gp_mg: R², 40 - 20"].t_test
    assert r2 is not None
    assert r2.difference == pytest.approx(-0.02)


def test_lambda_is_compared_with_that_of_the_environments() -> None:
    smooth = named(*fitted("gp_mg", ("20", "40")))["gp_mg: ln lambda, people - smooth environments"].t_test
    assert smooth is not None
    assert smooth.difference < 0


def test_risky_rounds_are_compared_with_safe_ones() -> None:
    found = named(*fitted("gp_mg", ("risky", "safe")), risky=True)
    assert set(found) >= {"gp_mg: R², risky - safe", "gp_mg: ln lambda, risky and safe"}
    assert not any("environments" in name for name in found)


def test_the_best_model_with_a_belief_is_compared() -> None:
    found = named(*fitted("local_search", ("20", "40"), 0.9), *fitted("gp_mg", ("20", "40")))
    assert all(name.startswith("gp_mg") for name in found)
    assert named(*fitted("local_search", ("20", "40"))) == {}


def test_people_with_more_in_the_long_horizon_are_counted() -> None:
    found = named(*fitted("gp_mg", ("20", "40")))["gp_mg: tau, people with more in 40 than in 20"].sign_test
    assert found is not None
    assert (found.n, found.larger) == (5, 5)
