"""Latencies are summarized so that nothing looks better than it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.diagnostics.latencies import latencies

TIMES = st.lists(st.integers(0, 1_000_000), min_size=1, max_size=300)


def test_the_times_between_causes_and_effects_are_counted() -> None:
    found = latencies("reflex", [(100, 104), (200, 206), (300, 305)])
    assert found.summary() == {"n": 3, "median_us": 5, "p99_us": 6, "p999_us": 6, "max_us": 6}


def test_a_thousand_times_show_their_tail() -> None:
    found = latencies("reflex", [(0, us) for us in range(1, 1001)])
    assert found.summary() == {"n": 1000, "median_us": 500, "p99_us": 990, "p999_us": 999, "max_us": 1000}


def test_one_step_is_enough_for_times_that_are_all_the_same() -> None:
    assert latencies("reflex", [(0, 7), (1, 8)]).histogram() == [(7, 7, 2)]


def test_nothing_measured_is_no_summary() -> None:
    with pytest.raises(ValueError, match="reflex: nothing was measured"):
        latencies("reflex", [])


@given(TIMES)
def test_every_time_is_in_the_histogram_once(times: list[int]) -> None:
    bars = latencies("reflex", [(0, us) for us in times]).histogram()
    assert sum(count for _, _, count in bars) == len(times)
    assert (bars[0][0], max(times)) == (min(times), pytest.approx(bars[-1][1]))


@given(TIMES, st.floats(0.01, 1))
def test_a_quantile_is_a_time_that_was_measured_and_enough_are_no_longer(times: list[int], part: float) -> None:
    value = latencies("reflex", [(0, us) for us in times]).quantile(part)
    assert value in times
    assert sum(us <= value for us in times) >= part * len(times) - 1e-6
