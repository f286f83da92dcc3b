"""What every board with a panic input promises. ``pytest tests/contracts/test_panic.py --board NAME``."""

from dataclasses import replace
from typing import Any

import pytest

from rig.core.errors import NotReadyError
from rig.core.model.actions import Arm, Load, Order, Pulse, Set, Start, Tone, Train
from rig.core.model.events import Edge, LeaseExpired, Overflow, Panic
from tests.contracts.bench import PANIC_WIRING, ContractBench

LIGHT_ON, LIGHT_OFF = Set("light", True), Set("light", False)
INVERTED = replace(PANIC_WIRING, panic=replace(PANIC_WIRING.panic, inverted=True))  # type: ignore[type-var]
BOTH_WIRINGS = pytest.mark.parametrize(
    "conditions", [{"wiring": PANIC_WIRING}, {"wiring": INVERTED}], ids=["high", "inverted"]
)


@pytest.fixture
def conditions() -> dict[str, Any]:
    return {"wiring": PANIC_WIRING}


@pytest.fixture(autouse=True)
def _has_a_button(rig: ContractBench) -> None:
    """Skip before a board is opened whose panic input has no lead on it."""
    rig.needs("panic")


def busy_orders() -> list[Order]:
    return [LIGHT_ON, Train("feeder", 50_000, 60_000, 60_000), Tone("speaker", 500, 900_000)]


async def start_everything(rig: ContractBench) -> None:
    """Have outputs on, a sequence running and a reflex armed, in three batches."""
    rig.order(*busy_orders())
    rig.order(Load(1, ((0, LIGHT_OFF), (1_000_000, Set("valve", True)))))
    rig.order(Arm(1, None, (("plain", 1, Pulse("valve", 40_000)),)), Start(1), Set("lamp", True))
    await rig.until(100_000)
    assert rig.on() >= {"lamp", "speaker"}


@BOTH_WIRINGS
async def test_a_panic_button_switches_everything_off_at_once_and_ends_all_that_was_planned(rig: Any) -> None:
    await start_everything(rig)
    rig.panic_at(200_000, 1)
    rig.at(300_000, "plain", 1)
    await rig.until(3_000_000)
    assert rig.on() == set()
    # Only now, because the end of a tone is heard a little later than it is recorded.
    assert max(t_us for t_us, _, _ in rig.pins()) <= 200_000 + rig.reflex_us + rig.punctual_us
    (panic,) = rig.events(Panic)
    assert (panic.board, panic.executed) == ("bench", 3)
    assert rig.near(panic.t_us, 200_000, ticks=2) or 0 <= panic.t_us - 200_000 <= rig.reflex_us
    assert rig.edges() == [("plain", 1, 0)]
    assert (await rig.close()).complete


async def test_a_released_button_changes_nothing_without_a_press(rig: Any) -> None:
    rig.order(LIGHT_ON)
    rig.at(50_000, "plain", 1)
    await rig.until(5_000_000)
    assert rig.events(Panic) == []
    assert rig.on() == {"light"}


async def test_a_short_press_is_enough_and_bounces_are_one_panic(rig: Any) -> None:
    await start_everything(rig)
    for place in range(6):
        rig.panic_at(200_000 + 1_000 * place, (place + 1) % 2)
    rig.panic_at(1_000_000, 1)
    await rig.until(2_000_000)
    assert len(rig.events(Panic)) == 1
    assert rig.on() == set()


async def test_after_a_panic_no_batch_is_executed_whatever_its_epoch(rig: Any) -> None:
    await start_everything(rig)
    rig.panic_at(200_000, 1)
    rig.panic_at(300_000, 0)
    await rig.until(400_000)
    driven, done = len(rig.pins()), len(rig.batches())
    rig.board.batch([LIGHT_ON], 0, 0, 4)  # made in ignorance of the panic
    rig.board.batch([LIGHT_ON], 0, 1, 1)  # of the epoch that the panic has begun
    await rig.until(3_000_000)
    assert len(rig.pins()) == driven
    assert len(rig.batches()) == done


async def test_an_order_on_its_way_during_a_panic_is_not_executed(rig: Any) -> None:
    await start_everything(rig)
    rig.block_input(True)
    rig.panic_at(200_000, 1)
    await rig.until(250_000)
    driven = len(rig.pins())
    rig.order(LIGHT_ON)
    await rig.until(300_000)
    rig.block_input(False)
    await rig.until(1_000_000)
    assert len(rig.pins()) == driven
    assert [panic.executed for panic in rig.events(Panic)] == [3]


async def test_the_time_is_still_answered_after_a_panic_and_no_lease_expires(rig: Any) -> None:
    await start_everything(rig)
    rig.panic_at(200_000, 1)
    await rig.until(300_000)
    before = len(rig.inbox.events)
    rig.board.ask_time(0)
    await rig.soon()
    assert [type(event).__name__ for event in list(rig.inbox.events)[before:]] == ["BoardTime"]
    rig.leash.mute = True
    await rig.until(6_000_000)
    rig.leash.mute = False
    await rig.until(8_000_000)
    assert rig.events(LeaseExpired) == []


async def test_a_panic_is_reported_although_the_event_buffer_is_full(rig: Any) -> None:
    rig.needs("block_input")
    await rig.soon()
    rig.block_input(True)
    room = rig.opened.limits.events
    for place in range(room + 30):
        rig.at(100_000 + 1_000 * place, "plain", (place + 1) % 2)
    end_us = 700_000 + 1_000 * room
    rig.panic_at(end_us - 200_000, 1)
    await rig.until(end_us)
    rig.block_input(False)
    rig.board.ask_time(0)
    await rig.until(end_us + 1_500_000)
    assert len(rig.events(Panic)) == 1
    (overflow,) = rig.events(Overflow)
    assert overflow.lost + len(rig.events(Edge)) == room + 30


async def test_a_panic_after_all_off_is_no_event(rig: Any) -> None:
    await start_everything(rig)
    rig.board.all_off()
    await rig.soon()
    rig.panic_at(300_000, 1)
    await rig.until(500_000)
    assert rig.events(Panic) == []
    assert (await rig.close()).complete


@BOTH_WIRINGS
def test_a_board_whose_panic_button_is_pressed_is_not_opened(rig: ContractBench, conditions: dict[str, Any]) -> None:
    words = r"the panic button of board bench \(pin \d+\) is pressed"
    rig.refuses(NotReadyError, words, **conditions, before={"panic": 1})
    assert {name for _, name, value in rig.pins() if value} <= {"lamp"}


async def test_opening_the_board_ends_a_panic_once_the_button_is_released(rig: Any) -> None:
    rig.needs("reconnect")
    await start_everything(rig)
    rig.panic_at(200_000, 1)
    await rig.until(400_000)
    await rig.board.close()
    driven = len(rig.pins())
    with pytest.raises(NotReadyError, match="is pressed; release it and start again"):
        await rig.connect()
    assert {name for _, name, value in rig.pins()[driven:] if value} <= {"lamp"}
    rig.press_panic(0)
    await rig.connect()
    rig.order(LIGHT_ON)
    await rig.soon()
    assert rig.events(Panic) == []
    assert rig.on() == {"light"}
    rig.press_panic(1)
    await rig.soon()
    assert len(rig.events(Panic)) == 1
    assert rig.on() == set()
