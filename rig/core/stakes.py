"""What the sequences on the board pay: by themselves, or by starting others.

A sequence pays at its start or not at all, so that the board's word that it has started says that it was given. What
is to be paid later, and may be called off until then, is a sequence of its own that another one starts.
"""

from __future__ import annotations

from collections.abc import Sequence

from rig.core.actions import Action, Amount, Load, Order, RewardAction, Start
from rig.core.errors import TaskError

LAST_SEQUENCE = 255
"""Sequence numbers travel in one byte."""


class Stakes:
    """The sequences that lie loaded, as far as they pay."""

    def __init__(self) -> None:
        self._loaded: dict[int, Sequence[Action]] = {}

    def load(self, order: Load) -> None:
        """Take note of what a sequence does from now on. Raises ``TaskError`` when it pays later than at its start."""
        late = next((action for at_us, action in order.entries if at_us and isinstance(action, RewardAction)), None)
        if late is not None:
            raise TaskError(
                f"sequence {order.sequence} pays '{late}' some time after its start: make it the start of a sequence "
                "of its own, and start that one from this one"
            )
        self._loaded[order.sequence] = [action for _, action in order.entries]

    def clear(self) -> None:
        """Take note that the board has forgotten all of them."""
        self._loaded.clear()

    def rewards_of(self, sequence: int) -> list[RewardAction]:
        """List what a sequence gives when it starts."""
        return [action for action in self._loaded.get(sequence, ()) if isinstance(action, RewardAction)]

    def leads_to(self, sequence: int, other: int) -> bool:
        """Tell whether a sequence is the other one, or starts it."""
        started = (action.sequence for action in self._loaded.get(sequence, ()) if isinstance(action, Start))
        return sequence == other or any(self.leads_to(inner, other) for inner in started)

    def of(self, order: Order) -> Amount | None:
        """Tell the most that an order may give, at once or by what it starts; None when it pays nothing."""
        found = self.actions_of(order)
        return sum((action.amount for action in found), Amount()) if found else None

    def actions_of(self, order: Order) -> list[RewardAction]:
        """List what an order gives, at once or by what it starts."""
        if isinstance(order, RewardAction):
            return [order]
        if not isinstance(order, Start):
            return []
        return [action for inner in self._loaded.get(order.sequence, ()) for action in self.actions_of(inner)]
