"""What a board that samples promises: every value at its time, exact counts, and thresholds that are edges."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from rig.core.model.actions import Arm, Pulse, Set
from rig.core.model.board import AnalogSource, EncoderSource, Threshold
from rig.core.model.events import Edge, Flood
from tests.contracts.bench import WIRING, ContractBench

pytestmark = pytest.mark.usefixtures("sampling")

LEVER, WHEEL = AnalogSource("lever", 26, 1_000), EncoderSource("wheel", 20, 21, 5_000)
OTHERS = (AnalogSource("force", 27, 1_000), AnalogSource("lick", 28, 1_000))
PRESSED = Threshold("lever", "pressed", 0, 0, 0, source="lever", below=400, above=600)
FAR = Threshold("wheel", "far", 0, 0, 0, source="wheel", below=50, above=100)
HELD = Threshold("force", "held", 0, 20_000, 0, source="force", below=10, above=20)
SAMPLED = replace(WIRING, channels=(*WIRING.channels, PRESSED, FAR, HELD), sources=(LEVER, WHEEL, *OTHERS))


@pytest.fixture
def conditions() -> Mapping[str, Any]:
    return {"wiring": SAMPLED}


def values(rig: ContractBench, source: str) -> list[tuple[int, int]]:
    """List the values of a source with their times; nothing is lost between them."""
    own = [block for block in rig.blocks if block.source == source]
    assert {(block.lost, block.unsent) for block in own} == {(0, 0)}
    found = [pair for block in own for pair in zip(block.times_us, block.values, strict=True)]
    period = next(each.period_us for each in SAMPLED.sources if each.name == source)
    assert {later - earlier for (earlier, _), (later, _) in pairwise(found)} == {period}
    return found


def edges(rig: ContractBench, channel: str) -> list[tuple[int, int]]:
    return [(event.t_us, event.level) for event in rig.events(Edge) if event.channel == channel]


async def test_every_value_is_that_of_its_time(rig: ContractBench) -> None:
    steps = [(50_300, 7), (120_700, 4095), (121_500, 0), (180_300, 2048)]
    for t_us, value in steps:
        rig.set_value(t_us, "lever", value)
    await rig.until(230_000)
    await rig.close()
    found = values(rig, "lever")
    assert found[-1][0] > 228_000
    for t_us, value in found:
        expected = ([0] + [level for at_us, level in steps if at_us <= t_us - 20])[-1]
        assert value == expected or any(abs(t_us - at_us) < 20 for at_us, _ in steps)


async def test_an_encoder_is_counted_exactly_in_both_directions(rig: ContractBench) -> None:
    turns = [(50_000, 1), (90_000, -1), (130_000, 500), (170_000, -499), (210_000, 7)]
    for t_us, count in turns:
        rig.set_value(t_us, "wheel", count)
    await rig.until(250_000)
    await rig.close()
    # A wheel takes 0.5 us for each step.
    ends = {count for t_us, count in values(rig, "wheel") if not any(0 <= t_us - at_us < 1_000 for at_us, _ in turns)}
    assert ends == {0, *(count for _, count in turns)}
    assert values(rig, "wheel")[-1][1] == 7


async def test_a_threshold_is_an_edge_at_the_time_of_the_first_sample_beyond_it(rig: ContractBench) -> None:
    for t_us, value in [(50_300, 599), (60_300, 600), (70_300, 401), (80_300, 400)]:
        rig.set_value(t_us, "lever", value)
    await rig.until(150_000)
    (on, off) = edges(rig, "lever.pressed")
    await rig.close()
    times = [t_us for t_us, _ in values(rig, "lever")]
    assert [on, off] == [(min(t for t in times if t > at), level) for at, level in ((60_300, 1), (80_300, 0))]


async def test_the_filters_of_inputs_hold_for_a_threshold(rig: ContractBench) -> None:
    for t_us, value in [(50_300, 20), (60_300, 5), (90_300, 30), (150_300, 0)]:
        rig.set_value(t_us, "force", value)
    await rig.until(200_000)
    assert [
        (rig.near(t_us, at), level)
        for (t_us, level), at in zip(edges(rig, "force.held"), (91_000, 151_000), strict=True)
    ]
    assert [level for _, level in edges(rig, "force.held")] == [1, 0]


async def test_a_threshold_drives_its_output_within_a_period_and_10_us(rig: ContractBench) -> None:
    rig.order(Arm(1, None, (("lever.pressed", 1, Pulse("valve", 20_000)), ("wheel.far", 1, Set("light", True)))))
    rig.set_value(60_300, "lever", 700)
    await rig.until(100_000)
    ((on_us, _, _), _) = [pin for pin in rig.pins() if pin[1] == "valve"]
    ((edge_us, _),) = edges(rig, "lever.pressed")
    assert on_us - 60_300 <= LEVER.period_us + 10 + rig.resolution_us
    assert on_us - edge_us <= 10 + rig.resolution_us


async def test_nothing_is_lost_beside_edges_orders_and_a_wheel_of_20000_steps_a_second(rig: ContractBench) -> None:
    begin_us, end_us = 60_000, 340_000
    for t_us in range(begin_us, end_us, 1_000):
        rig.set_value(t_us + 200, "wheel", (t_us + 1_000 - begin_us) // 50)
        rig.at(t_us, "plain", t_us // 1_000 % 2)
        rig.at(t_us + 500, "lever", t_us // 1_000 % 2)
    for t_us in range(begin_us, end_us, 10_000):
        await rig.order_at(t_us, Set("light", t_us % 20_000 == 0), Pulse("one", 2_000))
    await rig.until(360_000)
    await rig.close()
    assert rig.events(Flood) == []
    assert [len(values(rig, source)) >= 310 for source in ("lever", "force", "lick")] == [True] * 3
    for t_us, count in values(rig, "wheel"):
        turns = min(max(0, (t_us + 800 - begin_us) // 1_000), 280)
        assert abs(count - 20 * turns) <= 20
    assert values(rig, "wheel")[-1][1] == 280 * 20


async def test_a_new_session_counts_its_blocks_and_its_steps_from_0(rig: ContractBench) -> None:
    rig.set_value(50_000, "wheel", 77)
    await rig.until(150_000)
    await rig.close()
    await rig.connect()
    await rig.until(150_000)
    await rig.close()
    assert {count for _, count in values(rig, "wheel")} == {0}
