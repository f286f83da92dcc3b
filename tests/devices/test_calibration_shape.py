"""Points that no valve can have are told, and those of valves are not."""

import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.config.inheritance import load_config
from rig.config.read_calibration import load_calibration
from rig.devices.calibration_shape import Point, implausible_points
from tests.tables import rows

ROOT = Path(__file__).parents[2]
SHIPPED = [path for folder in ("configs", "docs") for path in sorted((ROOT / folder).rglob("calibrations/*.yaml"))]
GOOD = ((20.0, 1.1), (40.0, 2.5), (60.0, 3.8))


def indices(points: tuple[Point, ...]) -> list[int]:
    return [index for index, _ in implausible_points(points)]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_no_shipped_calibration_is_implausible(path: Path) -> None:
    load_calibration(path)
    points = load_config(path).data["points"]
    assert indices(tuple((point["open_ms"], point["ul"]) for point in points)) == []


@rows("points", "at")
def test_a_point_that_no_valve_gives_beside_the_others_is_told(points: tuple[Point, ...], at: list[int]) -> None:
    assert indices(points) == at


def test_a_bend_is_told_with_its_neighbors_and_what_is_plausible() -> None:
    ((_, text),) = implausible_points(((20, 1.1), (40, 9.0), (60, 9.1)))
    assert text == (
        "9 ul is +76 % off the straight line from 1.1 ul (20 ms) to 9.1 ul (60 ms): no valve bends so "
        "(-45 to +25 % are plausible)."
    )


def test_a_drop_without_an_opening_is_told() -> None:
    ((_, text),) = implausible_points(((20, 3.0), (40, 3.2)))
    assert text == (
        "3 ul in 20 ms and 3.2 ul in 40 ms cannot be of one valve: their line gives 2.8 ul without an opening."
    )


@given(
    st.floats(-10, 15),
    st.floats(0.01, 0.9),
    st.lists(st.sampled_from((20.0, 25.0, 30.0, 40.0, 60.0, 80.0, 120.0, 160.0, 200.0)), min_size=2, unique=True),
    st.data(),
)
def test_no_valve_with_a_dead_time_and_weighing_errors_is_refused(
    dead_ms: float, rate: float, open_ms: list[float], data: st.DataObject
) -> None:
    points = tuple((ms, rate * (ms - dead_ms) * data.draw(st.floats(0.97, 1.03))) for ms in sorted(open_ms))
    if all(before[1] < after[1] for before, after in pairwise(points)):
        assert indices(points) == []


@pytest.mark.parametrize("open_ms", [(20, 40, 60, 80), (10, 20, 40, 80), (20, 40, 60), (15, 30, 45, 60, 75, 90)])
def test_of_rising_points_with_five_percent_of_error_fewer_than_one_in_a_thousand_calibrations_are_refused(
    open_ms: tuple[float, ...],
) -> None:
    chance, refused, count = random.Random(1), 0, 20_000
    for _ in range(count):
        dead_ms, rate = chance.uniform(3, min(20, open_ms[0] - 1)), chance.uniform(0.03, 0.6)
        points = [(ms, rate * (ms - dead_ms) * chance.gauss(1, 0.05)) for ms in open_ms]
        rises = all(before[1] < after[1] for before, after in pairwise(points))
        refused += rises and any(implausible_points(points))
    assert refused < count / 1_000


@pytest.mark.parametrize("short_ul", [0.6, 0.75, 0.9, 1.1])
def test_a_valve_that_does_not_open_fully_for_the_shortest_time_is_plausible(short_ul: float) -> None:
    assert indices(((20.0, short_ul), *GOOD[1:])) == []
