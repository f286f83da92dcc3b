"""What random clicks earn, and how far they get."""

import math
from dataclasses import replace

import numpy as np
import pytest

from protocols.searching.analysis.random_choices import (
    over_rounds,
    random_clicks,
    random_outcome,
    random_reached,
    random_reward,
    share_below,
)
from tests.protocols.searching.analysis.made import risky_round

RISKY = risky_round([10, 11], [6, 7], 5.0, horizon=3, values=np.array([1.0, 3.0, 6.0, 10.0]))
SAFE = replace(RISKY, risky=False, threshold=None)
UNKNOWN = replace(RISKY, values=None)


def test_a_risky_round_keeps_what_is_above_the_line() -> None:
    assert share_below(RISKY) == 0.5
    assert random_outcome(RISKY) == 5
    assert random_reward(RISKY) == 4


def test_random_choices_reach_each_click_of_a_risky_round_less_often() -> None:
    assert random_reached(RISKY).tolist() == [1, 0.5, 0.25]
    assert random_clicks(RISKY) == pytest.approx((1 - 0.5**3) / 0.5)


def test_a_safe_round_keeps_everything_and_is_never_lost() -> None:
    assert random_reward(SAFE) == random_outcome(SAFE) == 5
    assert random_clicks(SAFE) == 3


def test_without_an_environment_nothing_is_known() -> None:
    for of_round in (share_below, random_outcome, random_reward, random_clicks):
        assert math.isnan(of_round(UNKNOWN))
        assert over_rounds([UNKNOWN, RISKY], of_round) == of_round(RISKY)
