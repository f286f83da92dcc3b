"""The chip's clock: whole ticks, of any length, that drift and wrap."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim_hardware.board.ticks import Ticks
from tests.sim_hardware.fake_clock import FakeClock


@pytest.mark.parametrize(("tick_ns", "ticks"), [(1000, 1_234_567), (4000, 308_642), (500, 2_469_134)])
def test_it_counts_from_power_on_in_its_own_ticks(tick_ns: int, ticks: int) -> None:
    clock = FakeClock()
    clock.run(5.0)
    counter = Ticks(clock, tick_ns)
    assert counter.now() == 0
    clock.run(5.0 + 1.234567)
    assert counter.now() == ticks


@pytest.mark.parametrize("ppm", [0.0, 50.0, -50.0, 5000.0, -5000.0])
def test_it_drifts_by_so_many_parts_in_a_million(ppm: float) -> None:
    clock = FakeClock()
    counter = Ticks(clock, ppm=ppm)
    clock.run(1000.0)
    assert counter.now() == 1_000_000_000 + round(1000 * ppm)


@given(
    st.integers(0, 1 << 40),
    st.sampled_from([500, 1000, 4000]),
    st.floats(-5000, 5000),
    st.floats(0, 1e6),
)
def test_an_alarm_rings_when_the_counter_shows_its_time(ticks: int, tick_ns: int, ppm: float, born: float) -> None:
    clock = FakeClock()
    clock.run(born)
    counter = Ticks(clock, tick_ns, ppm=ppm)
    shown: list[int] = []
    counter.at(ticks, lambda: shown.append(counter.now()))
    clock.run()
    assert shown == [ticks]


def test_a_stamp_is_the_low_32_bits_of_what_the_counter_shows() -> None:
    counter = Ticks(FakeClock(), start=0xFFFF_FFF0)
    assert counter.stamp(0xF) == 0xFFFF_FFFF
    assert counter.stamp(0x10) == 0


@given(st.integers(0, 1 << 34), st.integers(-(1 << 31), (1 << 31) - 1), st.integers(0, 0xFFFF_FFFF))
def test_a_stamp_is_extended_around_now(now: int, ahead: int, start: int) -> None:
    clock = FakeClock()
    counter = Ticks(clock, start=start)
    clock.run(now / 1e6)
    assert counter.count(counter.stamp(now + ahead)) == now + ahead


def test_a_span_of_ticks_lasts_so_many_seconds_of_the_world() -> None:
    assert Ticks(FakeClock(), 4000, ppm=1000.0).seconds(250_000) == pytest.approx(1.0 / 1.001, rel=1e-12)


@pytest.mark.parametrize(("tick_ns", "ticks"), [(1000, 5000), (4000, 1250), (500, 10_000)])
def test_microseconds_become_ticks(tick_ns: int, ticks: int) -> None:
    assert Ticks(FakeClock(), tick_ns).from_us(5000) == ticks
