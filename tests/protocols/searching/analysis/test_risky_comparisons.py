"""Tests of the risky bandit: what counts as a score, and each person's own correlations."""

from dataclasses import replace

import numpy as np
import pytest

from protocols.searching.analysis.comparisons import Comparison
from protocols.searching.analysis.risky_comparisons import risky_comparisons
from protocols.searching.analysis.rounds import GridPerson
from rig.analysis.common.t_tests import TTest
from tests.protocols.searching.analysis.made import person, risky_round


def named(people: list[GridPerson]) -> dict[str, Comparison]:
    return {each.name: each for each in risky_comparisons(people)}


def t_test(people: list[GridPerson], name: str) -> TTest:
    found = named(people)[name].t_test
    assert found is not None
    return found


def mixed(number: int) -> GridPerson:
    """A person who loses a risky round at its second click of four, and earns less at each click of a safe one."""
    lost = risky_round([10, 11, 12], [6, 8 + 0.1 * number, 2], 5.0, horizon=4)
    safe = risky_round([10, 11, 12, 13, 14], [6, 6, 4, 2, 4], 5.0, horizon=4)
    return person(lost, replace(safe, risky=False, kept=np.full(5, True), end="all_clicks"), name=f"P{number}")


PEOPLE = [mixed(number) for number in range(3)]


def test_a_lost_round_has_a_lower_score_and_a_higher_gain_than_a_safe_one() -> None:
    assert t_test(PEOPLE, "score: risky - safe rounds").difference == pytest.approx(8.1 / 4 - 4)
    assert t_test(PEOPLE, "gain: risky - safe rounds").difference == pytest.approx(8.1 - 4)


def test_score_and_gain_are_compared_with_what_a_random_click_keeps_and_gives() -> None:
    # The values are 0, 0.5, ... 10: a random click gives 5, and keeps 82.5 / 21 of it in the risky round.
    people = named(PEOPLE)
    score, gain = (people[f"{name}: people - a random click"].t_test for name in ("score", "gain"))
    assert score is not None
    assert gain is not None
    assert score.difference == pytest.approx((8.1 / 4 + 4) / 2 - (82.5 / 21 + 5) / 2)
    assert gain.difference == pytest.approx((8.1 + 4) / 2 - 5)


def test_the_first_click_is_compared_with_the_revealed_tile() -> None:
    risky = t_test(PEOPLE, "value: first click - revealed tile, risky rounds")
    assert risky.difference == pytest.approx(2.1)
    assert risky.n == (3,)


def test_the_clicks_of_risky_rounds_are_compared_with_those_of_random_choices() -> None:
    longer = [*PEOPLE[:2], person(risky_round([10, 11, 12, 13], [6, 8, 8, 2], 5.0, horizon=4), name="P9")]
    below = 10 / 21
    expected = (1 - (1 - below) ** 4) / below
    found = t_test(longer, "clicks of risky rounds: people - random choices")
    assert found.difference == pytest.approx((2 + 2 + 3) / 3 - expected)


def test_each_person_has_a_correlation_with_the_trial_of_its_own() -> None:
    rising = [person(risky_round([10, 11, 12, 13], [6, 6, 7, 8 + n], 5.0), name=f"P{n}") for n in range(2)]
    falling = person(risky_round([10, 11, 12, 13], [6, 8, 7, 6], 5.0), name="P2")
    found = t_test([*rising, falling], "reward and trial, r of each person")
    r = [np.corrcoef([1, 2, 3], values)[0, 1] for values in ([6, 7, 8], [6, 7, 9], [8, 7, 6])]
    assert found.n == (3,)
    assert found.difference == pytest.approx(np.mean(r))


def test_correlations_with_the_trial_are_given_for_each_kind_of_round() -> None:
    safe = named(PEOPLE)["reward and trial, r of each person, safe rounds"]
    assert safe.t_test is None  # all three are the same
    assert "distance and trial, r of each person, risky rounds" in named(PEOPLE)


def test_score_and_distance_are_correlated_with_the_share_of_tiles_below_the_line() -> None:
    people = [person(risky_round([10, 11, 12], [9, 9, 9], level, horizon=2), name=f"P{level}") for level in (4, 5, 6)]
    people[0] = person(risky_round([10, 13, 12], [9, 6, 9], 4, horizon=2), name="P4")
    found = named(people)["score and share of tiles below the line"].correlation
    assert found is not None
    assert found.r == pytest.approx(np.corrcoef([8, 10, 12], [7.5, 9, 9])[0, 1])
