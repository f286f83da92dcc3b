"""Divide the orders of one instant into frames.

The board does at once what a frame brings ahead or takes away, and defers the rest to the last frame. So the last
frame has as much of it as possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import TypeAlias

from rig.boards.wire import messages as wire
from rig.boards.wire.go_back_n import ROOM_BYTES, FrameOrders
from rig.boards.wire.orders import OrderWriter, PartedOrder
from rig.core.errors import OrderRefusedError
from rig.core.model.actions import Arm, Code, Disarm, Load, Order

Written: TypeAlias = bytes | PartedOrder
"""A written order; one that is too long for a frame is in parts."""


def write_batch(orders: Sequence[Order], writer: OrderWriter) -> list[FrameOrders]:
    """Return the frames of the orders of one instant, of which disarms are the first.

    Raises ``OrderRefusedError`` when a value does not fit its field, when these are more orders than a batch can have,
    and for a sync code in a batch of several frames.
    """
    if len(orders) > wire.MAX_ORDERS:
        raise OrderRefusedError(
            f"{len(orders)} orders of one instant, and a board takes at most {wire.MAX_ORDERS} at once: "
            "put a wait between them, or load a sequence"
        )
    written = [writer.write(order) for order in orders]
    whole = b"".join(written)
    # The usual batch.
    if len(whole) <= ROOM_BYTES:
        return [(whole, len(orders))]
    if any(isinstance(order, Code) for order in orders):
        raise OrderRefusedError("a sync code travels in a frame, and other orders of its instant leave no room for it")
    disarms = sum(1 for _ in takewhile(lambda order: isinstance(order, Disarm), orders))
    return _divide([_in_parts(*pair, writer) for pair in zip(orders, written, strict=True)], disarms)


def _in_parts(order: Order, written: bytes, writer: OrderWriter) -> Written:
    if len(written) > ROOM_BYTES and isinstance(order, Arm | Load):
        return writer.divide(order)
    return written


def _divide(written: Sequence[Written], disarms: int) -> list[FrameOrders]:
    """Return the frames of orders that need more than one, of which the first are ``disarms``."""
    later = written[disarms:]
    kept = _count_kept(later)
    ahead = [
        chunk
        for order, count in zip(later, kept, strict=True)
        if isinstance(order, PartedOrder)
        for chunk in _bring(order, len(order.parts) - count)
    ]
    # What is brought ahead of an order comes behind a disarm, which removes the group that it replaces.
    orders = [*(_write(order, 0) for order in written[:disarms]), *ahead, *map(_write, later, kept)]
    return [(b"".join(orders[frame.start : frame.stop]), len(frame)) for frame in _pack(orders)]


def _write(order: Written, kept: int) -> bytes:
    return order.write(kept) if isinstance(order, PartedOrder) else order


def _count_kept(orders: Sequence[Written]) -> list[int]:
    """Return how many parts each order keeps: those for which its frame has room beside other orders."""
    heads = [_write(order, 0) for order in orders]
    kept = [0] * len(orders)
    for frame in _pack(heads):
        room = ROOM_BYTES - sum(len(heads[index]) for index in frame)
        for index in frame:
            order = orders[index]
            for part in reversed(order.parts) if isinstance(order, PartedOrder) else ():
                if len(part) > room:
                    break
                room -= len(part)
                kept[index] += 1
    return kept


def _bring(order: PartedOrder, count: int) -> Iterator[bytes]:
    """Yield the orders that bring the first parts of an order ahead of it, each as long as a frame allows."""
    start = 0
    while start < count:
        stop = start + 1
        while stop < count and len(order.write_ahead(start, stop + 1)) <= ROOM_BYTES:
            stop += 1
        yield order.write_ahead(start, stop)
        start = stop


def _pack(orders: Sequence[bytes]) -> list[range]:
    """Return the orders of each frame, by their index; the last frame has as many as it can."""
    frames: list[range] = []
    stop = len(orders)
    while stop:
        start, size = stop - 1, len(orders[stop - 1])
        while start and size + len(orders[start - 1]) <= ROOM_BYTES:
            start -= 1
            size += len(orders[start])
        frames.append(range(start, stop))
        stop = start
    return frames[::-1]
