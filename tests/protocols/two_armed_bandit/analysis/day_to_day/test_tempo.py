"""Moments of log times that were made with known ones."""

import numpy as np
import pytest

from protocols.two_armed_bandit.analysis.day_to_day.tempo import autocorrelation, fit_tempo, flight, pace, trend
from tests.protocols.two_armed_bandit.made import session

SESSIONS, TRIALS = 150, 700


def test_the_moments_of_made_times_are_found_again() -> None:
    draw = np.random.default_rng(1)
    at = np.linspace(-0.5, 0.5, TRIALS)
    keep = np.exp(-1 / 12)
    times = []
    for _ in range(SESSIONS):
        wander = np.empty(TRIALS)
        wander[0] = 0.2 * draw.normal()
        for trial in range(1, TRIALS):
            wander[trial] = keep * wander[trial - 1] + 0.2 * np.sqrt(1 - keep**2) * draw.normal()
        trend = (-0.2 + 0.3 * draw.normal()) * at
        times.append(0.25 * draw.normal() + trend + wander + 0.5 * draw.normal(size=TRIALS))
    fit = fit_tempo(times, [at] * SESSIONS)
    assert fit.day_sd == pytest.approx(0.25, rel=0.2)
    assert fit.drift == pytest.approx(-0.2, abs=0.08)
    assert fit.drift_sd == pytest.approx(0.3, rel=0.25)
    assert fit.wander_sd == pytest.approx(0.2, rel=0.1)
    assert fit.wander_trials == pytest.approx(12, rel=0.25)


def test_a_pause_and_the_placeholder_of_a_first_row_are_no_pace() -> None:
    made = session("LLLL", initiation_s=np.array([np.nan, 1.5, 7.0, 2.0]))
    assert np.isfinite(pace(made)).tolist() == [False, True, False, True]


def test_that_switches_are_slower_is_no_change_of_the_flight() -> None:
    made = session("LLRRLL", latency_s=np.array([0.4, 0.4, 0.6, 0.4, 0.6, 0.4]))
    assert np.ptp(flight(made)) == pytest.approx(0, abs=1e-12)


def test_what_alternates_has_an_autocorrelation_of_minus_one_and_gaps_are_left_out() -> None:
    values = np.tile([1.0, -1.0], 50)
    assert autocorrelation(values, 1) == pytest.approx(-1)
    values[10:20] = np.nan
    assert autocorrelation(values, 1) == pytest.approx(-1)


def test_values_that_are_all_alike_have_no_autocorrelation() -> None:
    assert np.isnan(autocorrelation(np.ones(20), 1))


def test_a_trend_is_the_slope_and_needs_a_spread() -> None:
    at = np.linspace(-0.5, 0.5, 50)
    line = trend(np.where(at > 0.4, np.nan, 3.0 + 2.0 * at), at)
    assert line.slope == pytest.approx(2)
    assert np.nanmax(np.abs(line.rest)) < 1e-12
    assert np.isnan(trend(np.array([1.0, np.nan]), np.array([0.1, 0.2])).slope)
