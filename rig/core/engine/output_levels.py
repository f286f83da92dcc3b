"""The outputs that a task has switched on and off, so that a pause can make them safe and restore them."""

from __future__ import annotations

from collections.abc import Iterable

from rig.core.model.actions import Arm, Load, Order, Set


class OutputLevels:
    """The levels of the outputs that are switched by ``Set``; all others end by themselves."""

    def __init__(self) -> None:
        self._on: dict[str, bool] = {}

    def note(self, orders: Iterable[Order]) -> None:
        """Record orders that are sent; what a reflex or a sequence may switch on is switched off in a pause too."""
        for order in orders:
            if isinstance(order, Set):
                self._on[order.output] = order.on
            elif isinstance(order, Arm):
                self._note_inner(action for _, _, action in order.members)
            elif isinstance(order, Load):
                self._note_inner(action for _, action in order.entries)

    def _note_inner(self, actions: Iterable[object]) -> None:
        for action in actions:
            if isinstance(action, Set):
                self._on.setdefault(action.output, False)

    def clear(self) -> None:
        """Remove all: the board has switched everything off."""
        self._on.clear()

    def all_off(self) -> list[Set]:
        """Return the orders that make every output safe."""
        return [Set(output, False) for output in self._on]

    def restored(self) -> list[Set]:
        """Return the orders that switch on again what the task had on."""
        return [Set(output, True) for output, on in self._on.items() if on]
