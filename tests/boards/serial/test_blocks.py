"""Sources of a board on a wire: their blocks, what of them is lost, and thresholds as events."""

import asyncio
from dataclasses import replace
from itertools import pairwise

import pytest

from rig.boards.chips import CHIPS
from rig.boards.serial.blocks import BlockReader
from rig.boards.serial.board_clock import BoardClock
from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.core.errors import OrderRefusedError, WireError
from rig.core.model.actions import Arm, Pulse
from rig.core.model.board import AnalogSource, Block, EncoderSource, Threshold
from rig.core.model.events import Edge, LeaseExpired
from sim_hardware.board.chip import Capacity
from sim_hardware.link_model import LinkFaults
from tests.boards.conftest import WIRING

LEVER, WHEEL = AnalogSource("lever", 14, 1_000), EncoderSource("wheel", 2, 4, 10_000)
FAR = Threshold("wheel", "far", 0, 0, 0, source="wheel", below=50, above=100)
SAMPLED = replace(WIRING, channels=(*WIRING.channels, FAR), sources=(LEVER, WHEEL))


def values_of(blocks: list[Block], source: str) -> list[tuple[int, int]]:
    return [
        pair for block in blocks if block.source == source for pair in zip(block.times_us, block.values, strict=True)
    ]


def turn_steadily(rig) -> None:
    """Turn the wheel by one step every 10 ms, so that each value tells when it was sampled."""

    async def turn() -> None:
        while True:
            now_us = (rig.board.ticks.now() - rig.board.opened_at) * rig.board.ticks.tick_ns // 1000
            rig.board.chip.sources.set_value(WHEEL.pin_a, now_us // 10_000)
            await asyncio.sleep(0.01)

    rig.turning = asyncio.get_running_loop().create_task(turn())


@pytest.mark.parametrize("chip", [{}, {"tick_ns": 500, "start": 0xFFF0_0000}, {"ppm": 3_000.0}], ids=str)
async def test_values_come_with_their_times_on_the_axis_of_the_session(bench, chip):
    rig = bench(**chip)
    await rig.open(SAMPLED)
    turn_steadily(rig)
    await asyncio.sleep(2.0)
    await rig.host.close()
    rig.turning.cancel()
    found = values_of(rig.blocks, "wheel")
    assert len(found) >= 200
    assert {later - earlier for (earlier, _), (later, _) in pairwise(found)} == {10_000}
    # The wheel was turned once in each period of the loop, whose clock may run at another rate than the board's.
    assert all(abs(t_us - 10_000 * value) <= 20_000 for t_us, value in found[1:])
    assert {(block.lost, block.unsent) for block in rig.blocks} == {(0, 0)}


async def test_the_last_values_come_before_the_port_is_closed(bench):
    rig = bench()
    await rig.open(SAMPLED)
    await asyncio.sleep(1.234)
    await rig.host.close()
    first, last = (values_of(rig.blocks, "lever")[place][0] for place in (0, -1))
    assert last - first == 1_000 * (len(values_of(rig.blocks, "lever")) - 1)
    assert abs(last - 1_240_000) < 20_000


@pytest.mark.parametrize("seed", range(8))
async def test_on_a_bad_cable_every_lost_block_is_counted_and_no_value_is_wrong(bench, seed):
    faults = {"flip": 0.002} if seed % 2 else {"drop": 0.002, "double": 0.001}
    rig = bench(LinkFaults(seed=seed, **faults))
    await rig.open(SAMPLED)
    turn_steadily(rig)
    await asyncio.sleep(5.0)
    await rig.host.close()
    rig.turning.cancel()
    for source, per_block in (("lever", 51), ("wheel", 10)):
        blocks = [block for block in rig.blocks if block.source == source]
        period_us = {"lever": 1_000, "wheel": 10_000}[source]
        for earlier, later in pairwise(blocks):
            # All blocks but the last are full, so the gap in time says how many are missing.
            assert later.times_us[0] - earlier.times_us[0] == (later.lost + 1) * per_block * period_us
    assert sum(block.lost for block in rig.blocks) > 0
    # It is turned from the end of the opening on, which repetitions make late.
    assert all(abs(t_us - 10_000 * value) <= 20_000 for t_us, value in values_of(rig.blocks, "wheel") if value)


def samples(number: int, unsent: int = 0, stamp: int = 0, period: int = 1_000, source: int = 0) -> wire.Message:
    """Return a block of the lever, as the board should send it or not."""
    return wire.SAMPLES.code, source, number, unsent, stamp, period, (1, 2, 3)


def test_blocks_that_the_board_could_not_send_are_told_from_those_that_the_cable_lost() -> None:
    reader = BlockReader((LEVER,), BoardClock(1_000))
    told = [reader.read(samples(*block)) for block in [(0, 0), (1, 0), (5, 2), (6, 2)]]
    assert [(block.lost, block.unsent) for block in told] == [(0, 0), (0, 0), (3, 2), (0, 0)]


def test_after_hours_without_a_host_all_lost_blocks_are_counted_and_the_first_65535_are_said_to_be_unsent() -> None:
    reader = BlockReader((LEVER,), BoardClock(1_000))
    assert reader.read(samples(0xC000, 0x8000))[3:] == (0xC000, 0x8000)
    assert reader.read(samples(0x3_C001, 0xFFFF))[3:] == (0x3_0000, 0x7FFF)
    assert reader.read(samples(0x3_C003, 0xFFFF))[3:] == (1, 0)


@pytest.mark.parametrize("tick_ns", [500, 1_000, 4_000])
def test_the_values_of_a_block_are_a_period_of_the_boards_ticks_apart(tick_ns: int) -> None:
    clock = BoardClock(tick_ns)
    clock.begin(0xFFFF_FF00)
    # 1,002 us are 250.5 ticks of 4 us: the board takes 250.
    reader = BlockReader((replace(LEVER, period_us=1_002),), clock)
    block = reader.read(samples(0, stamp=0xFFFF_FF00, period=1_002_000 // tick_ns))
    assert block.times_us == ([0, 1_000, 2_000] if tick_ns == 4_000 else [0, 1_002, 2_004])


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (samples(1, source=200), "values of source 200, which the board was not given"),
        (samples(1, period=0x5000_0000), "values of lever every 1342177280 us, ordered were 1000 us"),
        (samples(0), "block 0 of lever behind block 0, and no block is sent twice"),
        (samples(5, unsent=5), "5 blocks of lever that could not be sent, but 4 are missing"),
    ],
)
def test_a_block_that_no_order_explains_is_refused_and_moves_no_clock(message: wire.Message, said: str) -> None:
    clock = BoardClock(1_000)
    reader = BlockReader((LEVER,), clock)
    reader.read(samples(0, stamp=1_000_000))
    with pytest.raises(ValueError, match=f"^{said}$"):
        reader.read(message)
    assert clock.t_us(1_100_000) == 1_100_000
    assert reader.read(samples(1, stamp=1_003_000)).lost == 0


async def test_a_block_of_an_earlier_session_is_ignored(bench):
    rig = bench()
    await rig.open(SAMPLED)
    await asyncio.sleep(1.0)
    rig.next_host(2)
    rig.blocks.clear()
    opening = asyncio.get_running_loop().create_task(rig.open(SAMPLED))
    await asyncio.sleep(1.0)
    await opening
    assert next(block.times_us[0] for block in rig.blocks if block.source == "wheel") < 50_000
    assert {block.lost for block in rig.blocks} == {0}


async def test_a_block_of_a_source_that_was_not_configured_ends_the_session(bench):
    rig = bench()
    await rig.open(SAMPLED)
    rig.cable.to_host.deliver(frame.encode(wire.COUNTS.pack_values(7, 0, 0, 0, 10, values=[1])))
    assert isinstance(rig.inbox.failure, WireError)
    assert str(rig.inbox.failure).endswith("values of source 7, which the board was not given")


async def test_a_reflex_on_a_threshold_gives_a_drop(bench):
    rig = bench()
    await rig.open(SAMPLED)
    rig.host.batch([Arm(1, None, (("wheel.far", 1, Pulse("left.valve", 20_000)),))], 0, 0, 1)
    await asyncio.sleep(0.5)
    rig.board.chip.sources.set_value(WHEEL.pin_a, 100)
    await asyncio.sleep(0.5)
    (edge,) = rig.journal(Edge)
    assert (edge.channel, edge.level, edge.fired) == ("wheel.far", 1, 1)
    assert [value for _, pin, value in rig.pins if pin == 3] == [1, 0]


async def test_sampling_goes_on_over_an_expired_lease(bench):
    rig = bench()
    await rig.open(SAMPLED)
    await asyncio.sleep(1.0)
    lost = rig.to_board
    rig.to_board = lambda payload: None
    await asyncio.sleep(3.0)
    rig.to_board = lost
    await asyncio.sleep(3.0)
    assert len(rig.journal(LeaseExpired)) == 1
    found = values_of(rig.blocks, "wheel")
    assert {later - earlier for (earlier, _), (later, _) in pairwise(found)} == {10_000}
    assert found[-1][0] > 6_500_000


# --- what is refused ----------------------------------------------------------------------------------------


async def test_a_board_that_samples_nothing_is_refused_before_it_is_opened(bench):
    rig = bench(capacity=Capacity.of(CHIPS["uno"]))
    with pytest.raises(OrderRefusedError) as caught:
        await rig.open(SAMPLED)
    assert str(caught.value) == (
        "the rig file has 2 inputs to sample (lever, wheel), this board has room for 0: "
        "an Arduino Uno or Mega samples none; a Raspberry Pi Pico (`chip: pico`) does, "
        "and a simulated board (`driver: sim` without `chip:`)"
    )
    assert rig.sends(wire.OPEN) == []


async def test_a_board_with_room_for_fewer_sources_says_how_many_to_remove(bench):
    rig = bench(capacity=Capacity(sources=1))
    with pytest.raises(OrderRefusedError) as caught:
        await rig.open(SAMPLED)
    assert str(caught.value) == (
        "the rig file has 2 inputs to sample (lever, wheel), this board has room for 1: remove 1"
    )


async def test_a_source_that_the_board_refuses_is_named(bench):
    rig = bench()
    with pytest.raises(OrderRefusedError, match="rig file: lever: unknown"):
        await rig.open(replace(SAMPLED, sources=(replace(LEVER, period_us=0), WHEEL)))


async def test_a_threshold_beyond_32_bits_is_refused(bench):
    rig = bench()
    far = replace(FAR, above=1 << 31)
    with pytest.raises(OrderRefusedError, match=r"channel 'wheel\.far' is beyond what the wire can carry"):
        await rig.open(replace(SAMPLED, channels=(far,)))
