import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.boards.serial.board_clock import BoardClock

stamps = st.integers(0, 0xFFFF_FFFF)
ticks = pytest.mark.parametrize("tick_ns", [500, 1000, 4000])


def begun(tick_ns: int = 1000, stamp: int = 0) -> BoardClock:
    clock = BoardClock(tick_ns)
    clock.begin(stamp)
    return clock


def sampled(t_us: int, trip_s: float = 0.002, at_s: float = 100.0) -> BoardClock:
    """A clock that showed ``t_us`` in the middle of a round trip that ended at ``at_s``."""
    clock = begun()
    clock.sample(at_s - trip_s, t_us, at_s)
    return clock


# --- stamps -------------------------------------------------------------------------------------------------


@given(stamps, st.lists(st.integers(0, 2**31 - 1), max_size=30))
def test_stamps_are_extended_over_any_number_of_wraps(start, steps):
    clock, ticks = begun(stamp=start), 0
    for step in steps:
        ticks += step
        assert clock.t_us((start + ticks) & 0xFFFF_FFFF) == ticks


@given(stamps, st.integers(0, 2**40), st.integers(1, 2**31 - 1))
def test_a_stamp_from_before_the_latest_one_is_before_it(start, latest, earlier):
    clock = begun(stamp=start)
    for ticks in range(0, latest, 2**31 - 1):
        clock.t_us((start + ticks) & 0xFFFF_FFFF)
    now = clock.t_us((start + latest) & 0xFFFF_FFFF)
    assert now == latest
    assert clock.t_us((start + latest - earlier) & 0xFFFF_FFFF) == latest - earlier
    assert clock.t_us((start + latest) & 0xFFFF_FFFF) == latest


def test_a_month_of_session_keeps_its_microseconds():
    clock, month_us = begun(stamp=0xFFFF_FFF0), 30 * 86_400 * 1_000_000
    for t_us in range(0, month_us, 10**9):
        assert clock.t_us((0xFFFF_FFF0 + t_us) & 0xFFFF_FFFF) == t_us


@ticks
@given(start=stamps, count=st.integers(0, 2**31 - 1))
def test_ticks_become_microseconds_rounded_down(tick_ns, start, count):
    assert begun(tick_ns, start).t_us((start + count) & 0xFFFF_FFFF) == count * tick_ns // 1000


@ticks
@given(start=stamps, t_us=st.integers(0, 10**12))
def test_a_time_of_the_session_becomes_the_stamp_that_the_board_will_show(tick_ns, start, t_us):
    stamp = begun(tick_ns, start).stamp(t_us)
    assert stamp == (start + t_us * 1000 // tick_ns) % 2**32


@given(stamps, st.integers(0, 2**31 - 1))
def test_stamps_and_times_are_each_others_inverse(start, t_us):
    clock = begun(stamp=start)
    assert clock.t_us(clock.stamp(t_us)) == t_us


def test_beginning_again_puts_the_zero_elsewhere():
    clock = begun(stamp=5)
    clock.t_us(1005)
    clock.begin(2000)
    assert clock.t_us(2010) == 10


# --- the estimate -------------------------------------------------------------------------------------------


def test_the_stamp_is_assigned_to_the_middle_of_the_round_trip():
    clock = sampled(5_000_000, trip_s=0.002, at_s=100.0)
    assert clock.loop_time(5_000_000) == pytest.approx(99.999)
    assert clock.loop_time(7_500_000) == pytest.approx(102.499)
    assert clock.within_s == pytest.approx(0.001)


def test_nothing_is_known_before_the_first_answer():
    assert begun().within_s == float("inf")


def test_a_slower_answer_is_not_used_while_a_faster_one_is_young():
    clock = sampled(5_000_000, trip_s=0.002, at_s=100.0)
    clock.sample(105.0, 10_000_000, 105.5)
    assert clock.loop_time(5_000_000) == pytest.approx(99.999)


def test_a_faster_answer_is_used_at_once():
    clock = sampled(5_000_000, trip_s=0.1, at_s=100.0)
    clock.sample(100.0, 5_049_000, 100.002)
    assert clock.loop_time(5_049_000) == pytest.approx(100.001)


def test_a_slower_answer_is_used_when_the_faster_one_is_old():
    clock = sampled(5_000_000, trip_s=0.002, at_s=100.0)
    clock.sample(110.5, 16_000_000, 110.6)
    assert clock.loop_time(16_000_000) == pytest.approx(110.55)
    assert clock.within_s == pytest.approx(0.05)


def test_a_new_session_uses_its_own_first_answer():
    clock = sampled(5_000_000, trip_s=0.002, at_s=100.0)
    clock.begin(0)
    clock.sample(100.5, 0, 101.5)
    assert clock.loop_time(0) == pytest.approx(101.0)


@given(
    st.floats(-5000, 5000),
    st.lists(st.tuples(st.floats(0.01, 2), st.floats(0.0001, 0.3), st.floats(0, 1)), min_size=1, max_size=60),
)
def test_the_estimate_is_off_by_no_more_than_the_trip_and_the_drift_of_ten_seconds(ppm, samples):
    """Samples are gaps between questions, round trips, and where in the trip the board stamped."""
    clock, rate, now = begun(), 1 + ppm / 1e6, 0.0
    for gap, trip, where in samples:
        now += gap + trip
        clock.sample(now - trip, round((now - trip + where * trip) * rate * 1e6), now)
        believed = clock.loop_time(round(now * rate * 1e6))
        assert abs(believed - now) <= clock.within_s + 12.5 * 0.005 + 2e-6


@pytest.mark.parametrize("ppm", [0.0, 100.0, -5000.0])
def test_the_rate_against_the_host_is_measured(ppm):
    clock = begun()
    assert clock.rate_ppm == 0
    for second in range(100):
        clock.sample(second - 0.001, round(second * 1e6 * (1 + ppm / 1e6)), second + 0.001)
    assert clock.rate_ppm == ppm


def test_a_second_is_too_short_to_measure_a_rate():
    clock = begun()
    clock.sample(0.0, 0, 0.0)
    clock.sample(0.9, 990_000, 0.9)
    assert clock.rate_ppm == 0


# --- on a board ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ppm", [-5000.0, 0.0, 5000.0])
async def test_keep_alives_hold_the_estimate_on_a_board_whose_clock_drifts(bench, ppm):
    rig = bench(start=0xFFFF_0000, ppm=ppm)
    await rig.open()
    for _ in range(40):
        await asyncio.sleep(3.0)
        truth_us = rig.board.ticks.now() - rig.board.opened_at
        assert abs(rig.host.estimate_us()[0] - truth_us) < 60_000
    assert (await rig.host.close()).counters["rate_ppm"] == pytest.approx(ppm, abs=15)
