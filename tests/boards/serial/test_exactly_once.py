"""A conversation and a board with nothing good between them."""

import asyncio
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from rig.boards.serial.link import Link
from rig.boards.serial.requests import RequestTracker
from rig.boards.wire import messages as wire
from rig.boards.wire.go_back_n import ROOM_BYTES
from rig.core.clock import running
from sim_hardware import loop
from sim_hardware.board.board import SimBoard
from sim_hardware.link_model import CableTransport, LinkFaults, SerialCable


class Told(NamedTuple):
    executed: list[int]
    acknowledged: list[int]
    events: list[int]
    asked: int
    kept: int


per_byte = st.floats(0, 0.01)
cables = st.builds(
    LinkFaults,
    latency_s=st.floats(0.0001, 0.05),
    jitter_s=st.floats(0, 0.05),
    flip=per_byte,
    drop=per_byte,
    double=per_byte,
    seed=st.integers(0, 2**32),
)
steps = st.lists(st.tuples(st.integers(1, ROOM_BYTES // 2), st.floats(0, 0.05)), min_size=10, max_size=40)


async def talk(faults: LinkFaults, steps: list[tuple[int, float]]) -> Told:
    """Send a batch of so many orders, wait so long, and again; go on until everything is settled."""
    clock = running()
    cable = SerialCable(clock, faults)
    board = SimBoard(clock, cable.to_host.send, lambda pin, value: None)
    cable.to_board.deliver = board.receive
    link = Link(CableTransport(cable), clock, 60.0)
    executed, acknowledged, events = [], [], []
    execute = board.chip.execute
    board.chip.execute = lambda orders, *rest: executed.append(orders[0][1]) or execute(orders, *rest)

    def take(message) -> None:
        if message[0] == wire.ACK.code:
            known = link.protocol.acknowledged(message[1], message[2], clock.time())
            if known is not None:
                acknowledged.append(known[0])
                link.push()
        elif message[0] >= wire.FIRST_EVENT:
            events.append(message[1])
            link.protocol.mark_journaled(message[1])

    handlers = {kind.code: take for kind in (wire.ACK, wire.TIME)}
    requests = RequestTracker(link, clock, handlers)
    link.start(
        lambda messages: [handlers.get(message[0], lambda message: None)(message) for message in messages],
        lambda why: None,
    )
    opened = await requests.request(wire.OPEN, (1, 60_000, 20), wire.OPENED)
    link.protocol.begin_epoch(opened[2], fresh=True)
    for number, (orders, gap) in enumerate(steps, 1):
        link.protocol.add_batch([(wire.ORDER_DISARM.pack(number & 0xFF) * orders, orders)], 0)
        link.push()
        link.send(wire.GET_TIME, link.protocol.last_journaled & 0xFFFF)
        await asyncio.sleep(gap)
    for _ in range(2000):  # a frame of 48 bytes passes such a cable one time in four
        await asyncio.sleep(0.5)
        if not link.protocol.unacknowledged and not board._events:
            break
    link.close()
    return Told(executed, acknowledged, events, board._count, len(board._events))


@settings(max_examples=80)
@given(cables, steps)
def test_every_batch_is_executed_once_in_order_and_every_event_received_once_in_order(faults, steps):
    told = loop.run(talk(faults, steps), t_max=3e6)
    numbers = list(range(1, len(steps) + 1))
    assert told.executed == numbers
    assert sorted(told.acknowledged) == numbers
    assert told.events == list(range(1, told.asked + 1))
    assert told.kept == 0


async def test_more_batches_than_one_byte_can_count_over_a_bad_cable():
    faults = LinkFaults(flip=0.003, drop=0.003, double=0.003, seed=8)
    told = await talk(faults, [(3, 0.001)] * 700)
    assert told.executed == [number & 0xFF for number in range(1, 701)]
    assert sorted(told.acknowledged) == list(range(1, 701))
