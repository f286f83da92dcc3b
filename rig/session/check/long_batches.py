"""Find the orders of one instant that take long on their way to the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rig.boards.wire.batch import write_batch
from rig.boards.wire.go_back_n import FRAMED_HEAD, WINDOW_BYTES
from rig.boards.wire.orders import OrderWriter
from rig.core.errors import OrderRefusedError
from rig.core.model.actions import Load, Order, Show
from rig.core.model.board import Wiring

BYTES_PER_MS = 50
"""At 500,000 baud with ten bits for each byte."""

ANSWER_MS = 2
"""For how long an ATmega16U2 keeps an acknowledgement on average: docs/decisions/serial-library.md."""

LONG_MS = 5.0
"""What takes longer is told: a light that changes so late is seen in a fast animal's reaction times."""


class LongBatch(NamedTuple):
    """Orders of one instant: how many, their frames, and after how many milliseconds all have arrived."""

    orders: int
    frames: int
    ms: float


class LongBatches:
    """Follows the batches of a session; ``longest`` has the longest instant of each state that takes long.

    The first instant of the session does not count: it comes once, and with it travels what `prepare` has ordered.
    """

    def __init__(self, wiring: Wiring) -> None:
        self.longest: dict[str, LongBatch] = {}
        numbers = {channel.name: number for number, channel in enumerate(wiring.channels)}
        self._writer = OrderWriter(numbers, 1000, lambda t_us: 0)
        self._first_us: int | None = None
        self._t_us = -1
        self._orders = 0
        self._sizes: list[int] = []

    def record(self, t_us: int, state: str, orders: Sequence[Order]) -> None:
        """Record a batch of an instant; earlier batches of the same instant are ahead of it."""
        if self._first_us is None:
            self._first_us = t_us
        if t_us == self._first_us:
            return
        if t_us != self._t_us:
            self._t_us, self._orders, self._sizes = t_us, 0, []
        sent = [order for order in orders if not isinstance(order, Show)]  # a screen has no frames on the line
        try:
            frames = write_batch(sent, self._writer)
        except OrderRefusedError:
            return  # the board refuses it, too
        self._orders += len(sent)
        self._sizes += [len(written) + FRAMED_HEAD for written, _ in frames]
        # A load alone has no effect that could be late.
        if all(isinstance(order, Load) for order in sent):
            return
        taken_ms = _time_ms(self._sizes)
        if taken_ms > LONG_MS and (state not in self.longest or taken_ms > self.longest[state].ms):
            self.longest[state] = LongBatch(self._orders, len(self._sizes), taken_ms)


def longest_of(found: Sequence[Mapping[str, LongBatch]]) -> Iterator[str]:
    """Yield a note for each state of some sessions that gives orders which take long."""
    states = dict.fromkeys(state for longest in found for state in longest)
    for state in states:
        batch = max((longest[state] for longest in found if state in longest), key=lambda batch: batch.ms)
        yield (
            f"state '{state}': {batch.orders} orders of one instant travel in {batch.frames} frames, and the board "
            f"executes them about {batch.ms:.0f} ms later; load or arm before what must be faster"
        )


def _time_ms(sizes: Sequence[int]) -> float:
    """Return after how long the last of some frames has arrived; ``sizes`` are their bytes."""
    answers, unacknowledged = 0, 0
    for size in sizes:
        if unacknowledged + size > WINDOW_BYTES:
            answers += 1
            unacknowledged = 0
        unacknowledged += size
    return sum(sizes) / BYTES_PER_MS + answers * ANSWER_MS
