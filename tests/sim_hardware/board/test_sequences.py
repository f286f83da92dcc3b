"""Sequences: actions timed from one start, loaded beforehand, started by an order, at a time or by a reflex."""

import pytest

from rig.core.model.actions import Action, Arm, Load, Pulse, Ramp, Set, Start, Stop, Tone, Train
from sim_hardware.board.chip import Capacity
from tests.sim_hardware.board.chip_bench import LIGHT, VALVE, ChipBench

STEPS: tuple[tuple[int, Action], ...] = (
    (0, Set("light", True)),
    (1_000, Pulse("valve", 500)),
    (2_000, Set("light", False)),
)


@pytest.fixture
def bench() -> ChipBench:
    return ChipBench()


def test_entries_may_be_loaded_in_any_order(bench: ChipBench) -> None:
    bench.order(Load(1, tuple(reversed(STEPS))), Start(1))
    bench.run(100_000)
    assert [event[0] for event in bench.trace] == [0, 1_000, 1_500, 2_000]


def test_entries_of_one_time_are_done_in_the_order_in_which_they_were_loaded(bench: ChipBench) -> None:
    steps = ((10, Set("light", True)), (10, Set("light", False)), (10, Set("light", True)), (0, Set("valve", True)))
    bench.order(Load(1, steps), Start(1))
    bench.run(50)
    assert bench.trace == [(0, "valve", 1), (10, "light", 1), (10, "light", 0), (10, "light", 1)]


def test_an_entry_that_is_refused_is_reported_with_its_place_in_the_order_of_times(bench: ChipBench) -> None:
    bench.order(Load(4, ((2_000, Pulse("valve", 500)), (0, Pulse("valve", 9_000)), (1_000, Start(7)))), Start(4))
    bench.run(100_000)
    busy, unknown = (2_000, "sequence", 4, 2, "busy"), (1_000, "sequence", 4, 1, "unknown")
    assert bench.said("refused") == [unknown, busy]
    assert bench.said("on") == [(0, "valve", "sequence", 4, 0)]
    assert bench.chip.refused == 2


def test_a_start_at_the_present_instant_is_not_past(bench: ChipBench) -> None:
    bench.order(Load(1, STEPS))
    bench.run(1_000)
    assert bench.order(Start(1, at_us=1_000)) == []
    bench.run(100_000)
    assert bench.said("started") == [(1_000, 1, "order", bench.batches)]


def test_a_start_says_whose_order_it_was(bench: ChipBench) -> None:
    bench.order(Load(1, STEPS), Load(2, ((500, Start(1)),)))
    bench.order(Start(2), Start(1, at_us=50_000), Arm(9, None, (("left", 1, Start(1)),)))
    ordered = bench.batches
    bench.order(Start(1, at_us=70_000))
    bench.script("left", [(20_000, 1)])
    bench.run(100_000)
    by_entry, by_edge = (500, 1, "sequence", 2), (20_000, 1, "reflex", 9)
    assert bench.said("started") == [(0, 2, "order", ordered), by_entry, by_edge]


def test_a_start_to_come_is_that_of_the_order_that_named_its_time(bench: ChipBench) -> None:
    bench.order(Load(1, STEPS), Start(1, at_us=50_000))
    ordered = bench.batches
    bench.order(Set("light", True), Pulse("valve", 500))
    bench.run(100_000)
    assert bench.said("started") == [(50_000, 1, "order", ordered)]


@pytest.mark.parametrize("tick_ns", [500, 1000, 4000])
def test_a_start_may_be_as_far_ahead_as_the_horizon_and_across_the_wrap(tick_ns: int) -> None:
    bench = ChipBench(LIGHT, VALVE, tick_ns=tick_ns, start=0xF000_0000)
    at_us = (1 << 30) * tick_ns // 1000
    bench.order(Load(1, STEPS), Start(1, at_us=at_us))
    bench.run(at_us + 100_000)
    assert bench.levels("light") == [(at_us, 1), (at_us + 2_000, 0)]


@pytest.mark.parametrize(
    "action",
    [
        Set("speaker", True),
        Pulse("speaker", 50_000),
        Train("speaker", 20_000, 30_000, 5),
        Tone("speaker", 440, 50_000),
        Ramp("speaker", 440, 10, 20_000, 30_000, 5),
    ],
    ids=str,
)
def test_stopping_a_sequence_stops_what_of_it_is_on(bench: ChipBench, action: Action) -> None:
    bench.order(Load(1, ((0, action), (90_000, Set("light", True)))), Start(1))
    bench.at(10_000, bench.order, Stop(1))
    bench.run(1_000_000)
    assert bench.levels("speaker")[1:] == [(10_000, 0)]
    assert bench.levels("light") == []


def test_a_chip_holds_so_many_sequences_and_so_many_entries() -> None:
    bench = ChipBench(capacity=Capacity(sequences=2, entries=5))
    assert bench.order(Load(1, STEPS)) == []
    assert bench.order(Load(2, STEPS)) == [(0, "no_room")]
    assert bench.order(Load(2, STEPS[:2])) == []
    assert bench.order(Load(3, STEPS[:0])) == [(0, "no_room")]
    assert bench.order(Load(1, STEPS)) == []
    assert bench.order(Start(1)) == []
    bench.run(100_000)
    assert bench.said("started") == [(0, 1, "order", bench.batches)]


def test_a_sequence_for_which_there_is_no_room_leaves_the_old_one_in_place() -> None:
    bench = ChipBench(capacity=Capacity(sequences=2, entries=3))
    bench.order(Load(1, STEPS), Start(1))
    assert bench.order(Load(1, (*STEPS, *STEPS))) == [(0, "no_room")]
    bench.run(100_000)
    assert bench.levels("light") == [(0, 1), (2_000, 0)]
