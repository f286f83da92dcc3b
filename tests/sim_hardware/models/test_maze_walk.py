"""Ways through a T-maze: ballistic ones, and those that look from side to side."""

import math
import random
from itertools import pairwise

import pytest

from sim_hardware.models.maze_walk import ARM_CM, STEM_CM, Pass, plan_pass, way_back
from sim_hardware.trajectory import Trajectory

SIDES = [("left", -1), ("right", 1)]


def turning(way: Pass) -> float:
    """Sum up how much the direction changes on the way, at 60 Hz."""
    trajectory = Trajectory()
    trajectory.add(*way.points)
    where = [(point.x_cm, point.y_cm) for point in trajectory.samples(way.reaches_choice_s, way.reaches_site_s)]
    headings = [math.atan2(y2 - y1, x2 - x1) for (x1, y1), (x2, y2) in pairwise(where) if (x1, y1) != (x2, y2)]
    return sum(abs(math.remainder(after - before, math.tau)) for before, after in pairwise(headings))


@pytest.mark.parametrize(("side", "sign"), SIDES)
@pytest.mark.parametrize("looks", [False, True])
def test_a_way_leads_from_the_start_past_the_choice_point_to_the_end_of_its_arm(
    side: str, sign: int, looks: bool
) -> None:
    for seed in range(50):
        way = plan_pass(random.Random(seed), side, looks=looks)
        assert (way.points[0].x_cm, way.points[0].y_cm) == (0, 0)
        assert (way.points[-1].x_cm, way.points[-1].y_cm) == (sign * ARM_CM, STEM_CM)
        times = [way.leaves_start_s, way.reaches_choice_s, way.leaves_choice_s, way.reaches_site_s]
        assert times == sorted(times)
        assert all(before.t_s <= after.t_s for before, after in pairwise(way.points))


def test_a_ballistic_way_turns_a_quarter_and_one_that_looks_turns_much_more() -> None:
    draws = [random.Random(seed) for seed in range(50)]
    straight = [turning(plan_pass(draw, "left", looks=False)) for draw in draws]
    looking = [turning(plan_pass(draw, "left", looks=True)) for draw in draws]
    assert max(straight) < math.pi / 2 + 0.2
    assert min(looking) > 3 * max(straight)


def test_a_ballistic_way_is_walked_at_24_to_34_cm_a_second() -> None:
    for seed in range(50):
        way = plan_pass(random.Random(seed), "right", looks=False)
        assert 24 <= 20 / way.leaves_start_s <= 34


@pytest.mark.parametrize(("side", "sign"), SIDES)
def test_the_way_back_takes_as_long_as_it_is_given(side: str, sign: int) -> None:
    first, corner, last = way_back(side, 100, 12)
    assert (first.t_s, first.x_cm, last) == (100, sign * ARM_CM, (112, 0, 0))
    assert 100 < corner.t_s < 112
