"""A batch of which not all frames have come."""

from __future__ import annotations

from rig.boards.wire import messages as wire
from rig.boards.wire.orders import WireOrder

NO_ROOM, UNKNOWN = wire.CONSTANTS["REASON_NO_ROOM"], wire.CONSTANTS["REASON_UNKNOWN"]

# Disarmings make room, and what a reflex may start is loaded before it is armed (docs/decisions/batches.md). The panic
# input comes before all: while it is on, nothing else is executed.
_RANKS = {
    wire.ORDER_PANIC.code: 0,
    wire.ORDER_DISARM.code: 1,
    wire.ORDER_LOAD.code: 2,
    wire.ORDER_ENTRIES.code: 2,
    wire.ORDER_MEMBERS.code: 3,
    wire.ORDER_ARM.code: 4,
}
_LAST_RANK = 5
_ONE_FRAME_ONLY = frozenset(
    kind.code
    for kind in (
        wire.ORDER_PANIC,
        wire.ORDER_CODE,
        wire.ORDER_INPUT,
        wire.ORDER_OUTPUT,
        wire.ORDER_SAMPLE,
        wire.ORDER_COUNT,
        wire.ORDER_THRESHOLD,
    )
)

PlacedOrder = tuple[int, WireOrder]
"""An order and its place in its batch; one that brings a part of another order has no place, and has any number."""


class UnfinishedBatch:
    """The state of a batch between its frames: what is deferred, and what was brought ahead."""

    __slots__ = ("deferred", "failure", "groups", "has_frames", "places", "sequences")

    def __init__(self) -> None:
        self.has_frames = False
        """Whether a frame has come that was not the last."""
        self.places = 0
        """How many orders with a place have come."""
        self.failure = 0
        """Why the whole batch is refused; 0 if it is not."""
        self.deferred: list[PlacedOrder] = []
        self.groups: set[int] = set()
        self.sequences: set[int] = set()
        """The groups of which members, and the sequences of which entries, were brought ahead."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing of it outlives the frame."""
        return not (self.has_frames or self.failure or self.groups or self.sequences)

    def take(self, orders: list[WireOrder] | None) -> list[PlacedOrder]:
        """Return the orders of a frame in the order in which they are executed; none if the whole batch is refused."""
        if self.failure:
            return []
        if orders is None:
            self.failure = UNKNOWN
            return []
        placed = []
        for order in orders:
            placed.append((self.places, order))
            self.places += order[0] not in wire.CONTINUED
        if self.places > wire.MAX_ORDERS:
            self.failure = NO_ROOM
        elif self.has_frames and any(order[0] in _ONE_FRAME_ONLY for order in orders):
            self.failure = UNKNOWN
        if self.failure:
            return []
        # A stable sort: outputs are driven in the order of the batch.
        return sorted(placed, key=execution_rank) if len(placed) > 1 else placed


def execution_rank(placed: PlacedOrder) -> int:
    """Return when an order of a batch is executed, relative to the others."""
    return _RANKS.get(placed[1][0], _LAST_RANK)
