"""Fits of people: R², medians, the order of models, and a file to go on from."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from rig.analysis.grids import fits
from rig.analysis.grids.cross_validation import Problem, cross_validate
from rig.analysis.grids.fits import FitSettings, fit_people, fits_of, r_squared
from tests.analysis.grids.made import made_round, person

PEOPLE = [
    person(
        made_round([0, 1, 2, 7, 7, 6], [50, 60, 75, 90, 91, 70]), made_round([3, 4, 9, 9, 8, 7], [9] * 6), name="near"
    ),
    person(
        made_round([0, 24, 4, 20, 2, 22], [50, 60, 5, 90, 1, 70]),
        made_round([3, 20, 9, 15, 0, 24], [9] * 6),
        name="far",
    ),
]
MODELS = ("local_search", "wsls")


def test_a_random_choice_has_r_squared_0_and_certainty_1() -> None:
    assert r_squared(-240 * math.log(121), 240, 121) == 0
    assert r_squared(0.0, 240, 121) == 1
    assert math.isnan(r_squared(0.0, 0, 121))


def test_people_who_stay_near_are_predicted_by_local_search() -> None:
    found = fit_people(PEOPLE, FitSettings(MODELS), risky=False)
    by_key = {(each.person, each.model): each for each in found}
    assert len(by_key) == 4
    assert by_key["near", "local_search"].r2 > 0.3 > by_key["far", "local_search"].r2
    assert by_key["near", "local_search"].clicks == 10
    order = fits_of(found)
    assert order.models[0].r2.mean >= order.models[1].r2.mean
    assert sum(each.best for each in order.models) == len(PEOPLE)


def test_a_second_run_takes_all_fits_from_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = FitSettings(MODELS, file=tmp_path / "fits.jsonl")
    first = fit_people(PEOPLE, settings, risky=False)
    done: list[Problem] = []

    def watched(problem: Problem) -> object:
        done.append(problem)
        return cross_validate(problem)

    monkeypatch.setattr(fits, "cross_validate", watched)
    assert fit_people(PEOPLE, settings, risky=False) == first
    assert done == []


def test_other_clicks_are_another_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = FitSettings(("local_search",), file=tmp_path / "fits.jsonl")
    first = fit_people(PEOPLE, settings, risky=False)
    own = PEOPLE[0]
    moved = replace(own, rounds=(made_round([0, 1, 2, 7, 7, 5], [50, 60, 75, 90, 91, 70]), own.rounds[1]))
    changed = fit_people([moved], settings, risky=False)
    assert changed[0].ll != first[0].ll
