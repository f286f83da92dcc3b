import math
from collections.abc import Iterator

import numpy as np
import pytest

from protocols.delay_discounting.analysis.track import UNSEEN, DerivativeWindow, passes, slope, smoothed, track
from rig.core.errors import ConfigError
from tests.protocols.delay_discounting.analysis.made import HZ, bend, look, path, straight, timed

QUICK = DerivativeWindow()


def turned(*parts: Iterator[complex], noise_cm: float = 0.0) -> float:
    """IdPhi of a way that begins and ends straight, judged between."""
    before, after = 1.5, 1.0
    found = path(*parts, noise_cm=noise_cm)
    end = found.x_cm.size / HZ
    ((idphi, *_),) = passes(found, np.array([before]), np.array([end - after]), QUICK)
    return idphi


def test_the_rate_of_change_of_a_line_is_its_slope() -> None:
    found = slope(3.0 * np.arange(200) / HZ, HZ, QUICK)
    assert found == pytest.approx(np.full(200, 3.0))


def test_the_window_is_short_where_the_path_bends_and_long_where_it_is_straight() -> None:
    t = np.arange(240) / HZ
    corner = np.where(t < 2, 0.0, 10 * (t - 2))
    found = slope(corner, HZ, DerivativeWindow(smoothing_s=0))
    assert found[:120] == pytest.approx(np.zeros(120))
    assert found[124:] == pytest.approx(np.full(116, 10.0))
    noise = np.random.default_rng(1).normal(size=2000)
    fixed = slope(noise, HZ, DerivativeWindow(window_s=3 / HZ, smoothing_s=0))
    assert np.std(slope(noise, HZ, DerivativeWindow(smoothing_s=0))) < np.std(fixed)


def test_the_window_is_the_one_that_another_calculation_finds() -> None:
    values = np.cumsum(np.random.default_rng(2).normal(size=80))
    found = slope(values, HZ, DerivativeWindow(smoothing_s=0))
    for here in range(3, 80):
        fits = []
        for n in range(3, min(30, here) + 1):
            chord = (values[here] - values[here - n]) / n
            within = [values[here - j] - (values[here] - chord * j) for j in range(1, n)]
            fits.append((np.mean(np.square(within)), chord * HZ))
        assert found[here] == pytest.approx(min(fits)[1])


def test_smoothing_keeps_the_mean_at_the_ends() -> None:
    assert smoothed(np.ones(10), 6) == pytest.approx(np.ones(10))
    assert smoothed(np.arange(10.0), 1) == pytest.approx(np.arange(10.0))


@pytest.mark.parametrize("angle", [math.pi / 2, -math.pi / 2, math.pi / 4, math.pi])
def test_a_turn_is_measured_as_its_angle(angle: float) -> None:
    curve = list(bend(20j, math.pi / 2, angle))
    away = straight(curve[-1], curve[-1] + 60 * np.exp(1j * (math.pi / 2 + angle)))
    assert turned(straight(-40j, 20j), iter(curve), away) == pytest.approx(abs(angle), abs=0.02)


def test_walking_straight_turns_nothing() -> None:
    assert turned(straight(-60j, 60j)) == pytest.approx(0, abs=1e-6)


def test_looking_both_ways_turns_more_than_four_times_as_much_under_noise() -> None:
    end = list(bend(20j, math.pi / 2, -math.pi / 2))
    ballistic = turned(straight(-40j, 20j), iter(end), straight(end[-1], end[-1] + 60), noise_cm=0.15)
    looks = (look(20j), look(20j, -8), look(20j))
    deliberate = turned(straight(-40j, 20j), *looks, iter(end), straight(end[-1], end[-1] + 60), noise_cm=0.15)
    assert 1.5 < ballistic < 4
    assert deliberate > 4 * ballistic


def test_standing_is_timed() -> None:
    found = path(straight(-60j, 0j), iter([0j] * 90), straight(0j, 60j))
    ((_, pause_s, _),) = passes(found, np.array([1.0]), np.array([4.5]), QUICK)
    assert pause_s == pytest.approx(1.5, abs=0.15)


def test_short_losses_are_bridged_and_longer_ones_are_not_judged() -> None:
    t, x, y = timed(np.array(list(straight(-60j, 60j))))
    for lost, judged in ((25, True), (40, False)):
        gap = x.copy()
        gap[100 : 100 + lost] = np.nan
        found = track(t, gap, y)
        ((idphi, *_),) = passes(found, np.array([1.0]), np.array([3.0]), QUICK)
        assert math.isfinite(idphi) == judged
        assert passes(found, np.array([2.8]), np.array([3.2]), QUICK)[0].idphi == pytest.approx(0, abs=1e-6)


def test_dropped_frames_are_filled() -> None:
    t, x, y = timed(np.array(list(straight(-60j, 60j))))
    kept = np.delete(np.arange(t.size), [50, 51, 90, 120])
    found = track(t[kept], x[kept], y[kept])
    assert found is not None
    assert (found.x_cm.size, found.rate_hz) == (t.size, pytest.approx(HZ))
    assert found.y_cm == pytest.approx(y)


def test_a_pass_outside_the_track_or_without_times_is_unseen() -> None:
    found = path(straight(-60j, 60j))
    times = [(-1.0, 1.0), (3.0, 9.0), (math.nan, 2.0), (2.0, math.nan), (2.0, 2.0)]
    enter, leave = (np.array(each) for each in zip(*times, strict=True))
    assert all(math.isnan(each.idphi) for each in passes(found, enter, leave, QUICK))
    assert passes(None, enter, leave, QUICK) == [UNSEEN] * 5


def test_too_few_positions_are_no_track() -> None:
    assert track(*timed(np.zeros(5))) is None
    assert track(np.zeros(20), np.zeros(20), np.zeros(20)) is None
    assert track(np.arange(20.0), np.full(20, np.nan), np.zeros(20)) is None


def test_a_track_of_more_frames_than_a_day_has_is_refused() -> None:
    t_s = np.append(np.arange(20) / HZ, 1e9)
    with pytest.raises(ConfigError, match="longer than any session"):
        track(t_s, np.zeros(21), np.zeros(21))


def test_the_way_past_the_choice_point_is_kept_from_entry_to_exit() -> None:
    way = path(straight(0, 30), noise_cm=0.0)
    (found,) = passes(way, np.array([0.2]), np.array([0.5]), QUICK)
    assert found.path_cm.shape == (19, 2)
    assert found.path_cm[[0, -1], 0] == pytest.approx([6, 15], abs=0.3)
    assert np.all(found.path_cm[:, 1] == 0)
    assert passes(None, np.array([0.2]), np.array([0.5]), QUICK)[0].path_cm.shape == (0, 2)
