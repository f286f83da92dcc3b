"""Fits of people: R², medians, the order of models, and a file to go on from."""

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from protocols.searching.analysis import fits
from protocols.searching.analysis.cross_validation import Problem, cross_validate
from protocols.searching.analysis.fits import FitSettings, fit_people, fits_of, r_squared
from rig.analysis.common.jobs import read_results
from rig.core.errors import ConfigError
from tests.protocols.searching.analysis.made import made_round, person

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
    assert math.isnan(r_squared(0.0, 6, 1))


def test_no_model_is_fitted_to_a_round_with_unknown_rewards() -> None:
    unknown = made_round([0, 1, 2], [math.nan] * 3)
    whole = PEOPLE[0]
    assert fit_people([person(unknown, unknown)], FitSettings(("wsls",)), risky=False) == []
    (fit,) = fit_people([person(*whole.rounds, unknown)], FitSettings(("wsls",)), risky=False)
    assert [fold.round for fold in fit.folds] == [1, 2]


@pytest.mark.parametrize("result", [{}, {"folds": 3}, {"folds": [{"block": "5"}]}, {"folds": [{"ll": "a"}]}])
def test_a_kept_fit_that_was_changed_is_refused(tmp_path: Path, result: dict[str, object]) -> None:
    file = tmp_path / "fits.jsonl"
    settings = FitSettings(("wsls",), 0, file)
    fit_people(PEOPLE[:1], settings, risky=False)
    (key,) = read_results(file)
    file.write_text(json.dumps({"key": key, "result": result}) + "\n")
    with pytest.raises(ConfigError, match="--fits: the fit of wsls to near is not one of this program"):
        fit_people(PEOPLE[:1], settings, risky=False)


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
