"""Sequences: actions timed from one start, loaded beforehand, started by an order, at a time or by a reflex."""

import pytest

from rig.core.model.actions import CANCEL, Action, Arm, Load, Pulse, Ramp, Set, Start, Stop, Tone, Train
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


def test_loading_starts_nothing(bench: ChipBench) -> None:
    assert bench.order(Load(1, STEPS)) == []
    bench.run(100_000)
    assert bench.trace == []
    assert bench.events == []


def test_actions_come_at_their_times_after_the_start(bench: ChipBench) -> None:
    bench.order(Load(1, STEPS))
    bench.at(5_000, bench.order, Start(1))
    bench.run(100_000)
    assert bench.trace == [(5_000, "light", 1), (6_000, "valve", 1), (6_500, "valve", 0), (7_000, "light", 0)]
    assert bench.said("started") == [(5_000, 1)]


def test_entries_may_be_loaded_in_any_order(bench: ChipBench) -> None:
    bench.order(Load(1, tuple(reversed(STEPS))), Start(1))
    bench.run(100_000)
    assert [event[0] for event in bench.trace] == [0, 1_000, 1_500, 2_000]


def test_entries_of_one_time_are_done_in_the_order_in_which_they_were_loaded(bench: ChipBench) -> None:
    steps = ((10, Set("light", True)), (10, Set("light", False)), (10, Set("light", True)), (0, Set("valve", True)))
    bench.order(Load(1, steps), Start(1))
    bench.run(50)
    assert bench.trace == [(0, "valve", 1), (10, "light", 1), (10, "light", 0), (10, "light", 1)]


def test_a_start_at_a_time_is_reported_with_that_time(bench: ChipBench) -> None:
    bench.order(Load(1, STEPS))
    bench.at(1_000, bench.order, Start(1, at_us=40_000))
    bench.run(39_999)
    assert bench.trace == []
    bench.run(100_000)
    assert bench.said("started") == [(40_000, 1)]
    assert bench.levels("light") == [(40_000, 1), (42_000, 0)]


def test_a_start_at_the_present_instant_is_not_past(bench: ChipBench) -> None:
    bench.order(Load(1, STEPS))
    bench.run(1_000)
    assert bench.order(Start(1, at_us=1_000)) == []
    bench.run(100_000)
    assert bench.said("started") == [(1_000, 1)]


def test_a_start_in_the_past_is_refused_and_never_run_late(bench: ChipBench) -> None:
    bench.order(Load(1, STEPS))
    bench.run(1_000)
    assert bench.order(Start(1, at_us=999)) == [(0, "past")]
    bench.run(1_000_000)
    assert bench.trace == []
    assert bench.events == []


def test_a_start_in_the_past_leaves_a_running_sequence_alone(bench: ChipBench) -> None:
    bench.order(Load(1, STEPS), Start(1))
    bench.at(500, bench.order, Start(1, at_us=400))
    bench.run(100_000)
    assert [event[0] for event in bench.trace] == [0, 1_000, 1_500, 2_000]


@pytest.mark.parametrize("tick_ns", [500, 1000, 4000])
def test_a_start_may_be_as_far_ahead_as_the_horizon_and_across_the_wrap(tick_ns: int) -> None:
    bench = ChipBench(LIGHT, VALVE, tick_ns=tick_ns, start=0xF000_0000)
    at_us = (1 << 30) * tick_ns // 1000
    bench.order(Load(1, STEPS), Start(1, at_us=at_us))
    bench.run(at_us + 100_000)
    assert bench.levels("light") == [(at_us, 1), (at_us + 2_000, 0)]


def test_an_edge_can_start_a_sequence_at_once(bench: ChipBench) -> None:
    bench.order(Load(3, STEPS), Arm(1, None, (("left", 1, Start(3)),)))
    bench.script("left", [(7_000, 1)])
    bench.run(100_000)
    assert bench.events[:2] == [(7_000, "edge", "left", 1, 1), (7_000, "started", 3)]
    assert bench.levels("light") == [(7_000, 1), (9_000, 0)]


def test_an_edge_can_stop_a_sequence(bench: ChipBench) -> None:
    bench.order(Load(3, STEPS), Arm(1, None, (("left", 0, Stop(3)),)), Start(3))
    bench.script("left", [(100, 1), (1_200, 0)])
    bench.run(100_000)
    assert bench.trace == [(0, "light", 1), (1_000, "valve", 1), (1_200, "valve", 0), (1_200, "light", 0)]
    assert bench.said("done") == [(1_200, "valve", "stopped")]


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


def test_stopping_leaves_alone_what_somebody_else_does(bench: ChipBench) -> None:
    bench.order(Load(1, ((0, Pulse("valve", 1_000)), (20_000, Set("light", True)))), Start(1))
    bench.at(5_000, bench.order, Pulse("valve", 10_000), Set("light", True))
    bench.at(7_000, bench.order, Stop(1))
    bench.run(100_000)
    assert bench.levels("valve") == [(0, 1), (1_000, 0), (5_000, 1), (15_000, 0)]
    assert bench.levels("light") == [(5_000, 1)]


def test_a_refused_step_does_not_become_the_sequences_own(bench: ChipBench) -> None:
    bench.order(Pulse("valve", 30_000), Set("light", True))
    bench.order(Load(1, ((1_000, Pulse("valve", 5_000)), (2_000, Set("light", True)))), Start(1))
    bench.at(10_000, bench.order, Stop(1))
    bench.run(100_000)
    assert bench.levels("valve") == [(0, 1), (30_000, 0)]
    assert bench.levels("light") == [(0, 1)]


def test_stopping_calls_off_a_start_that_is_still_to_come(bench: ChipBench) -> None:
    bench.order(Load(1, STEPS), Start(1, at_us=5_000))
    bench.at(4_999, bench.order, Stop(1))
    bench.run(100_000)
    assert bench.trace == []
    assert bench.events == []


def test_a_stopped_sequence_can_be_started_again_and_again(bench: ChipBench) -> None:
    bench.order(Load(1, STEPS))
    for t_us in (0, 10_000, 10_500, 20_000):
        bench.at(t_us, bench.order, Start(1))
    bench.at(20_100, bench.order, Stop(1))
    bench.run(100_000)
    assert bench.said("started") == [(0, 1), (10_000, 1), (10_500, 1), (20_000, 1)]
    assert bench.levels("light") == [
        (0, 1),
        (2_000, 0),
        (10_000, 1),
        (10_500, 0),  # starting it again stops it first
        (10_500, 1),
        (12_500, 0),
        (20_000, 1),
        (20_100, 0),
    ]


def test_loading_over_a_running_sequence_stops_it(bench: ChipBench) -> None:
    bench.order(Load(1, STEPS), Start(1))
    bench.at(500, bench.order, Load(1, ((0, Pulse("other_valve", 100)),)))
    bench.at(5_000, bench.order, Start(1))
    bench.run(100_000)
    assert bench.trace == [(0, "light", 1), (500, "light", 0), (5_000, "other_valve", 1), (5_100, "other_valve", 0)]


def test_a_sequence_that_was_never_loaded_is_unknown(bench: ChipBench) -> None:
    assert bench.order(Start(9), Start(9, at_us=50), Stop(9)) == [(0, "unknown"), (1, "unknown")]


def test_a_sequence_may_end_with_another_or_with_itself(bench: ChipBench) -> None:
    bench.order(
        Load(1, ((0, Pulse("valve", 100)), (1_000, Start(2)))), Load(2, ((0, Pulse("valve", 200)), (1_000, Start(1))))
    )
    bench.order(Start(1))
    bench.run(3_500)
    assert bench.said("started") == [(0, 1), (1_000, 2), (2_000, 1), (3_000, 2)]
    bench.chip.safe()
    bench.run(100_000)
    assert len(bench.said("started")) == 4


def test_two_sequences_run_side_by_side(bench: ChipBench) -> None:
    bench.order(Load(1, STEPS), Load(2, ((0, Pulse("other_valve", 100)), (1_000, Pulse("other_valve", 100)))))
    bench.order(Start(1), Start(2))
    bench.at(1_050, bench.order, Stop(2))
    bench.run(100_000)
    assert bench.levels("light") == [(0, 1), (2_000, 0)]
    assert bench.levels("other_valve") == [(0, 1), (100, 0), (1_000, 1), (1_050, 0)]


def test_empty_steps_do_nothing(bench: ChipBench) -> None:
    bench.order(Load(1, ((0, CANCEL), (10, Set("light", True)))), Start(1))
    bench.run(100)
    assert bench.trace == [(10, "light", 1)]


def test_a_chip_holds_so_many_sequences_and_so_many_entries() -> None:
    bench = ChipBench(capacity=Capacity(sequences=2, entries=5))
    assert bench.order(Load(1, STEPS)) == []
    assert bench.order(Load(2, STEPS)) == [(0, "no_room")]
    assert bench.order(Load(2, STEPS[:2])) == []
    assert bench.order(Load(3, STEPS[:0])) == [(0, "no_room")]
    assert bench.order(Load(1, STEPS)) == []
    assert bench.order(Start(1)) == []
    bench.run(100_000)
    assert bench.said("started") == [(0, 1)]


def test_a_sequence_for_which_there_is_no_room_leaves_the_old_one_in_place() -> None:
    bench = ChipBench(capacity=Capacity(sequences=2, entries=3))
    bench.order(Load(1, STEPS), Start(1))
    assert bench.order(Load(1, (*STEPS, *STEPS))) == [(0, "no_room")]
    bench.run(100_000)
    assert bench.levels("light") == [(0, 1), (2_000, 0)]
