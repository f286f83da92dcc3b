"""The spans of an output that sends a sync signal, code by code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rig.core.model.actions import Code
from rig.core.model.sync_code import code_edges, code_word


class Signal(NamedTuple):
    """A sync signal that goes on: the order, when it was executed, and how many of its codes have begun."""

    order: Code
    t_us: int
    begun: int = 0

    @property
    def next_us(self) -> int:
        """Return when the next code begins."""
        return self.t_us + self.order.bit_us + self.begun * self.order.period_us

    def codes_until(self, t_us: int) -> int:
        """Return how many codes begin up to a time, beside those that have begun."""
        return max(0, (t_us - self.next_us) // self.order.period_us + 1)

    @property
    def usual_spans(self) -> int:
        """Return how many spans a code has on average: its start, and a run of ones in each four bits."""
        return 1 + self.order.bits // 4

    def next_spans(self) -> Iterator[tuple[int, int]]:
        """Yield when the next code has its output on."""
        order = self.order
        word = code_word(order.seed, order.first + self.begun, order.bits)
        edges = [self.next_us + after_us for after_us, _ in code_edges(word, order.bits, order.bit_us)]
        return zip(edges[::2], edges[1::2], strict=True)

    def after_next(self) -> Signal:
        """Return the signal when its next code has begun."""
        return self._replace(begun=self.begun + 1)
