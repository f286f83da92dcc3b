"""What the sequences on the board pay: by themselves, or by starting others.

A sequence pays at its start or not at all, so that the board's word that it has started says that it was given. What
is to be paid later, and may be called off until then, is a sequence of its own that another one starts.
"""

from __future__ import annotations

from collections.abc import Sequence

from rig.core.actions import Action, Amount, Load, Order, Payment, Start
from rig.core.errors import TaskError

LAST_SEQUENCE = 255
"""Sequence numbers travel in one byte."""


class Stakes:
    """The sequences that lie loaded, as far as they pay."""

    def __init__(self) -> None:
        self._loaded: dict[int, Sequence[Action]] = {}

    def load(self, order: Load) -> None:
        """Take note of what a sequence does from now on. Raises ``TaskError`` when it pays later than at its start."""
        late = next((action for at_us, action in order.entries if at_us and isinstance(action, Payment)), None)
        if late is not None:
            raise TaskError(
                f"sequence {order.sequence} pays '{late}' some time after its start: make it the start of a sequence "
                "of its own, and start that one from this one"
            )
        self._loaded[order.sequence] = [action for _, action in order.entries]

    def clear(self) -> None:
        """Take note that the board has forgotten all of them."""
        self._loaded.clear()

    def paid_by(self, sequence: int) -> list[Payment]:
        """List what a sequence gives when it starts."""
        return [action for action in self._loaded.get(sequence, ()) if isinstance(action, Payment)]

    def leads_to(self, sequence: int, other: int) -> bool:
        """Tell whether a sequence is the other one, or starts it."""
        started = (action.sequence for action in self._loaded.get(sequence, ()) if isinstance(action, Start))
        return sequence == other or any(self.leads_to(inner, other) for inner in started)

    def of(self, order: Order) -> Amount | None:
        """Tell the most that an order may give, at once or by what it starts; None when it pays nothing."""
        found = self.payments(order)
        return sum((payment.amount for payment in found), Amount()) if found else None

    def payments(self, order: Order) -> list[Payment]:
        """List what an order gives, at once or by what it starts."""
        if isinstance(order, Payment):
            return [order]
        if not isinstance(order, Start):
            return []
        return [payment for inner in self._loaded.get(order.sequence, ()) for payment in self.payments(inner)]
