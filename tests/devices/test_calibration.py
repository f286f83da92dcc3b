"""How long a valve must open: measured, interpolated, never guessed."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.errors import CalibrationError
from rig.devices.calibration import Calibration

POINTS = ((20_000, 1.1), (40_000, 2.5), (60_000, 3.8))


def calibration(points: Any = POINTS) -> Calibration:
    return Calibration("left_2026-11-03", "left", "2026-11-03", points)


@pytest.mark.parametrize(
    ("ul", "open_us"), [(1.1, 20_000), (1.8, 30_000), (2.5, 40_000), (3.15, 50_000), (3.8, 60_000)]
)
def test_between_two_points_the_curve_is_a_straight_line(ul: float, open_us: int) -> None:
    assert calibration().open_us(ul) == open_us
    assert calibration().ul(open_us) == pytest.approx(ul)


@pytest.mark.parametrize("ul", [1.0999, 3.8001, 0, -1, 100])
def test_a_volume_outside_what_was_measured_is_refused(ul: float) -> None:
    with pytest.raises(CalibrationError) as caught:
        calibration().open_us(ul)
    assert str(caught.value) == (
        f"valve 'left' (calibration left_2026-11-03 of 2026-11-03): {ul:g} µl is not in the measured range, "
        "1.1 to 3.8 µl; measure the valve at that volume, or change the volume"
    )


@pytest.mark.parametrize("open_us", [19_999, 60_001, 0])
def test_an_opening_outside_what_was_measured_is_refused(open_us: int) -> None:
    with pytest.raises(CalibrationError, match="µs is not in the measured range, 20000 to 60000 µs"):
        calibration().ul(open_us)


def test_what_is_not_a_number_is_refused() -> None:
    with pytest.raises(CalibrationError):
        calibration().open_us(float("nan"))


@pytest.mark.parametrize(
    "points",
    [
        (),
        ((20_000, 1.1),),
        ((20_000, 1.1), (20_000, 2.5)),
        ((20_000, 1.1), (40_000, 1.1)),
        ((40_000, 1.1), (20_000, 2.5)),
        ((20_000, 2.5), (40_000, 1.1)),
        ((20_000, float("nan")), (40_000, 1.1)),
    ],
)
def test_points_that_are_no_growing_curve_are_refused(points: Any) -> None:
    with pytest.raises(CalibrationError, match="two or more points are needed, each longer and larger than the last"):
        calibration(points)


def test_a_point_that_no_file_may_have_is_refused_in_a_journal_too() -> None:
    with pytest.raises(CalibrationError, match="a point is longer than 60 s"):
        calibration(((20_000, 1.1), (int(1e300), 2.5)))


def test_a_calibration_survives_the_header_of_a_journal() -> None:
    assert Calibration.from_dict(json.loads(json.dumps(calibration().to_dict()))) == calibration()


@st.composite
def curves(draw: st.DrawFn) -> Calibration:
    times = sorted(draw(st.sets(st.integers(100, 1_000_000), min_size=2, max_size=8)))
    volumes = sorted(draw(st.sets(st.floats(0.01, 100, allow_nan=False), min_size=len(times), max_size=len(times))))
    return calibration(tuple(zip(times, volumes, strict=True)))


@given(curves(), st.floats(0, 1))
def test_a_volume_that_was_turned_into_a_time_comes_back(curve: Calibration, part: float) -> None:
    (_, least), (_, most) = curve.points[0], curve.points[-1]
    ul = min(most, least + part * (most - least))
    open_us = curve.open_us(ul)
    assert curve.points[0][0] <= open_us <= curve.points[-1][0]
    nearest = max(b[1] - a[1] for a, b in zip(curve.points, curve.points[1:], strict=False) if b[0] > a[0])
    assert abs(curve.ul(open_us) - ul) <= nearest + 1e-9


@given(curves(), st.floats(0, 1), st.floats(0, 1))
def test_more_water_never_takes_less_time(curve: Calibration, one: float, other: float) -> None:
    least, most = curve.points[0][1], curve.points[-1][1]
    first, second = (min(most, least + part * (most - least)) for part in sorted((one, other)))
    assert curve.open_us(first) <= curve.open_us(second)
