"""The rewards of the sequences on the board: their own, and those of sequences that they start.

A sequence gives its reward at its start or not at all, so the board's report of the start confirms the reward. A later
reward that may still be canceled is a sequence of its own, which another one starts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import zip_longest
from operator import or_

from rig.core.errors import TaskError
from rig.core.model.actions import Action, Load, Order, RewardAction, Start
from rig.core.model.events import WHOLE_BATCH
from rig.core.model.reward import NOT_SENT, unit_of

MAX_SEQUENCE = 255
"""Sequence numbers are one byte."""


@dataclass(slots=True)
class _LoadedContent:
    """The content of a sequence from a batch on."""

    order: Load
    batch: int = NOT_SENT
    index: int = 0
    is_doubtful: bool = False
    """Whether the board may have refused it, and its report is lost: the content before it may be there."""

    @property
    def actions(self) -> list[Action]:
        return [action for _, action in self.order.entries]


def _after(loadings: list[_LoadedContent], executed: int) -> list[_LoadedContent]:
    """Return what may be on the board after the batches up to ``executed``, and the contents on their way."""
    certain = [index for index, loading in enumerate(loadings) if loading.batch <= executed and not loading.is_doubtful]
    return loadings[certain[-1] :] if certain else loadings


def is_refused(at: tuple[int, int], batch: int, index: int) -> bool:
    """Whether an order, by its batch and its place in it, is among what the board refused."""
    return at[0] == batch and index in (at[1], WHOLE_BATCH)


class LoadedRewards:
    """The loaded sequences: of each the content on the board, and the contents on their way."""

    def __init__(self) -> None:
        self._loaded: dict[int, list[_LoadedContent]] = {}

    def load(self, order: Load) -> None:
        """Record the content of a sequence from now on.

        Raises ``TaskError`` when it gives a reward later than at its start, or again and again by itself.
        """
        # A reward at the start is confirmed by the board's report of the start. The board reports no later entry.
        late = next((action for at_us, action in order.entries if at_us and isinstance(action, RewardAction)), None)
        if late is not None:
            raise TaskError(
                f"sequence {order.sequence} gives '{late}' later than at its start: put it at the start of a sequence "
                "of its own, and start that one from this one"
            )
        self._loaded.setdefault(order.sequence, []).append(_LoadedContent(order))
        # Of the others too, because one that starts itself again may give this one's reward.
        for sequence in (order.sequence, *self._loaded):
            self._check_ends(sequence)

    def _check_ends(self, sequence: int) -> None:
        again = any(self.starts(action, sequence) for action in self._last(sequence))
        # No limit and no order of the host could stop it in time.
        if again and self.largest_rewards(Start(sequence)):
            raise TaskError(
                f"sequence {sequence} gives a reward and starts itself again: leave that start out, "
                "and let a state start it again"
            )

    def assign_batch(self, order: Load, batch: int, index: int) -> None:
        """Record the batch of a load, and its place in it."""
        for loading in self._loaded.get(order.sequence, ()):
            if loading.order is order and loading.batch == NOT_SENT:
                loading.batch, loading.index = batch, index

    def confirm(self, executed: int) -> None:
        """Remove contents that later loads have replaced on the board, up to an executed batch."""
        for sequence, loadings in self._loaded.items():
            if len(loadings) > 1:
                # The last executed load is the content on the board; loads after it are still on their way.
                self._loaded[sequence] = _after(loadings, executed)

    def doubt(self, executed: int) -> None:
        """Record that the board may have refused a load of the batches up to ``executed``."""
        for loadings in self._loaded.values():
            for loading in loadings[1:]:
                loading.is_doubtful |= loading.batch <= executed

    def refuse(self, batch: int, index: int) -> None:
        """Remove a load that the board refused, or all of a batch: the content before it stays."""
        for sequence, loadings in self._loaded.items():
            self._loaded[sequence] = [
                loading for loading in loadings if not is_refused((loading.batch, loading.index), batch, index)
            ]

    def clear(self) -> None:
        """Remove all contents, as the board has."""
        self._loaded.clear()

    def last_rewards(self, sequence: int) -> list[RewardAction]:
        """Return all rewards that a sequence gives, itself or by those that it starts, as loaded last."""
        return self._reached(Start(sequence), frozenset())

    def _reached(self, order: Order, above: frozenset[int]) -> list[RewardAction]:
        if isinstance(order, RewardAction):
            return [order]
        # Sequences may start each other in a ring: each is followed once.
        if not isinstance(order, Start) or order.sequence in above:
            return []
        deeper = above | {order.sequence}
        return [reward for action in self._last(order.sequence) for reward in self._reached(action, deeper)]

    def largest_rewards(self, order: Order) -> list[RewardAction]:
        """Return the largest rewards that an order may give, with whichever content is on the board then."""
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
        """Return the microseconds from a sequence's start to its last action, in its longest content."""
        loadings = self._loaded.get(sequence, ())
        return max((at_us for loading in loadings for at_us, _ in loading.order.entries), default=0)

    def start_delays_us(self, sequence: int, inner: int) -> list[int]:
        """Return the microseconds from a sequence's start to each start of another one."""
        loadings = self._loaded.get(sequence, ())
        return [at_us for loading in loadings for at_us, action in loading.order.entries if self.starts(action, inner)]

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
        return action.sequence == sequence or any(self._reaches(nested, sequence, deeper) for nested in inner)

    def actions_of(self, sequence: int, batch: int) -> list[Action]:
        """Return the actions of a sequence that has started; ``batch`` is the one that started it.

        Where no batch did (0), or a load is on its way, the content is not known: it returns every start, and of each
        unit the largest rewards.
        """
        loadings = self._loaded.get(sequence, [])
        if batch:
            loadings = _after([loading for loading in loadings if loading.batch <= batch], batch)
        if len(loadings) < 2:
            return [action for loading in loadings for action in loading.actions]
        actions = [loading.actions for loading in loadings]
        rewards = _largest([action for action in content if isinstance(action, RewardAction)] for content in actions)
        # Contents that start the same sequence start it as often as the one that does so most.
        starts = reduce(
            or_, (Counter(action for action in content if isinstance(action, Start)) for content in actions)
        )
        return [*rewards, *starts.elements()]


def _largest(contents: Iterable[list[RewardAction]]) -> list[RewardAction]:
    kinds: dict[str, list[list[RewardAction]]] = {}
    for content in contents:
        mine: dict[str, list[RewardAction]] = {}
        for action in content:
            mine.setdefault(unit_of(action.amount), []).append(action)
        for unit, actions in mine.items():
            kinds.setdefault(unit, []).append(actions)
    # Contents may have different numbers of rewards: each place counts with the largest that any content has there.
    return [
        max((action for action in column if action is not None), key=lambda action: getattr(action.amount, unit))
        for unit, lists in kinds.items()
        for column in zip_longest(*lists)
    ]
