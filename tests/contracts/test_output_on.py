"""What every board reports of a dangerous output that goes on. ``pytest tests/contracts --board NAME``."""

import pytest

from rig.core.model.actions import NOTHING, Action, Arm, Load, Pulse, Ramp, Set, Start, Tone, Train
from rig.core.model.events import Edge, OutputOn, Overflow, SequenceStarted
from tests.contracts.bench import ContractBench

LIGHT_ON, LIGHT_OFF = Set("light", True), Set("light", False)
DROP = Pulse("valve", 40_000)
ACTIONS: dict[str, Action] = {
    "set": Set("feeder", True),
    "pulse": Pulse("feeder", 50_000),
    "train": Train("feeder", 3_000, 10_000, 3),
    "train without gaps": Train("feeder", 3_000, 3_000, 3),
    "tone": Tone("speaker", 4_000, 50_000),
    "ramp": Ramp("speaker", 2_000, 500, 20_000, 50_000, 3),
}


@pytest.mark.parametrize("action", ACTIONS.values(), ids=list(ACTIONS))
async def test_an_output_that_goes_on_is_reported_once_with_the_order_that_switched_it_on(
    rig: ContractBench, action: Action
) -> None:
    name = action.output  # type: ignore[union-attr]
    rig.order(LIGHT_ON, LIGHT_OFF, action)
    await rig.until(400_000)
    # Their times decide how the entries of a sequence are counted.
    rig.order(Load(3, ((20_000, action), (10_000, LIGHT_ON))), Start(3))
    await rig.until(800_000)
    rig.order(Arm(9, None, (("lever", 1, NOTHING), ("plain", 1, action))))
    rig.at(850_000, "plain", 1)
    await rig.until(1_200_000)
    assert rig.went_on() == [(name, "order", 1, 2), (name, "sequence", 3, 1), (name, "reflex", 9, 1)]
    rises = [t_us for t_us, value in rig.levels(name) if value]
    first = [min(t_us for t_us in rises if t_us > since_us) for since_us in (0, 400_000, 800_000)]
    within_us = rig.punctual_us + rig.order_us + (rig.fade_us if name == "speaker" else 0)
    told = [event.t_us for event in rig.events(OutputOn)]
    assert all(abs(a - b) <= within_us for a, b in zip(told, first, strict=True)), (told, first)


async def test_only_dangerous_outputs_are_reported_to_go_on(rig: ContractBench) -> None:
    rig.order(LIGHT_ON, Set("lamp", True))
    rig.order(LIGHT_OFF, Pulse("light", 5_000))
    await rig.until(100_000)
    assert len(rig.batches()) == 2
    assert rig.went_on() == []


async def test_what_switches_nothing_on_is_not_reported_to(rig: ContractBench) -> None:
    rig.order(DROP, DROP, Pulse("feeder", 300_000), Set("feeder", False), Set("one", True), Set("one", True))
    rig.order(Pulse("other", 5_000), Train("speaker", 5_000, 10_000, 0), Start(7))
    await rig.until(200_000)
    assert rig.went_on() == [("valve", "order", 1, 0), ("one", "order", 1, 4)]


async def test_an_output_that_goes_on_again_is_reported_again(rig: ContractBench) -> None:
    rig.order(Set("valve", True), Set("valve", False), DROP)
    await rig.until(100_000)
    assert rig.went_on() == [("valve", "order", 1, 0), ("valve", "order", 1, 2)]


async def test_a_train_that_is_stopped_and_ordered_again_is_reported_twice(rig: ContractBench) -> None:
    train = Train("feeder", 5_000, 20_000, 3)
    rig.order(train)
    await rig.order_at(30_000, Set("feeder", False), train)
    await rig.until(200_000)
    assert rig.went_on() == [("feeder", "order", 1, 0), ("feeder", "order", 2, 1)]


async def test_an_output_is_reported_to_go_on_before_the_edge_that_fired_it(rig: ContractBench) -> None:
    rig.order(Arm(1, None, (("plain", 1, DROP),)))
    rig.at(50_000, "plain", 1)
    await rig.until(150_000)
    (on,), (edge,) = rig.events(OutputOn), rig.events(Edge)
    assert on.number + 1 == edge.number
    assert 0 <= on.t_us - edge.t_us <= rig.reflex_us


async def test_a_reflex_names_the_member_of_the_group_that_was_armed_last(rig: ContractBench) -> None:
    rig.order(Arm(1, None, (("plain", 1, DROP), ("lever", 1, DROP))))
    rig.order(Arm(1, None, (("left", 0, DROP), ("lever", 1, DROP), ("plain", 0, NOTHING), ("plain", 1, DROP))))
    rig.at(50_000, "plain", 1)
    await rig.until(150_000)
    assert rig.went_on() == [("valve", "reflex", 1, 3)]


async def test_a_sequence_that_a_reflex_or_another_sequence_starts_is_itself_the_cause(rig: ContractBench) -> None:
    rig.order(Load(2, ((0, LIGHT_ON), (5_000, DROP))))
    rig.order(Load(1, ((10_000, Start(2)),)), Start(1), Arm(4, None, (("plain", 1, Start(2)),)))
    rig.at(150_000, "plain", 1)
    await rig.until(300_000)
    assert rig.went_on() == [("valve", "sequence", 2, 1)] * 2
    started = [(event.sequence, event.cause, event.by) for event in rig.events(SequenceStarted)]
    assert started == [(1, "order", 2), (2, "sequence", 1), (2, "reflex", 4)]


async def test_each_run_of_a_sequence_is_reported(rig: ContractBench) -> None:
    rig.order(Load(1, ((20_000, DROP), (0, Pulse("feeder", 5_000)))), Start(1))
    await rig.order_at(100_000, Start(1))
    await rig.until(200_000)
    assert rig.went_on() == [("feeder", "sequence", 1, 0), ("valve", "sequence", 1, 1)] * 2


async def test_an_output_that_a_sequence_left_on_is_not_reported_by_another_order(rig: ContractBench) -> None:
    rig.order(Load(1, ((0, Set("feeder", True)),)), Start(1))
    await rig.order_at(50_000, Set("feeder", True))
    await rig.until(100_000)
    assert rig.went_on() == [("feeder", "sequence", 1, 0)]


async def test_a_refused_entry_is_reported_beside_the_orders_and_never_a_refused_reflex(rig: ContractBench) -> None:
    drops = tuple((at_us, Pulse("one", 5_000)) for at_us in (80_000, 0, 40_000))
    rig.order(Load(5, drops))
    rig.order(Pulse("other", 60_000), Start(5), Pulse("one", 5_000))
    rig.order(Arm(1, None, (("plain", 1, Pulse("one", 5_000)),)))
    rig.at(50_000, "plain", 1)
    await rig.until(200_000)
    assert rig.refused_entries() == [(5, 0, "interlock"), (5, 1, "interlock")]
    assert rig.refusals() == [(2, "interlock")]
    assert rig.edges() == [("plain", 1, 0)]
    assert rig.went_on() == [("other", "order", 2, 0), ("one", "sequence", 5, 2)]


async def test_a_lost_report_that_an_output_went_on_is_among_the_effects(rig: ContractBench) -> None:
    rig.needs("block_input")
    room = rig.opened.limits.events
    full_us = 100_000 + 1_000 * (room + 15)
    rig.order(Load(1, ((full_us, DROP), (full_us, Pulse("light", 5_000)))), Start(1))
    for place in range(room + 30):
        rig.at(100_000 + 1_000 * place, "plain", (place + 1) % 2)
    await rig.until(50_000)
    rig.block_input(True)  # type: ignore[attr-defined]
    await rig.until(full_us + 300_000)
    rig.block_input(False)  # type: ignore[attr-defined]
    rig.board.ask_time(0)
    await rig.until(full_us + 2_000_000)
    (overflow,) = rig.events(Overflow)
    assert (overflow.effects, overflow.executed) == (1, 1)
    assert rig.went_on() == []
    assert [value for _, value in rig.levels("valve")] == [1, 0]
