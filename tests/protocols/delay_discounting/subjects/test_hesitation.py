"""How much a rat hesitates: most where it adjusts, where the delay is long, and where the maze is new."""

import random
import statistics
from typing import Any

import pytest

from protocols.delay_discounting.subjects.choice import TitrationChoices, TitrationParams
from protocols.delay_discounting.subjects.hesitation import HesitationParams, draw_hesitation


def rat(sides: str = "lrlrlrlrlrlr", delay_s: int = 7) -> TitrationChoices:
    """Return a rat after laps to these sides; the left one is the delayed one."""
    titration = TitrationChoices(TitrationParams(), random.Random(1))
    for letter in sides:
        left = letter == "l"
        titration.update("left" if left else "right", delay_s if left else 1, 3 if left else 1)
    return titration


def drawn(titration: TitrationChoices, side: str, **params: Any) -> list[float]:
    draw = random.Random(2)
    return [draw_hesitation(HesitationParams(**params), titration, side, draw) for _ in range(2000)]


def median(titration: TitrationChoices, side: str) -> float:
    return statistics.median(drawn(titration, side, exploring=0, novelty=0))


def test_it_hesitates_by_degrees_and_on_some_alternation_laps_it_looks_to_the_sides() -> None:
    looks = drawn(rat(), "left", exploring=0, novelty=0)
    assert statistics.median(looks) == pytest.approx(0.2, abs=0.02)
    assert 0.04 < statistics.mean(look >= 1 for look in looks) < 0.12


def test_it_hesitates_more_where_it_adjusts_and_most_where_the_adjustment_stands_alone() -> None:
    alternates, alone, crowded = median(rat(), "left"), median(rat(), "right"), median(rat("lrllrrlrllrr"), "right")
    assert alternates < crowded < alone
    assert alone == pytest.approx(4.5 * alternates, rel=0.1)


def test_it_hesitates_more_the_longer_the_delay_is() -> None:
    assert median(rat(delay_s=28), "left") > 1.5 * median(rat(delay_s=7), "left")


def test_it_explores_more_in_the_first_laps_whatever_it_chooses() -> None:
    def explored(sides: str) -> float:
        return statistics.mean(hesitation >= 4 for hesitation in drawn(rat(sides), "left", hesitation=0))

    assert explored("r") == pytest.approx(0.045, abs=0.01)
    assert explored("lr" * 40) == pytest.approx(0.02, abs=0.01)


def test_it_explores_a_maze_of_which_it_knows_no_delay() -> None:
    assert statistics.median(drawn(TitrationChoices(TitrationParams(), random.Random(1)), "left")) > 0
