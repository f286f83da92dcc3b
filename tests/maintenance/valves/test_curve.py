"""The curve of a valve, and what refuses it."""

import math

import pytest

from rig.devices.calibration import Calibration
from rig.maintenance.valves.curve import Weighing, fit_curve, reasons_to_refuse, sides_that_differ
from tests.maintenance.valves.virtual_valve import measured, true_open_us, true_ul

SEEDS = range(100)
VOLUMES = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0)


def worst_error_pct(seed: int, readings: int) -> float:
    """The largest error of the volume that is really given when 1 to 6 µl are asked for, in percent."""
    curve = measured(seed, readings=readings)
    assert list(reasons_to_refuse(curve)) == []
    calibration = curve.calibration("left_2026-11-24", "left", "2026-11-24")
    return max(100 * abs(true_ul(calibration.open_us(ul)) / ul - 1) for ul in VOLUMES)


@pytest.mark.parametrize("readings", [1, 2])
def test_volumes_of_1_to_6_ul_are_right_to_2_percent_in_95_of_100_calibrations(readings: int) -> None:
    errors = sorted(worst_error_pct(seed, readings) for seed in SEEDS)
    assert errors[94] <= 2.0, errors[90:]


def crooked(open_us: int) -> float:
    """A valve that sticks: longer openings around 70 ms give less."""
    ul = true_ul(open_us)
    return ul if open_us < 50_000 else 0.5 * ul if open_us < 90_000 else ul


def test_a_crooked_valve_is_refused_in_100_of_100() -> None:
    reasons = [list(reasons_to_refuse(measured(seed, ul_of=crooked))) for seed in SEEDS]
    assert all(any("does not rise" in reason for reason in each) for each in reasons)


@pytest.mark.parametrize("part", [0.6, 0.7, 0.8, 0.88, 1.15])
def test_a_valve_that_bends_between_two_openings_is_refused_in_100_of_100(part: float) -> None:
    def bent(open_us: int) -> float:
        return true_ul(open_us) * (part if 50_000 <= open_us < 90_000 else 1.0)

    reasons = [list(reasons_to_refuse(measured(seed, ul_of=bent))) for seed in SEEDS]
    assert all(any("of the line between" in reason for reason in each) for each in reasons)


@pytest.mark.parametrize(
    "factor",
    [lambda part: 1 - 0.1 * part, lambda part: 1 + 0.1 * part, lambda part: 1.0 if part < 0.5 else 0.9],
    ids=["runs empty", "opens up", "is blocked in the middle"],
)
def test_a_drifting_valve_is_refused_in_100_of_100(factor) -> None:  # type: ignore[no-untyped-def]
    reasons = [list(reasons_to_refuse(measured(seed, factor=factor))) for seed in SEEDS]
    assert all(any("from the first burst to the last" in reason for reason in each) for each in reasons)


def test_a_small_steady_drift_moves_no_point() -> None:
    curve = measured(1, factor=lambda part: 1.01 - 0.02 * part, sigma_mg=0.0)
    assert list(reasons_to_refuse(curve)) == []
    assert curve.drift_pct == pytest.approx(-2, abs=0.1)
    for point in curve.points:
        assert point.ul == pytest.approx(true_ul(point.open_us), rel=1e-3)


def test_a_valve_that_spits_is_refused_by_its_cv() -> None:
    weighings = [
        Weighing(ms * 1000, 100, mg) for ms, mg in [(20, 100), (40, 250), (60, 400), (60, 400), (40, 290), (20, 100)]
    ]
    (reason,) = (each for each in reasons_to_refuse(fit_curve(weighings, 1.0)) if "CV" in each)
    assert "the bursts of 40 ms differ by a CV of 10.5 %" in reason


def test_volumes_that_are_lost_in_the_noise_are_not_trusted() -> None:
    weighings = [
        Weighing(ms * 1000, 100, mg)
        for ms, mg in [(8, 20), (20, 100), (40, 250), (60, 400), (60, 404), (40, 254), (20, 104), (8, 21)]
    ]
    curve = fit_curve(weighings, 1.0)
    assert [point.open_us for point in curve.trusted] == [20_000, 40_000, 60_000]
    assert list(reasons_to_refuse(curve)) == []
    assert curve.calibration("x", "left", "2026-11-24").points[0] == (20_000, 1.02)


def test_residuals_are_those_of_each_burst_in_its_order() -> None:
    weighings = [
        Weighing(ms * 1000, 100, mg) for ms, mg in [(20, 99), (40, 250), (60, 400), (60, 400), (40, 250), (20, 101)]
    ]
    assert fit_curve(weighings, 1.0).residuals_pct == pytest.approx((-1, 0, 0, 0, 0, 1))


def test_sides_that_differ_at_the_reward_are_named() -> None:
    left = Calibration("l", "left", "2026-11-24", ((20_000, 1.0), (60_000, 4.0)))
    right = Calibration("r", "right", "2026-11-24", ((20_000, 1.0), (60_000, 4.4)))
    ((names, reason),) = sides_that_differ({"left": left, "right": right}, 2.5)
    assert names == ("left", "right")
    assert reason.startswith("right gives +8.0 % of what left gives in 40.0 ms")
    assert list(sides_that_differ({"left": left, "right": left}, 2.5)) == []
    ((names, unmeasured),) = sides_that_differ({"left": left}, 9)
    assert names == ("left",)
    assert "not in the measured range" in unmeasured


def test_the_inverse_of_the_test_valve_is_right() -> None:
    assert math.isclose(true_ul(true_open_us(2.5)), 2.5, rel_tol=1e-3)
