"""What the sequences on the board pay: by themselves, or by starting others.

A sequence pays at its start or not at all, so that the board's word that it has started says that it was given. What
is to be paid later, and may be called off until then, is a sequence of its own that another one starts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rig.core.errors import TaskError
from rig.core.model.actions import Action, Amount, Load, Order, RewardAction, Start
from rig.core.model.reward import NOT_SENT, unit_of

MAX_SEQUENCE = 255
"""Sequence numbers travel in one byte."""


@dataclass(slots=True)
class _LoadedContent:
    """What a sequence does from a batch on."""

    order: Load
    batch: int = NOT_SENT
    place: int = 0

    @property
    def actions(self) -> list[Action]:
        return [action for _, action in self.order.entries]

    @property
    def size(self) -> tuple[float, ...]:
        """The volume, pellets and seconds that it pays itself."""
        paid = sum((action.amount for action in self.actions if isinstance(action, RewardAction)), Amount())
        return paid.ul, paid.pellets, paid.access_s


class LoadedRewards:
    """The sequences that are loaded: of each the content that the board has, and those on their way."""

    def __init__(self) -> None:
        self._loaded: dict[int, list[_LoadedContent]] = {}

    def load(self, order: Load) -> None:
        """Record what a sequence does from now on.

        Raises ``TaskError`` when it pays later than at its start, or again and again by itself.
        """
        late = next((action for at_us, action in order.entries if at_us and isinstance(action, RewardAction)), None)
        if late is not None:
            raise TaskError(
                f"sequence {order.sequence} pays '{late}' some time after its start: make it the start of a sequence "
                "of its own, and start that one from this one"
            )
        self._loaded.setdefault(order.sequence, []).append(_LoadedContent(order))
        again = any(self.starts(action, order.sequence) for _, action in order.entries)
        if again and self.rewards_of(Start(order.sequence)):  # neither a limit nor the host could stop it
            raise TaskError(
                f"sequence {order.sequence} pays and starts itself again: leave that start out, and let a state "
                "start it again"
            )

    def assign_batch(self, order: Load, batch: int, place: int) -> None:
        """Record in which batch a loading travels, and where in it."""
        for loading in self._loaded.get(order.sequence, ()):
            if loading.order is order and loading.batch == NOT_SENT:
                loading.batch, loading.place = batch, place

    def confirm(self, executed: int) -> None:
        """Forget what later loadings have replaced on the board, up to an executed batch."""
        for sequence, loadings in self._loaded.items():
            if len(loadings) > 1:
                done = [loading for loading in loadings if loading.batch <= executed]
                self._loaded[sequence] = [*done[-1:], *loadings[len(done) :]]

    def refuse(self, batch: int, place: int) -> None:
        """Forget a loading that the board has refused: what was there before stays."""
        for sequence, loadings in self._loaded.items():
            self._loaded[sequence] = [one for one in loadings if (one.batch, one.place) != (batch, place)]

    def clear(self) -> None:
        """Forget all of them, as the board has."""
        self._loaded.clear()

    def rewards_of(self, order: Order) -> list[RewardAction]:
        """Return all that an order may give, at once or by the sequences that it starts, as they were loaded last."""
        return self._reached(order, frozenset())

    def _reached(self, order: Order, above: frozenset[int]) -> list[RewardAction]:
        if isinstance(order, RewardAction):
            return [order]
        if not isinstance(order, Start) or order.sequence in above:
            return []
        return [
            reward
            for action in self._last(order.sequence)
            for reward in self._reached(action, above | {order.sequence})
        ]

    def largest_rewards(self, order: Order) -> list[RewardAction]:
        """Return the most that an order may give, whichever of the loadings that are not replaced yet it meets."""
        return self._most(order, frozenset())

    def _most(self, order: Order, above: frozenset[int]) -> list[RewardAction]:
        if isinstance(order, RewardAction):
            return [order]
        if not isinstance(order, Start) or order.sequence in above:
            return []
        deeper = above | {order.sequence}
        return _largest(
            [reward for action in loading.actions for reward in self._most(action, deeper)]
            for loading in self._loaded.get(order.sequence, ())
        )

    def duration_us(self, sequence: int) -> int:
        """Return how long after its start a sequence does its last, in whichever loading."""
        loadings = self._loaded.get(sequence, ())
        return max((at_us for one in loadings for at_us, _ in one.order.entries), default=0)

    def start_delays_us(self, sequence: int, inner: int) -> list[int]:
        """Return how long after its start a sequence starts another one."""
        loadings = self._loaded.get(sequence, ())
        return [at_us for one in loadings for at_us, action in one.order.entries if self.starts(action, inner)]

    def _last(self, sequence: int) -> Sequence[Action]:
        loadings = self._loaded.get(sequence)
        return loadings[-1].actions if loadings else ()

    def starts(self, action: Order, sequence: int) -> bool:
        """Whether an action starts a sequence, itself or through others."""
        return self._reaches(action, sequence, frozenset())

    def _reaches(self, action: Order, sequence: int, above: frozenset[int]) -> bool:
        if not isinstance(action, Start) or action.sequence in above:
            return False
        inner, deeper = self._last(action.sequence), above | {action.sequence}
        return action.sequence == sequence or any(self._reaches(one, sequence, deeper) for one in inner)

    def actions_of(self, sequence: int, batch: int) -> list[Action]:
        """Return what a sequence that has started does, by the ``batch`` that started it.

        Where no batch did (0), or a loading is on its way, it is the content that pays most.
        """
        loadings = self._loaded.get(sequence, [])
        if batch:
            loadings = [loading for loading in loadings if loading.batch <= batch][-1:]
        largest = max(loadings, key=lambda loading: loading.size, default=None)
        return [] if largest is None else largest.actions


def _largest(contents: Iterable[list[RewardAction]]) -> list[RewardAction]:
    kinds: dict[str, list[list[RewardAction]]] = {}
    for content in contents:
        mine: dict[str, list[RewardAction]] = {}
        for action in content:
            mine.setdefault(unit_of(action.amount), []).append(action)
        for unit, actions in mine.items():
            kinds.setdefault(unit, []).append(actions)
    return [
        max((action for action in column if action is not None), key=lambda action: getattr(action.amount, unit))
        for unit, lists in kinds.items()
        for column in zip_longest(*lists)
    ]
