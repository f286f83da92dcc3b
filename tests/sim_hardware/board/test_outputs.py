"""Outputs: what an order makes of a pin, and how every output ends by itself."""

from collections.abc import Callable

import pytest

from rig.core.model.actions import Order, Pulse, Ramp, Set, Stop, Tone, Train
from tests.sim_hardware.board.chip_bench import LIGHT, ChipBench

ON, OFF = Set("light", True), Set("light", False)


@pytest.fixture
def bench() -> ChipBench:
    return ChipBench()


def test_a_long_train_does_not_drift(bench: ChipBench) -> None:
    bench.order(Train("light", 333, 1_001, 5_000))
    bench.run(6_000_000)
    assert bench.levels("light")[-2:] == [(4_999 * 1_001, 1), (4_999 * 1_001 + 333, 0)]


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
    assert [event for event in bench.events if event[1] != "refused"] == alone.events


def test_an_action_right_at_the_end_of_another_is_accepted(bench: ChipBench) -> None:
    bench.order(Pulse("valve", 10_000))
    bench.at(10_000, bench.order, Pulse("valve", 10_000))
    bench.run(50_000)
    assert bench.levels("valve") == [(0, 1), (10_000, 0), (10_000, 1), (20_000, 0)]


# --- limits -------------------------------------------------------------------------------------------------


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


# --- what went on -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", ACTIONS)
def test_a_dangerous_output_is_reported_to_go_on_once_for_each_order(bench: ChipBench, action: str) -> None:
    for at_us in (1_000, 200_000):
        bench.at(at_us, bench.order, OFF, ACTIONS[action]("valve"))
    bench.run(1_000_000)
    batches = bench.batches
    assert bench.said("on") == [(1_000, "valve", "order", batches - 1, 1), (200_000, "valve", "order", batches, 1)]


def test_a_set_output_is_reported_to_go_on_when_it_was_off(bench: ChipBench) -> None:
    bench.order(Set("valve", True), Set("valve", True), Set("valve", False), Set("valve", True))
    bench.order(Set("valve", True))
    first = bench.batches - 1
    assert bench.said("on") == [(0, "valve", "order", first, 0), (0, "valve", "order", first, 3)]


@pytest.mark.parametrize("action", ACTIONS)
def test_a_light_is_not_reported_to_go_on(bench: ChipBench, action: str) -> None:
    bench.order(ACTIONS[action]("light"))
    bench.order(ON)
    bench.run(1_000_000)
    assert bench.levels("light")
    assert bench.said("on") == []


def test_an_empty_train_ends_and_is_not_reported_to_go_on(bench: ChipBench) -> None:
    assert bench.order(Train("valve", 1_000, 2_000, 0)) == []
    bench.run(10_000)
    assert (bench.said("on"), bench.said("done"), bench.trace) == ([], [(0, "valve", "finished")], [])


# --- other --------------------------------------------------------------------------------------------------


def test_an_output_that_was_never_wired_is_unknown() -> None:
    bench = ChipBench(LIGHT)
    bench._writer._number["ghost"] = 9
    for order in (Set("ghost", True), *(make("ghost") for make in ACTIONS.values())):
        assert bench.order(order) == [(0, "unknown")]


def test_stopping_an_unknown_sequence_is_harmless(bench: ChipBench) -> None:
    assert bench.order(Stop(7)) == []


def test_wiring_an_output_again_switches_it_off(bench: ChipBench) -> None:
    bench.order(ON, Set("valve", True))
    bench.run(1_000)
    bench.configure()
    bench.run(1_000_000)
    assert bench.levels("light") == [(0, 1), (1_000, 0)]
    assert bench.levels("valve") == [(0, 1), (1_000, 0)]


def test_a_chip_counts_the_outputs_that_went_off_at_their_limit(bench: ChipBench) -> None:
    bench.order(Set("valve", True))
    bench.run(1_000_000)
    assert bench.chip.limits_hit == 1


def test_a_ramp_that_falls_below_0_hz_is_silent_as_on_a_chip(bench: ChipBench) -> None:
    assert bench.order(Ramp("speaker", 300, -200, 10_000, 20_000, 4)) == []
    bench.run(1_000_000)
    assert bench.levels("speaker") == [(0, 300), (10_000, 0), (20_000, 100), (30_000, 0)]
