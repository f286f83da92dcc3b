"""An edge at a moment that is hard for the firmware: just before its clock wraps, and within a flood of its port."""

from itertools import pairwise

import pytest

from rig.boards.wire import messages as wire
from rig.core.model.actions import Pulse
from tests.avr_tools import need_tools_of
from tests.contracts.noise import Change, cycles, square
from tests.contracts.noise_bench import INPUTS, NoiseBench
from tests.contracts.noise_ends import edges_at_a_wrap

KINDS = ["uno", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("mega", "pico"))]
LONG_US = 36_000
"""Longer than the timer counts, which is 32.8 ms."""


@pytest.fixture(params=KINDS)
def bench(request: pytest.FixtureRequest) -> NoiseBench:
    need_tools_of(request.param)
    bench = NoiseBench(request.param)
    bench.open()
    return bench


def test_a_pulse_ends_in_time_although_an_edge_comes_just_before_the_timer_wraps(bench: NoiseBench) -> None:
    for before in range(-40, 640, 120):
        zero, period = bench.chip.timer("1")
        wraps_at = zero + period * ((bench.chip.cycle - zero) // period + 2)
        bench.run(wraps_at - cycles(10_000) - bench.chip.cycle)
        known = len(bench.levels)
        bench.order(Pulse("valve", LONG_US))
        bench.play([Change(0, "plain", 1)], wraps_at - before)
        bench.run(wraps_at + cycles(60_000) - bench.chip.cycle)
        on, off = (cycle for cycle, pin, _ in bench.levels[known:] if pin == bench.pins["valve"])
        assert off - on == pytest.approx(cycles(LONG_US), abs=cycles(100)), before
        bench.chip.pin(bench.pins["plain"], 0)
        bench.run(cycles(20_000))


def test_an_edge_at_any_moment_of_a_wrap_of_the_timer_fires_at_once(bench: NoiseBench) -> None:
    assert max(edges_at_a_wrap(bench, range(-160, 640, 20))) < 1_000


def test_a_flood_of_its_port_does_not_end_the_lock_out_of_an_input(bench: NoiseBench) -> None:
    toggles = [Change(cycles(at_us), "right", level) for at_us, level in ((600, 1), (3_200, 0), (3_600, 1), (9_000, 0))]
    changes = sorted(square("left", 15_000, 12_000, 1_000) + toggles, key=lambda change: change.cycle)
    bench.play(changes, bench.chip.cycle)
    bench.run(cycles(60_000))
    right = [channel.name for channel in INPUTS].index("right")
    edges = [answer for answer in bench.answers if answer[0] == wire.EDGE.code and answer[2] & 0x7F == right]
    stamps_us = [stamp / 2 for *_, stamp in edges]
    assert all(later - earlier >= 5_000 for earlier, later in pairwise(stamps_us)), stamps_us
