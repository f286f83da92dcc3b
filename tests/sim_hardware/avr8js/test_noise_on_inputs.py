"""Laws that hold whatever the inputs do: noise opens no valve, keeps none open, and costs the clock nothing."""

from itertools import product

import pytest

from rig.core.model.actions import Arm, Pulse
from tests.sim_hardware.avr8js.pin_bench import KINDS, MS, PLAIN_PIN, STAMP_US, US, VALVE_PIN, Bench

LATE_US = 100
"""How much longer than ordered an output may be on."""


@pytest.fixture(params=KINDS)
def bench(request: pytest.FixtureRequest) -> Bench:
    return Bench(request.param)


def test_bursts_of_levels_that_are_shorter_than_the_confirmation_open_nothing(bench: Bench) -> None:
    bench.order(Arm(1, None, (("beam", 1, Pulse("valve", 20_000)),)))
    for edges, gap_us in product((8, 12, 20, 40, 60, 100), (10, 30, 80)):
        for number in range(edges):
            bench.chip.pin(bench.pin, 1 - number % 2)
            bench.wait(gap_us * US)
        bench.wait(30 * MS)
    assert bench.changes(VALVE_PIN) == []


@pytest.mark.parametrize("half_us", [2, 5, 13], ids=["250 kHz", "100 kHz", "38 kHz"])
def test_a_pulse_ends_in_time_while_an_input_changes_faster_than_it_can_be_served(bench: Bench, half_us: int) -> None:
    bench.order(Pulse("valve", 40_000))
    bench.wait(10 * MS)
    bench.square_wave(half_us, for_ms=60)
    changes = bench.changes(VALVE_PIN)
    assert [level for _, level in changes] == [1, 0]
    assert (changes[1][0] - changes[0][0]) / US <= 40_000 + LATE_US


def test_the_clock_loses_nothing_while_an_input_changes_faster_than_it_can_be_served(bench: Bench) -> None:
    bench.square_wave(half_us=20, for_ms=100)
    bench.wait(50 * MS)
    bench.chip.pin(PLAIN_PIN, 1)
    edge_us = bench.session_us(bench.chip.cycle)
    bench.wait(20 * MS)
    assert bench.edges(channel=1) == [(pytest.approx(edge_us, abs=STAMP_US), 1)]
