"""Outputs: what an order makes of a pin, and how every output ends by itself."""

from collections.abc import Callable

import pytest

from rig.core.model.actions import Arm, Order, Pulse, Ramp, Set, Stop, Tone, Train
from rig.core.model.board import Input, Output
from rig.core.model.channels import Role
from tests.sim_hardware.board.chip_bench import LIGHT, SPEAKER, VALVE, ChipBench

ON, OFF = Set("light", True), Set("light", False)


@pytest.fixture
def bench() -> ChipBench:
    return ChipBench()


def test_a_light_is_on_until_it_is_switched_off(bench: ChipBench) -> None:
    bench.at(100, bench.order, ON)
    bench.at(90_000_000, bench.order, OFF)
    bench.run(100_000_000)
    assert bench.levels("light") == [(100, 1), (90_000_000, 0)]
    assert bench.events == []


def test_on_twice_and_off_twice_are_harmless(bench: ChipBench) -> None:
    assert bench.order(ON, ON) == []
    assert bench.order(OFF, OFF) == []
    assert bench.levels("light") == [(0, 1), (0, 0)]


def test_a_pulse_lasts_exactly_as_long_as_asked_and_says_when_it_is_done(bench: ChipBench) -> None:
    bench.at(1_000, bench.order, Pulse("valve", 40_001))
    bench.run(200_000)
    assert bench.levels("valve") == [(1_000, 1), (41_001, 0)]
    assert bench.events == [(41_001, "done", "valve", "finished")]


def test_a_train_gives_its_pulses_one_every_period(bench: ChipBench) -> None:
    bench.at(1_000, bench.order, Train("light", 300, 1_000, 3))
    bench.run(10_000)
    assert bench.levels("light") == [(1_000, 1), (1_300, 0), (2_000, 1), (2_300, 0), (3_000, 1), (3_300, 0)]
    assert bench.events == [(3_300, "done", "light", "finished")]


def test_a_long_train_does_not_drift(bench: ChipBench) -> None:
    bench.order(Train("light", 333, 1_001, 5_000))
    bench.run(6_000_000)
    assert bench.levels("light")[-2:] == [(4_999 * 1_001, 1), (4_999 * 1_001 + 333, 0)]


def test_a_tone_sounds_at_its_frequency(bench: ChipBench) -> None:
    bench.order(Tone("speaker", 4_000, 50_000))
    bench.run(100_000)
    assert bench.levels("speaker") == [(0, 4_000), (50_000, 0)]
    assert bench.events == [(50_000, "done", "speaker", "finished")]


def test_a_ramp_climbs_or_falls_step_by_step(bench: ChipBench) -> None:
    bench.order(Ramp("speaker", 1_000, -100, 50_000, 200_000, 3))
    bench.run(1_000_000)
    assert bench.levels("speaker") == [
        (0, 1_000),
        (50_000, 0),
        (200_000, 900),
        (250_000, 0),
        (400_000, 800),
        (450_000, 0),
    ]
    assert bench.said("done") == [(450_000, "speaker", "finished")]


def test_tones_of_a_ramp_may_follow_each_other_without_a_pause(bench: ChipBench) -> None:
    bench.order(Ramp("speaker", 1_000, 500, 100_000, 100_000, 3))
    bench.run(1_000_000)
    assert bench.levels("speaker") == [(0, 1_000), (100_000, 1_500), (200_000, 2_000), (300_000, 0)]


ACTIONS: dict[str, Callable[[str], Order]] = {
    "pulse": lambda name: Pulse(name, 50_000),
    "train": lambda name: Train(name, 10_000, 20_000, 3),
    "tone": lambda name: Tone(name, 440, 50_000),
    "ramp": lambda name: Ramp(name, 440, 10, 10_000, 20_000, 3),
}


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("name", ["light", "valve"])
@pytest.mark.parametrize("after_us", [5_000, 15_000], ids=["on", "in its gap"])
def test_off_stops_whatever_runs_and_says_so(bench: ChipBench, action: str, name: str, after_us: int) -> None:
    bench.order(ACTIONS[action](name))
    bench.at(after_us, bench.order, Set(name, False))
    bench.run(1_000_000)
    assert bench.said("done") == [(after_us, name, "stopped")]
    assert bench.levels(name)[-1][1] == 0
    assert bench.levels(name)[-1][0] <= after_us


@pytest.mark.parametrize("running", ACTIONS)
@pytest.mark.parametrize("second", [*ACTIONS, "on"])
@pytest.mark.parametrize("after_us", [0, 5_000, 15_000], ids=["at once", "on", "in its gap"])
def test_an_overlapping_action_is_refused_and_changes_nothing(
    bench: ChipBench, running: str, second: str, after_us: int
) -> None:
    alone = ChipBench()
    alone.order(ACTIONS[running]("valve"))
    alone.run(1_000_000)
    bench.order(ACTIONS[running]("valve"))
    refused: list[object] = []
    order = Set("valve", True) if second == "on" else ACTIONS[second]("valve")
    bench.at(after_us, lambda: refused.extend(bench.order(order)))
    bench.run(1_000_000)
    assert refused == [(0, "busy")]
    assert bench.trace == alone.trace
    assert bench.events == alone.events


LOCKED = (
    Output("first", Role.LINE, 10, 100_000, interlocked=True),
    Output("second", Role.LINE, 11, 100_000, interlocked=True),
    Output("beside", Role.LINE, 12, 100_000),
)


@pytest.mark.parametrize("second", [Pulse("second", 1_000), Set("second", True), Train("second", 100, 1_000, 3)])
def test_of_outputs_that_lock_each_other_out_only_one_is_on(second: Order) -> None:
    bench = ChipBench(*LOCKED)
    refused: list[object] = []
    bench.at(5_000, lambda: refused.extend(bench.order(second, Pulse("beside", 2_000))))
    bench.order(Train("first", 1_000, 10_000, 2))
    bench.run(50_000)
    assert refused == [(0, "interlock")], "also in the gap of a train"
    assert bench.levels("second") == []
    assert bench.levels("beside") == [(5_000, 1), (7_000, 0)]
    assert bench.order(second) == []


def test_an_output_that_is_locked_out_may_still_go_off_and_come_on_again_itself() -> None:
    bench = ChipBench(*LOCKED)
    assert bench.order(Set("first", True), Set("first", True), Set("second", False), Set("first", False)) == []
    assert bench.order(Set("second", True)) == []


def test_a_reflex_that_is_locked_out_leaves_its_deed_to_the_host() -> None:
    bench = ChipBench(*LOCKED, Input("left", Role.LINE, 2, 0, 0, 0))
    bench.order(Arm(1, None, (("left", 1, Pulse("second", 1_000)),)), Pulse("first", 10_000))
    bench.script("left", [(100, 1)])
    bench.run(50_000)
    assert bench.said("edge") == [(100, "left", 1, 0)]
    assert bench.levels("second") == []


def test_an_action_on_an_output_that_is_on_is_refused(bench: ChipBench) -> None:
    assert bench.order(ON, Pulse("light", 10)) == [(1, "busy")]
    bench.run(1_000)
    assert bench.levels("light") == [(0, 1)]


def test_an_action_right_at_the_end_of_another_is_accepted(bench: ChipBench) -> None:
    bench.order(Pulse("valve", 10_000))
    bench.at(10_000, bench.order, Pulse("valve", 10_000))
    bench.run(50_000)
    assert bench.levels("valve") == [(0, 1), (10_000, 0), (10_000, 1), (20_000, 0)]


# --- limits -------------------------------------------------------------------------------------------------


def test_a_dangerous_output_goes_off_at_its_limit_and_says_why(bench: ChipBench) -> None:
    bench.at(1_000, bench.order, Set("valve", True))
    bench.run(1_000_000)
    assert bench.levels("valve") == [(1_000, 1), (101_000, 0)]
    assert bench.events == [(101_000, "done", "valve", "limit")]
    assert bench.chip.limits_hit == 1


def test_another_on_does_not_restart_the_limit(bench: ChipBench) -> None:
    for t_us in (0, 60_000, 99_999):
        bench.at(t_us, bench.order, Set("valve", True))
    bench.run(1_000_000)
    assert bench.levels("valve") == [(0, 1), (100_000, 0)]


def test_after_the_limit_it_can_be_switched_on_again_for_as_long(bench: ChipBench) -> None:
    bench.order(Set("valve", True))
    bench.at(50_000, bench.order, Set("valve", False))
    bench.at(60_000, bench.order, Set("valve", True))
    bench.run(1_000_000)
    assert bench.levels("valve") == [(0, 1), (50_000, 0), (60_000, 1), (160_000, 0)]
    assert bench.said("done") == [(160_000, "valve", "limit")]


@pytest.mark.parametrize(
    ("order", "reasons"),
    [
        (Pulse("valve", 100_000), []),
        (Pulse("valve", 100_001), [(0, "too_long")]),
        (Train("valve", 100_001, 200_000, 2), [(0, "too_long")]),
        (Train("valve", 50_000, 50_001, 100), []),
        (Tone("valve", 100, 100_001), [(0, "too_long")]),
        (Ramp("valve", 100, 1, 101_000, 200_000, 1), [(0, "too_long")]),
        (Pulse("light", 90_000_000), []),
    ],
    ids=str,
)
def test_an_action_longer_than_the_limit_is_refused(
    bench: ChipBench, order: Order, reasons: list[tuple[int, str]]
) -> None:
    assert bench.order(order) == reasons
    assert (bench.trace == []) is bool(reasons)


@pytest.mark.parametrize("order", [Train("valve", 60_000, 60_000, 2), Train("valve", 60_000, 1_000, 9)], ids=str)
def test_a_train_without_gaps_counts_as_one_opening(bench: ChipBench, order: Order) -> None:
    assert bench.order(order) == [(0, "too_long")]
    assert bench.trace == []


def test_a_ramp_without_gaps_counts_as_one_tone(bench: ChipBench) -> None:
    assert bench.order(Ramp("speaker", 440, 10, 300_000, 300_000, 4)) == [(0, "too_long")]
    assert bench.order(Ramp("speaker", 440, 10, 300_000, 300_000, 3)) == []


@pytest.mark.parametrize("on_us", [1, 30_000, 99_999])
@pytest.mark.parametrize("period_us", [1, 30_000, 30_001, 100_000])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_no_order_keeps_a_dangerous_output_on_longer_than_its_limit(on_us: int, period_us: int, count: int) -> None:
    bench = ChipBench()
    bench.order(Train("valve", on_us, period_us, count))
    for t_us in range(0, 300_000, 7_000):
        bench.at(t_us, bench.order, Set("valve", True), Pulse("valve", 100_000), Set("valve", True))
    bench.run(2_000_000)
    changes = bench.levels("valve")
    assert changes
    ons, offs = changes[::2], changes[1::2]
    assert [value for _, value in ons] == [1] * len(offs)
    assert max(off - on for (on, _), (off, _) in zip(ons, offs, strict=True)) <= 100_000


def test_a_limit_above_a_minute_is_not_accepted(bench: ChipBench) -> None:
    assert ChipBench(Output("pump", Role.LINE, 5, max_on_us=60_000_000)).order(Pulse("pump", 60_000_000)) == []
    assert bench.connect(9, Output("pump", Role.LINE, 5, max_on_us=60_001_000)) == [(0, "too_long")]
    assert bench.connect(9, Output("lamp", Role.LINE, 5)) == []


# --- other --------------------------------------------------------------------------------------------------


def test_an_output_that_was_never_wired_is_unknown() -> None:
    bench = ChipBench(LIGHT)
    bench._writer._number["ghost"] = 9
    for order in (Set("ghost", True), *(make("ghost") for make in ACTIONS.values())):
        assert bench.order(order) == [(0, "unknown")]


def test_every_output_minds_its_own_business(bench: ChipBench) -> None:
    assert bench.order(Pulse("valve", 10_000), Pulse("other_valve", 20_000), ON, Tone("speaker", 99, 5_000)) == []
    bench.at(7_000, bench.order, Set("valve", False))
    bench.run(50_000)
    assert bench.trace == [
        (0, "valve", 1),
        (0, "other_valve", 1),
        (0, "light", 1),
        (0, "speaker", 99),
        (5_000, "speaker", 0),
        (7_000, "valve", 0),
        (20_000, "other_valve", 0),
    ]


def test_an_inverted_output_is_low_when_it_is_on() -> None:
    bench = ChipBench(
        Output("lamp", Role.LINE, 5, inverted=True), Output("valve", Role.LINE, 6, max_on_us=10_000, inverted=True)
    )
    assert bench.trace == [(0, "lamp", 1), (0, "valve", 1)]
    bench.trace.clear()
    bench.order(Set("lamp", True), Pulse("valve", 5_000))
    bench.at(7_000, bench.order, Set("lamp", False), Set("valve", True))
    bench.run(50_000)
    assert bench.levels("lamp") == [(0, 0), (7_000, 1)]
    assert bench.levels("valve") == [(0, 0), (5_000, 1), (7_000, 0), (17_000, 1)]


def test_stopping_an_unknown_sequence_is_harmless(bench: ChipBench) -> None:
    assert bench.order(Stop(7)) == []


def test_wiring_an_output_again_switches_it_off(bench: ChipBench) -> None:
    bench.order(ON, Set("valve", True))
    bench.run(1_000)
    bench.configure()
    bench.run(1_000_000)
    assert bench.levels("light") == [(0, 1), (1_000, 0)]
    assert bench.levels("valve") == [(0, 1), (1_000, 0)]


@pytest.mark.parametrize("tick_ns", [4000, 500])
def test_spans_are_kept_in_ticks_of_any_length(tick_ns: int) -> None:
    bench = ChipBench(VALVE, SPEAKER, tick_ns=tick_ns)
    bench.at(400, bench.order, Pulse("valve", 40_000), Ramp("speaker", 100, 0, 2_000, 4_000, 2))
    bench.run(1_000_000)
    assert bench.levels("valve") == [(400, 1), (40_400, 0)]
    assert [t_us for t_us, _ in bench.levels("speaker")] == [400, 2_400, 4_400, 6_400]
