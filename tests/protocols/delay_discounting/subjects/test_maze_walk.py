"""Ways through a T-maze: ballistic ones, weaving ones, and those that look from side to side."""

import math
import random
import statistics
from itertools import pairwise

import pytest

from protocols.delay_discounting.subjects.maze_walk import ARM_CM, MOST_LOOKS, STEM_CM, MazePass, plan_pass, way_back
from sim_hardware.world.trajectory import Trajectory, TrajectoryPoint

SIDES = [("left", -1), ("right", 1)]


def turning(way: MazePass) -> float:
    """Sum up how much the direction changes on the way, at 60 Hz."""
    trajectory = Trajectory()
    trajectory.add(*way.points)
    where = [(point.x_cm, point.y_cm) for point in trajectory.samples(way.reaches_choice_s, way.reaches_site_s)]
    headings = [math.atan2(y2 - y1, x2 - x1) for (x1, y1), (x2, y2) in pairwise(where) if (x1, y1) != (x2, y2)]
    return sum(abs(math.remainder(after - before, math.tau)) for before, after in pairwise(headings))


@pytest.mark.parametrize(("side", "sign"), SIDES)
@pytest.mark.parametrize("hesitation", [0.0, 0.5, 3.0, 100.0])
def test_a_way_leads_from_the_start_past_the_choice_point_to_the_end_of_its_arm(
    side: str, sign: int, hesitation: float
) -> None:
    for seed in range(50):
        way = plan_pass(random.Random(seed), side, hesitation=hesitation)
        assert (way.points[0].x_cm, way.points[0].y_cm) == (0, 0)
        assert (way.points[-1].x_cm, way.points[-1].y_cm) == (sign * ARM_CM, STEM_CM)
        times = [way.leaves_start_s, way.reaches_choice_s, way.leaves_choice_s, way.reaches_site_s]
        assert times == sorted(times)
        assert all(before.t_s <= after.t_s for before, after in pairwise(way.points))


def test_a_ballistic_way_turns_a_quarter_and_one_with_looks_turns_much_more() -> None:
    draws = [random.Random(seed) for seed in range(50)]
    straight = [turning(plan_pass(draw, "left", hesitation=0)) for draw in draws]
    looking = [turning(plan_pass(draw, "left", hesitation=2)) for draw in draws]
    assert max(straight) < math.pi / 2 + 0.2
    assert min(looking) > 3 * max(straight)


def test_the_more_a_rat_hesitates_the_more_it_turns_without_a_gap() -> None:
    levels = (0, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 3, 4)
    means = [
        statistics.mean(turning(plan_pass(random.Random(seed), "left", hesitation=level)) for seed in range(50))
        for level in levels
    ]
    assert means == sorted(means)
    assert all(after - before < 6 for before, after in pairwise(means))


def test_a_ballistic_way_is_walked_at_24_to_34_cm_a_second() -> None:
    for seed in range(50):
        way = plan_pass(random.Random(seed), "right", hesitation=0)
        assert 24 <= 20 / way.leaves_start_s <= 34


def looks(way: MazePass) -> list[list[TrajectoryPoint]]:
    """Divide a pass at the T into its looks: stretches off the middle of the stem, each from and to it."""
    at_t = [point for point in way.points if way.reaches_choice_s < point.t_s and point.y_cm < STEM_CM - 1.5]
    middle = [place for place, point in enumerate(at_t) if abs(point.x_cm) < 1e-9]
    return [at_t[first : last + 1] for first, last in pairwise(middle) if last - first > 1]


@pytest.mark.parametrize(("hesitation", "count"), [(1.0, 1), (2.9, 2), (4.0, 4), (100.0, MOST_LOOKS)])
def test_a_rat_that_looks_stops_and_swings_in_turn_as_often_as_it_hesitates(hesitation: float, count: int) -> None:
    for seed in range(100):
        swings = looks(plan_pass(random.Random(seed), "left", hesitation=hesitation))
        assert len(swings) == count
        sides = [max(swing, key=lambda point: abs(point.x_cm)).x_cm for swing in swings]
        assert all(6 <= abs(x_cm) <= 10 for x_cm in sides)
        assert all(before * after < 0 for before, after in pairwise(sides))
        for swing in swings:
            far = [point.t_s for point in swing if abs(point.x_cm) > 0.999 * max(abs(each.x_cm) for each in swing)]
            assert 0.3 <= far[0] - swing[0].t_s <= 0.6
            assert 0.1 <= far[-1] - far[0] <= 0.3


@pytest.mark.parametrize(("side", "sign"), SIDES)
def test_the_way_back_takes_as_long_as_it_is_given(side: str, sign: int) -> None:
    first, end, corner, last = way_back(side, TrajectoryPoint(100, sign * ARM_CM, STEM_CM), 12)
    assert first == end == (100, sign * ARM_CM, STEM_CM)
    assert last == (112, 0, 0)
    assert 100 < corner.t_s < 112


def test_the_way_back_begins_where_the_rat_is_and_is_walked_steadily() -> None:
    way = way_back("right", TrajectoryPoint(50, 100, STEM_CM), 10)
    speeds = [math.dist(before[1:], after[1:]) / (after.t_s - before.t_s) for before, after in pairwise(way)]
    assert speeds == pytest.approx([(28 + STEM_CM + ARM_CM) / 10] * 3)
