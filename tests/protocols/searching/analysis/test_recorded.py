"""Rounds from the lines of a journal, also of one that was broken off or made up."""

from typing import Any

import numpy as np
import pytest

from protocols.searching.analysis.random_choices import share_below
from protocols.searching.analysis.recorded import of_session
from protocols.searching.grids.places import Grid
from rig.core.errors import ConfigError
from rig.core.journal.kinds import SessionLine, TrialLine
from tests.protocols.searching.analysis.journal_rows import click, round_line
from tests.records.session_of_lines import SessionOfLines

PLAN = {
    "environments": [[0.0, 0.2, 0.4, 0.6], [0.1, 0.2, 0.3, 0.8]],
    "rounds": [{"environment": 1, "scale": 100.0, "level": 25.0}, {"environment": 0, "scale": 100.0, "level": None}],
}


def session(*lines: SessionLine, **fields: Any) -> SessionOfLines:
    params = {"width": 2, "height": 2, "payoff": "maximum"}
    return SessionOfLines("P1/2026-11-26/001", *lines, **{"params": params, **fields})


def test_a_round_has_its_revealed_tile_then_its_clicks() -> None:
    (person,) = of_session(session(click(1, 1, 0, 20), click(1, 2, 1, 30), round_line(1))).people
    (own,) = person.rounds
    assert own.grid == Grid(2, 2)
    assert own.tile.tolist() == [3, 0, 1]
    assert own.drawn.tolist() == [81, 20, 30]
    assert own.time_s.tolist() == [5, 11, 12]
    assert (own.clicks, own.horizon, own.bonus, own.guess, own.scale, own.environment) == (2, 2, 0.12, None, 70, 1)
    assert (person.payoff, own.complete, own.risky) == ("maximum", True, False)


def test_a_risky_round_has_its_line_and_the_values_of_its_tiles() -> None:
    lost = click(1, 1, 0, 20, kept=0, threshold=25.0, condition="risky")
    (person,) = of_session(session(lost, round_line(1, risk="risky", end="below"), drawn=PLAN)).people
    (own,) = person.rounds
    assert (own.risky, own.threshold, own.level, own.end) == (True, 25.0, 25.0, "below")
    assert own.reward.tolist() == [0]
    assert own.values is not None
    assert own.values.tolist() == [10, 20, 30, 80]


def test_a_safe_round_keeps_the_level_that_counts_nothing() -> None:
    (person,) = of_session(session(click(1, 1, 0, 20), round_line(1), drawn=PLAN)).people
    assert (person.rounds[0].threshold, person.rounds[0].level) == (None, 25.0)


def test_the_values_of_the_grid_bandit_are_those_of_rewards_that_are_not_rescaled() -> None:
    plan = {"environments": [[0.1, 0.2, 0.3, 1.0]], "rounds": [{"environment": 0, "scale": 70.0, "level": None}]}
    (person,) = of_session(session(click(1, 1, 0, 60), round_line(1), drawn=plan)).people
    assert person.rounds[0].values is not None
    assert person.rounds[0].values.tolist() == [10, 20, 30, 100]


def test_a_round_that_was_broken_off_has_its_clicks_alone() -> None:
    (person,) = of_session(session(click(1, 1, 0, 20), click(1, 2, 1, 30))).people
    assert person.rounds[0].tile.tolist() == [0, 1]
    assert not person.rounds[0].complete


def test_a_session_without_a_click_has_no_round() -> None:
    assert of_session(session(round_line(1))).people[0].rounds == ()


@pytest.mark.parametrize(("kernel", "lam"), [("footnote", 2.0), ("wu", 8.0), ("unit", 2.0), ("flat", None), (7, None)])
def test_lambda_is_read_as_the_task_reads_it(kernel: object, lam: float | None) -> None:
    params = {"width": 2, "height": 2, "lam": 2.0, "kernel": kernel}
    assert of_session(session(click(1, 1, 0, 20), round_line(1), params=params)).people[0].lam == lam


@pytest.mark.parametrize(
    "header", [{"drawn": {"rounds": 7}}, {"drawn": {"rounds": "x"}}, {"params": {"width": -2, "height": "a"}}]
)
def test_a_header_of_something_else_does_no_harm(header: dict[str, Any]) -> None:
    (person,) = of_session(session(click(1, 1, 0, 20), click(1, 2, 3, 30), round_line(1), **header)).people
    assert person.rounds[0].tile.tolist() == [3, 0, 3]


@pytest.mark.parametrize("wrong", [{"tile": 9}, {"tile": -1}, {"tile": "x"}, {"round": None}, {"horizon": 2e30}])
def test_rows_that_cannot_be_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="P1/2026-11-26/001: "):
        of_session(session(TrialLine(0, {**click(1, 1, 0, 20).row, **wrong}), round_line(1)))


@pytest.mark.parametrize("tile", ["7", [3], {}, True])
def test_a_revealed_tile_that_is_no_number_is_unknown(tile: object) -> None:
    (person,) = of_session(session(click(1, 1, 0, 20), round_line(1, initial_tile=tile))).people
    assert person.rounds[0].tile.tolist() == [0]


@pytest.mark.parametrize("value", ["", "x", [1], {}])
def test_a_value_of_a_round_that_is_no_number_is_unknown(value: object) -> None:
    made_up = round_line(1, t_began=value, initial_drawn=value, initial_shown=value, initial_latent=value)
    (person,) = of_session(session(click(1, 1, 0, 20), made_up)).people
    assert np.isnan([person.rounds[0].drawn[0], person.rounds[0].time_s[0]]).all()


def test_a_reward_on_the_line_is_not_below_it_however_it_is_rounded() -> None:
    plan = {"environments": [[0.29, 0.57, 0.58, 1.0]], "rounds": [{"environment": 0, "scale": 100.0, "level": 57.0}]}
    (person,) = of_session(session(click(1, 1, 0, 60), round_line(1), drawn=plan)).people
    assert share_below(person.rounds[0]) == 0.25
