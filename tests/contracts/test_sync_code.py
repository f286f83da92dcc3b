"""What every board promises of a sync code: its edges follow from one stamp, until the output is switched off."""

from itertools import takewhile

import pytest

from rig.core.model.actions import Code, Pulse, Set, Train
from rig.core.model.events import LeaseExpired
from rig.core.model.sync_code import signal_edges
from tests.contracts.bench import LEASE_S, ContractBench

CODES = Code("light", 400_000, 10_000, 16, 0xC0FFEE, 3_000_000)
LONGEST = Code("light", 400_000, 10_000, 32, 1)
SQUARE = Code("light", 40_000, 20_000, 0, 0)


def wanted(order: Code, begun_us: int, until_us: int) -> list[tuple[int, int]]:
    """Compute the edges that the host expects."""
    edges = signal_edges(order.period_us, order.bit_us, order.bits, order.seed, order.first)
    before = takewhile(lambda edge: begun_us + edge[0] < until_us, edges)
    return [(begun_us + after_us, level) for after_us, level, _ in before]


@pytest.mark.parametrize("order", [CODES, LONGEST, SQUARE], ids=["16 bits", "32 bits", "square"])
async def test_every_edge_of_a_signal_follows_from_the_stamp_of_its_batch(rig: ContractBench, order: Code) -> None:
    rig.order(order)
    until_us = 2_000_000 + 3_000
    await rig.until(until_us)
    ((begun_us, _),) = rig.batches()
    assert rig.same(rig.levels("light"), wanted(order, begun_us, until_us - 1_000))
    rig.order(Set("light", False))
    await rig.soon()
    assert [output for _, output in rig.ended("stopped")] == ["light"]


async def test_a_signal_ends_when_its_output_is_switched_off(rig: ContractBench) -> None:
    rig.order(SQUARE)
    await rig.order_at(rig.now_us() + 70_000, Set("light", False))
    await rig.until(300_000)
    assert [level for _, level in rig.levels("light")] == [1, 0, 1, 0]
    ((stopped_us, output),) = rig.ended("stopped")
    assert output == "light"
    assert rig.punctual(stopped_us, rig.levels("light")[-1][0])
    assert [number for _, number in rig.batches()] == [1, 2]


async def test_a_signal_ends_with_the_lease_and_starts_again_with_an_order(rig: ContractBench) -> None:
    rig.order(CODES)
    await rig.until(100_000)
    rig.leash.mute = True
    await rig.until(round(LEASE_S * 1e6) + 200_000)
    rig.leash.mute = False
    await rig.until(round(LEASE_S * 1e6) + 1_000_000)
    (expired,) = rig.events(LeaseExpired)
    before = len(rig.levels("light"))
    assert rig.levels("light")[-1][0] <= expired.t_us + 5_000
    assert rig.on() == set()
    rig.sent = 0
    rig.order(SQUARE)
    await rig.until(rig.now_us() + 100_000)
    begun_us, _ = rig.batches()[-1]
    found = rig.levels("light")[before:]
    assert rig.same(found, wanted(SQUARE, begun_us, begun_us + 1_000_000)[: len(found)])
    assert found


async def test_a_signal_keeps_its_output_busy_and_another_one_free(rig: ContractBench) -> None:
    rig.order(SQUARE)
    rig.order(Pulse("light", 1_000), Set("light", True), Train("lamp", 7_000, 13_000, 30))
    await rig.until(1_000_000)
    assert rig.refusals() == [(0, "busy"), (1, "busy")]
    begun_us = rig.batches()[0][0]
    assert rig.same(rig.levels("light"), wanted(SQUARE, begun_us, 999_000))


async def test_a_signal_that_the_board_cannot_send_is_refused(rig: ContractBench) -> None:
    rig.order(Code("valve", 40_000, 20_000, 0, 0))
    rig.order(Code("one", 40_000, 20_000, 0, 0))
    rig.order(Code("light", 100_000, 10_000, 9, 0))
    rig.order(Code("light", 1_000_000, 10_000, 33, 0))
    rig.order(Code("light", 1_000_000, 0, 8, 0))
    await rig.until(300_000)
    assert rig.refusals() == [(0, "too_long")] * 5
    assert rig.on() == set()
