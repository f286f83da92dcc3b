"""The whole report: tables, JSON and figures of both tasks, without scipy too."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from matplotlib.text import Text

from protocols.searching.analysis.analysis import GridBanditAnalysis, RiskyBanditAnalysis, models
from protocols.searching.analysis.belief_figure import belief_figure
from protocols.searching.analysis.fits import PersonFit, fits_of
from protocols.searching.analysis.models import GRID_MODELS, MODELS, RISKY_MODELS
from protocols.searching.analysis.report import GridReport
from protocols.searching.analysis.rounds import LEFT, GridPerson, GridVisit
from rig.analysis.common.arrays import plain
from rig.analysis.common.plugin import Source
from rig.core.errors import ConfigError
from tests.protocols.searching.analysis.made import careful, made_round, person, risky_round

SHORT = [0, 1, 2, 7, 7, 6], [50, 60, 75, 90, 91, 70]
LONG = [0, 6, 12, 18, 24, 23, 22], [10, 20, 30, 40, 55, 60, 20]
GIVEN = {"fit": None, "jobs": 0, "fits": None, "seed": 1, "recovery": 0, "lambda": None}


def searcher(number: int) -> GridPerson:
    payoff, environments = ("average", "maximum")[number % 2], ("smooth", "rough")[number // 2 % 2]
    condition = f"{payoff}-{environments}"
    rounds = [
        made_round(tiles, [value - number * (len(drawn) - 5) for value in drawn], condition=condition)
        for tiles, drawn in (SHORT, SHORT, LONG, LONG)
    ]
    return person(*rounds, name=f"P{number}", payoff=payoff, environments=environments)


def mixed(number: int) -> GridPerson:
    whole = careful(number, 2)
    safe = replace(whole.rounds[0], risky=False, condition="safe", threshold=None, number=4)
    return replace(whole, rounds=(*whole.rounds, safe), lam=4.0)


def report(people: list[GridPerson], *, risky: bool = False, fits: bool = True, **given: Any) -> GridReport:
    sources = [Source(Path(each.name), GridVisit(each.name, (each,))) for each in people]
    kind = RiskyBanditAnalysis if risky else GridBanditAnalysis
    return kind({**GIVEN, **given}).report(sources, fits=fits)


def text_of(found: GridReport) -> str:
    return "\n".join(" | ".join(row) for table in found.tables() for row in [(table.title,), *table.rows])


@pytest.mark.parametrize("risky", [False, True])
def test_without_a_complete_round_that_is_said(*, risky: bool) -> None:
    left = person(made_round(*SHORT, end=LEFT))
    with pytest.raises(ConfigError, match="P1: has no complete round: wanted at least one"):
        report([left], risky=risky)


def test_the_conditions_of_the_study_are_groups_and_are_compared() -> None:
    found = report([searcher(number) for number in range(8)])
    assert list(found.found.groups) == ["average-rough", "average-smooth", "maximum-rough", "maximum-smooth"]
    names = [each.name for each in found.found.comparisons]
    assert "reward: average - maximum" in names
    assert "largest: long - short horizon" in names
    assert "largest: long - short horizon, as two groups" in names
    assert "reward and round, means over people" in names
    assert "horizon 6: reward" in text_of(found)
    assert json.dumps(plain(found.document()))
    assert [name for name, _ in found.figures()] == ["curves", "search", "conditions"]


def test_fits_are_in_the_report() -> None:
    found = report([searcher(number) for number in range(2)], fit=("local_search", "wsls"))
    assert found.found.fits is not None
    assert [each.model for each in found.found.fits.models] == ["local_search", "wsls"]
    assert "cross-validated models, 2 people" in text_of(found)
    assert json.dumps(plain(found.document()))
    assert [name for name, _ in found.figures()] == ["curves", "search", "conditions", "simulated", "models"]


def test_a_risky_report_has_rounds_sets_and_tests_of_both_kinds() -> None:
    found = report([mixed(number) for number in range(3)], risky=True)
    assert list(found.found.groups) == ["risky", "safe"]
    assert found.found.sets is not None
    assert found.found.sets.names[-1] == "safe x no risk"
    names = [each.name for each in found.found.comparisons]
    assert "distance: people - random choices" in names
    assert "clicks of risky rounds: people - random choices" in names
    assert "score: people - a random click" in names
    assert "gain: risky - safe rounds" in names
    assert [name for name, _ in found.figures()] == ["curves", "search", "rounds", "sets"]


def test_a_fitted_model_plays_the_rounds_of_the_people_to_whom_it_was_fitted() -> None:
    found = report([mixed(number) for number in range(2)], risky=True, fit=("gp_pos",))
    risky = found.found.fitted_rounds["risky"]
    assert (risky.people.people, risky.model.people) == (2, 2)
    assert risky.people.rounds < risky.model.rounds
    assert json.dumps(plain(found.document()))
    assert [name for name, _ in found.figures()][-2:] == ["played", "lambda"]


def test_without_scipy_there_are_means_and_no_tests() -> None:
    found = report([mixed(number) for number in range(2)], risky=True, fits=False)
    assert found.found.comparisons == ()
    assert found.found.sets is None
    assert "reward of a click" in text_of(found)


def test_a_round_that_was_left_is_noted() -> None:
    rounds = (made_round(*SHORT), made_round(*SHORT, end="left"))
    found = report([person(*rounds)])
    assert [note for note in found.notes if "round 2 was left" in note]


def test_a_report_of_nobody_is_refused() -> None:
    with pytest.raises(ConfigError, match="has no click on a tile"):
        report([person()])


def test_one_person_with_one_short_risky_round_has_a_report() -> None:
    found = report([person(risky_round([10, 11], [6, 3], 5.0), payoff="", environments="")], risky=True)
    assert text_of(found)
    assert len(list(found.figures())) == 3


def test_models_are_named_one_by_one_or_by_study() -> None:
    assert models("grid") == GRID_MODELS
    assert models("risky,wsls") == (*RISKY_MODELS, "wsls")
    assert set(models("all")) == set(MODELS)
    assert models("gp_ucb,gp_ucb") == ("gp_ucb",)
    with pytest.raises(ValueError, match="names of models with commas"):
        models("gp_usb")


def test_people_to_whom_no_model_can_be_fitted_are_named() -> None:
    one = person(made_round(*SHORT), name="P9")
    found = report([one], fit=("wsls",))
    assert list(found.notes) == ["P9: no model is fitted: wanted two rounds of one horizon whose rewards are all known"]


def test_the_belief_about_a_grid_is_drawn_with_the_medians_or_the_own_parameters() -> None:
    long = person(made_round([*range(12), 3], [10 * tile for tile in range(13)]), name="P1")
    names = [name for name, _ in report([long]).figures()]
    assert "belief" in names
    own = PersonFit("P1", "gp_ucb", 12, -9.0, 0.1, {}, {"lambda": 0.5, "beta": 0.4, "tau": 0.1}, ())
    drawn = belief_figure([long], fits_of([own]))
    assert drawn is not None
    assert any("gp_ucb, fitted: lambda 0.5" in text.get_text() for text in drawn.findobj(Text))
    assert belief_figure([person(made_round(*SHORT))], None) is None
