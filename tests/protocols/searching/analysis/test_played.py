"""Fitted models that play with each person's own parameters."""

from dataclasses import replace

import pytest

from protocols.searching.analysis.fits import PersonFit, fits_of
from protocols.searching.analysis.played import played_models
from protocols.searching.grids.places import Grid
from protocols.searching.grids.reward_scales import RewardRange
from tests.protocols.searching.analysis.made import made_round, person

PEOPLE = [person(made_round([0, 1, 2], [10, 20, 30]), name=f"P{number}") for number in range(4)]


def fit(name: str, model: str = "local_search", tau: float = 0.2) -> PersonFit:
    return PersonFit(name, model, 2, -9.0, 0.1, {}, {"tau": tau}, ())


def test_every_fitted_model_plays_the_rounds_of_every_person() -> None:
    fits = fits_of([fit(each.name, model) for model in ("local_search", "wsls") for each in PEOPLE])
    played = played_models(PEOPLE, fits, seed=1)
    assert {model.model for model in played} == {"local_search", "wsls"}
    for model in played:
        assert model.people == 4
        (curve,) = model.curves
        assert (curve.horizon, curve.people) == (2, 4)


def test_each_person_plays_with_the_own_parameters() -> None:
    wide = person(*[made_round([0] * 21, [10.0] * 21, Grid(11, 11))] * 8, name="P0")
    near, far = (
        played_models([wide], fits_of([fit("P0", tau=tau)]), seed=1)[0].curves[0].largest[-1] for tau in (0.02, 100.0)
    )
    assert far > near + 5


def test_the_same_seed_plays_the_same() -> None:
    fits = fits_of([fit(each.name) for each in PEOPLE])
    first, second = (played_models(PEOPLE, fits, seed=3)[0].curves[0].reward.tolist() for _ in range(2))
    assert first == pytest.approx(second)


def test_people_whose_environments_cannot_be_drawn_again_are_left_out() -> None:
    unknown = replace(PEOPLE[0], environments="")
    scaled = replace(PEOPLE[1], rounds=(replace(PEOPLE[1].rounds[0], range=RewardRange(0, 50)),))
    fits = fits_of([fit(each.name) for each in PEOPLE])
    (played,) = played_models([unknown, scaled, *PEOPLE[2:]], fits, seed=1)
    assert played.people == 2
    assert played_models([unknown], fits_of([fit("P0")]), seed=1) == ()
