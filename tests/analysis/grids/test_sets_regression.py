"""The regression on SafeOpt's sets: people who avoid risk choose safe tiles."""

import numpy as np
import pytest

from rig.analysis.grids.rounds import GridPerson
from rig.analysis.grids.sets_regression import INTERACTION, sets_regression
from rig.grids.places import Grid
from tests.analysis.grids.made import person, risky_round

LINE = Grid(21)


def careful(number: int, step: int) -> GridPerson:
    """A person who moves at most ``step`` points from the one shown, on a hill around the middle."""
    draw = np.random.default_rng(number)
    value = 9 * np.exp(-((LINE.x - 10) ** 2) / 30)
    rounds = []
    for _ in range(3):
        tiles = [10]
        while len(tiles) < 9 and value[tiles[-1]] >= 5:
            tiles.append(int(np.clip(tiles[-1] + draw.integers(-step, step + 1), 0, 20)))
        rounds.append(risky_round(tiles, value[tiles], 5.0))
    return person(*rounds, name=f"P{number}", payoff="", environments="")


def test_people_who_stay_near_choose_safe_tiles() -> None:
    found = sets_regression([careful(number, 1) for number in range(4)], lam=4.0)
    assert found is not None
    assert found.names[:2] == ("intercept", "safe")
    assert found.value[1] > 1
    assert found.subjects == 4
    assert INTERACTION not in found.names


def test_people_who_go_further_choose_fewer_safe_tiles() -> None:
    near, further = (sets_regression([careful(number, step) for number in range(4)], lam=4.0) for step in (1, 4))
    assert near is not None
    assert further is not None
    assert further.value[1] < near.value[1]


def test_rounds_without_a_line_have_no_sets() -> None:
    assert sets_regression([], None) is None


@pytest.mark.parametrize("lam", [None, 2.0])
def test_every_tile_before_every_click_is_an_answer(lam: float | None) -> None:
    people = [careful(number, 2) for number in range(3)]
    found = sets_regression(people, lam)
    assert found is not None
    assert found.answers == 21 * sum(each.clicks for one in people for each in one.rounds)
