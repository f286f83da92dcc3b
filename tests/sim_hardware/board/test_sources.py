"""Sources of the simulated board: samples and counts in blocks, and thresholds that are edges like any other."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.boards.chips import CHIPS
from rig.boards.wire import messages as wire
from rig.core.model.actions import Arm, Pulse
from rig.core.model.board import AnalogSource, EncoderSource, Threshold
from sim_hardware.board.chip import Capacity
from tests.sim_hardware.board.board_bench import BoardBench
from tests.sim_hardware.board.chip_bench import USUAL, VALVE

MS = 1_000
FAR = Threshold("wheel", "far", 0, 0, 0, source="wheel", below=50, above=100)
PRESSED = Threshold("lever", "pressed", 0, 0, 0, source="lever", below=400, above=600)
LEVER, WHEEL = AnalogSource("lever", 14, 1 * MS), EncoderSource("wheel", 2, 3, 10 * MS)


def opened(*thresholds: Threshold, **settings: Any) -> BoardBench:
    bench = BoardBench(channels=(VALVE, *thresholds), sources=(LEVER, WHEEL), **settings)
    bench.open()
    bench.keep_alive(10_000 * MS)
    return bench


def blocks(bench: BoardBench, kind: wire.Kind) -> list[Any]:
    return bench.said(kind.name)


def sampled(bench: BoardBench, kind: wire.Kind) -> list[tuple[int, int]]:
    """List all values with their times in microseconds."""
    return [
        (block["stamp"] + place * block["period_ticks"], value)
        for block in blocks(bench, kind)
        for place, value in enumerate(block["count"])
    ]


def edges(bench: BoardBench) -> list[tuple[int, str, int]]:
    # The board repeats those that are not acknowledged yet.
    return list(
        dict.fromkeys(
            (edge["stamp"], bench.channels[edge["channel"] & 0x7F].name, edge["channel"] >> 7)
            for edge in bench.said("EDGE")
        )
    )


changes = st.lists(st.tuples(st.integers(0, 900 * MS), st.integers(-2_000, 2_000)), max_size=12).map(sorted)


def value_at(t_us: int, steps: list[tuple[int, int]]) -> int:
    return ([0] + [value for at_us, value in steps if at_us <= t_us])[-1]


@pytest.mark.parametrize(("source", "kind"), [(LEVER, wire.SAMPLES), (WHEEL, wire.COUNTS)], ids=["lever", "wheel"])
@given(steps=changes)
def test_every_value_is_that_of_its_time(source: Any, kind: wire.Kind, steps: list[tuple[int, int]]) -> None:
    bench = opened()
    for t_us, value in steps:
        bench.at(t_us, bench.value, source.name, value)
    bench.run(1_000 * MS)
    found = sampled(bench, kind)
    assert [t_us for t_us, _ in found] == list(range(0, len(found) * source.period_us, source.period_us))
    assert found[-1][0] > 900 * MS
    # Of two changes within one instant, and of one at a sample that a full block has taken, either may come first.
    exact = {t_us for t_us, _ in steps}
    assert all(value == value_at(t_us, steps) for t_us, value in found if t_us not in exact)


def test_a_block_is_sent_when_it_is_full_or_a_tenth_of_a_second_old() -> None:
    bench = opened()
    bench.run(250 * MS)
    assert [(b["block"], b["stamp"], len(b["count"]), b["at_us"]) for b in blocks(bench, wire.SAMPLES)] == [
        (number, 51 * number * MS, 51, (51 * number + 50) * MS) for number in range(4)
    ]
    assert [(b["block"], b["stamp"], len(b["count"]), b["at_us"]) for b in blocks(bench, wire.COUNTS)] == [
        (0, 0, 10, 90 * MS),
        (1, 100 * MS, 10, 190 * MS),
    ]
    assert {block["lost"] for block in bench.said("SAMPLES", "COUNTS")} == {0}


def test_a_converter_saturates_and_a_counter_wraps() -> None:
    bench = opened()
    bench.value("lever", 40_000)
    bench.value("wheel", 1 << 31)
    bench.run(300 * MS)
    assert sampled(bench, wire.SAMPLES)[-1][1] == 0x7FFF
    assert sampled(bench, wire.COUNTS)[-1][1] == -(1 << 31)


# --- thresholds ---------------------------------------------------------------------------------------------


def test_a_threshold_is_an_edge_at_the_time_of_the_sample_and_has_hysteresis() -> None:
    bench = opened(PRESSED)
    for t_us, value in [(1_500, 599), (2_500, 600), (5_200, 401), (6_200, 700), (9_900, 400), (12_000, 401)]:
        bench.at(t_us, bench.value, "lever", value)
    bench.run(50 * MS)
    assert edges(bench) == [(3 * MS, "lever.pressed", 1), (10 * MS, "lever.pressed", 0)]


@given(steps=changes)
def test_a_threshold_on_counts_follows_every_count(steps: list[tuple[int, int]]) -> None:
    bench = opened(FAR)
    for t_us, value in steps:
        bench.at(t_us, bench.value, "wheel", value)
    bench.run(1_000 * MS)
    expected, level = [], 0
    for t_us, value in sampled(bench, wire.COUNTS):
        wanted = 1 if value >= FAR.above else 0 if value <= FAR.below else level
        if wanted != level:
            level = wanted
            expected.append((t_us, "wheel.far", level))
    assert [edge for edge in edges(bench) if edge[0] <= sampled(bench, wire.COUNTS)[-1][0]] == expected


def test_the_filters_of_inputs_hold_for_a_threshold() -> None:
    slow = Threshold("lever", "held", 0, 20 * MS, 0, True, source="lever", below=10, above=20)
    bench = opened(slow)
    # Inverted: on while the value is low, and so from the first on.
    for t_us, value in [(30 * MS, 20), (40 * MS, 10), (50 * MS, 20), (80 * MS, 10), (110 * MS, 15)]:
        bench.at(t_us, bench.value, "lever", value)
    bench.run(200 * MS)
    assert edges(bench) == [
        (0, "lever.held", 1),
        (30 * MS, "lever.held", 0),
        (80 * MS, "lever.held", 1),
    ]


def test_a_reflex_on_a_threshold_gives_a_drop_without_the_host() -> None:
    bench = opened(FAR)
    bench.order(Arm(3, None, (("wheel.far", 1, Pulse(VALVE.name, 40 * MS)),)))
    bench.at(123 * MS, bench.value, "wheel", 150)
    bench.run(300 * MS)
    assert bench.levels(VALVE.name) == [(130 * MS, 1), (170 * MS, 0)]
    assert {(edge["stamp"], edge["fired"]) for edge in bench.said("EDGE")} == {(130 * MS, 3)}


# --- the end ------------------------------------------------------------------------------------------------


def test_all_off_is_answered_behind_the_last_values_and_ends_the_sampling() -> None:
    bench = opened()
    bench.run(75 * MS)
    bench.send(wire.ALL_OFF, 1)
    assert [m["kind"] for m in bench.messages[-3:]] == ["SAMPLES", "COUNTS", "ALL_OFF_DONE"]
    assert sampled(bench, wire.SAMPLES)[-1][0] == 75 * MS
    assert sampled(bench, wire.COUNTS)[-1][0] == 70 * MS
    before = len(bench.said("SAMPLES", "COUNTS"))
    bench.run(1_000 * MS)
    assert len(bench.said("SAMPLES", "COUNTS")) == before


def test_a_new_session_counts_its_blocks_and_its_steps_from_0() -> None:
    bench = opened()
    bench.at(50 * MS, bench.value, "wheel", 77)
    bench.run(250 * MS)
    bench.open(nonce=2)
    before = len(bench.said("COUNTS"))
    bench.run(450 * MS)
    first = bench.said("COUNTS")[before]
    assert (first["block"], first["stamp"], set(first["count"])) == (0, 250 * MS, {0})


# --- what is refused ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        (wire.ORDER_SAMPLE.pack(8, 14, 1_000), "no_room"),
        (wire.ORDER_COUNT.pack(8, 2, 3, 1_000), "no_room"),
        (wire.ORDER_SAMPLE.pack(0, 14, 0), "unknown"),
        (wire.ORDER_THRESHOLD.pack(1, 5, 0, 1, 0, 0, 0, 0), "unknown"),
        (wire.ORDER_THRESHOLD.pack(1, 0, 1, 1, 0, 0, 0, 0), "unknown"),
        (wire.ORDER_THRESHOLD.pack(32, 0, 0, 1, 0, 0, 0, 0), "no_room"),
    ],
)
def test_what_the_board_cannot_sample_is_refused(order: bytes, reason: str) -> None:
    assert opened().configure(order) == [reason]


@pytest.mark.parametrize(
    "kind", [wire.ORDER_SAMPLE, wire.ORDER_COUNT, wire.ORDER_THRESHOLD], ids=lambda kind: kind.name
)
def test_a_board_like_an_avr_knows_no_such_order(kind: wire.Kind) -> None:
    bench = BoardBench(channels=USUAL, capacity=Capacity.of(CHIPS["uno"]))
    bench.open()
    assert bench.configure(kind.pack(*range(len(kind.layout)))) == ["unknown"]


def test_a_source_is_configured_in_a_batch_of_its_own() -> None:
    bench = opened()
    head = wire.BATCH.pack(bench.epoch, bench.number + 1, 0, 0, 1 | wire.MORE_FRAMES)
    bench.receive(head + wire.ORDER_SAMPLE.pack(0, 14, 1_000))
    bench.number += 1
    assert bench.configure(wire.ORDER_NOTHING.pack()) == ["unknown"]


def test_a_threshold_goes_off_below_the_value_at_which_it_goes_on() -> None:
    with pytest.raises(ValueError, match="must be less"):
        Threshold("lever", "pressed", source="lever", below=5, above=5)


@pytest.mark.parametrize(
    ("order", "reasons"),
    [
        (wire.ORDER_SAMPLE.pack(2, 26, 1_000), []),
        (wire.ORDER_SAMPLE.pack(2, 25, 1_000), ["unknown"]),
        (wire.ORDER_COUNT.pack(2, 5, 4, 1_000), []),
        (wire.ORDER_COUNT.pack(2, 4, 6, 1_000), ["unknown"]),
        (wire.ORDER_COUNT.pack(7, 4, 6, 1_000), ["no_room"]),
    ],
)
def test_a_board_like_a_pico_samples_at_the_pins_that_can_be(order: bytes, reasons: list[str]) -> None:
    bench = BoardBench(channels=USUAL, capacity=Capacity.of(CHIPS["pico"]))
    bench.open()
    assert bench.configure(order) == reasons
