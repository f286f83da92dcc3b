import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.errors import CalibrationError
from rig.devices.calibration import Calibration


def curve(*points):
    return Calibration("left_1", "left", "2026-11-03", points)


LEFT = curve((10_000, 1.0), (20_000, 3.0), (50_000, 6.0))


@st.composite
def calibrations(draw):
    steps = st.lists(st.tuples(st.integers(100, 50_000), st.floats(0.05, 5)), min_size=2, max_size=8)
    us, ul, points = 0, 0.0, []
    for step_us, step_ul in draw(steps):
        us, ul = us + step_us, ul + step_ul
        points.append((us, ul))
    return curve(*points)


@st.composite
def within(draw):
    calibration = draw(calibrations())
    ul = st.floats(calibration.points[0][1], calibration.points[-1][1])
    return calibration, draw(ul), draw(ul)


def test_between_two_points_the_opening_lies_on_their_line():
    assert LEFT.open_us(2.0) == 15_000
    assert LEFT.open_us(4.5) == 35_000
    assert LEFT.ul(35_000) == 4.5


def test_the_opening_is_in_whole_microseconds():
    assert LEFT.open_us(1.00003) == 10_000
    assert isinstance(LEFT.open_us(1.1), int)


@pytest.mark.parametrize("ul", [0, -1, 0.999, 6.001, 1e9, math.inf, math.nan])
def test_no_volume_outside_the_measured_range_is_guessed(ul):
    with pytest.raises(CalibrationError, match="measured range, 1 to 6 µl"):
        LEFT.open_us(ul)


def test_a_refusal_names_the_valve_what_was_asked_what_was_measured_and_what_to_do():
    with pytest.raises(CalibrationError) as caught:
        LEFT.open_us(7.5)
    assert str(caught.value) == (
        "valve 'left' (calibration left_1 of 2026-11-03): 7.5 µl is not in the measured range, 1 to 6 µl; "
        "measure the valve at that volume, or change the volume"
    )


@pytest.mark.parametrize("open_us", [0, 9_999, 50_001])
def test_no_opening_outside_the_measured_range_is_guessed(open_us):
    with pytest.raises(CalibrationError, match="measured range, 10000 to 50000 µs"):
        LEFT.ul(open_us)


@pytest.mark.parametrize(
    "points",
    [
        (),
        ((10, 1.0),),
        ((10, 1.0), (10, 2.0)),
        ((10, 1.0), (20, 1.0)),
        ((20, 1.0), (10, 2.0)),
        ((10, 1.0), (20, math.nan)),
    ],
)
def test_points_that_are_no_curve_are_refused(points):
    with pytest.raises(CalibrationError, match="two or more points"):
        curve(*points)


def test_a_calibration_survives_the_journal():
    text = json.dumps(LEFT.to_dict())
    assert Calibration.from_dict(json.loads(text)) == LEFT


@given(calibrations())
def test_a_measured_point_is_returned_exactly(calibration):
    for open_us, ul in calibration.points:
        assert calibration.open_us(ul) == open_us
        assert calibration.ul(open_us) == ul


@given(within())
def test_a_larger_volume_never_takes_a_shorter_opening(case):
    calibration, one, other = case
    small, large = sorted((one, other))
    assert calibration.open_us(small) <= calibration.open_us(large)


@given(within())
def test_the_volume_of_the_opening_is_the_volume_asked_to_half_a_microsecond(case):
    calibration, ul, _ = case
    steepest = max(
        (b[1] - a[1]) / (b[0] - a[0]) for a, b in zip(calibration.points, calibration.points[1:], strict=False)
    )
    assert calibration.ul(calibration.open_us(ul)) == pytest.approx(ul, abs=0.51 * steepest)


@given(calibrations(), st.data())
def test_the_opening_of_the_volume_is_the_opening_asked(calibration, data):
    first, last = calibration.points[0][0], calibration.points[-1][0]
    open_us = data.draw(st.integers(first, last))
    assert calibration.open_us(calibration.ul(open_us)) == open_us
