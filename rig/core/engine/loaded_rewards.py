"""The sequences on the board, and the rewards that a start of one may give, also by those that it starts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import zip_longest
from operator import or_

from rig.core.errors import TaskError
from rig.core.model.actions import Action, Amount, Load, Order, RewardAction, Start
from rig.core.model.events import WHOLE_BATCH
from rig.core.model.reward import NOT_SENT, unit_of

MAX_SEQUENCE = 255
"""Sequence numbers are one byte."""


@dataclass(frozen=True, slots=True)
class PossibleReward:
    """A reward that may be given: by one of ``actions``, of which the first is the likely one.

    ``sequence`` and ``entry`` say where it stands; 0 and 0 for one that stands in no sequence.
    """

    actions: tuple[RewardAction, ...]
    sequence: int = 0
    entry: int = 0

    @property
    def amount(self) -> Amount:
        """Return the largest amount of each kind that it may give."""
        return reduce(or_, (action.amount for action in self.actions))


def of_alternatives(alternatives: Iterable[list[PossibleReward]]) -> list[PossibleReward]:
    """Return the rewards of which one alternative is given: the first of a unit is the first of any, and so on."""
    lists = [rewards for rewards in alternatives if rewards]
    if len(lists) < 2:
        return lists[0] if lists else []
    by_unit: dict[str, list[list[PossibleReward]]] = {}
    for rewards in lists:
        own: dict[str, list[PossibleReward]] = {}
        for reward in rewards:
            own.setdefault(unit_of(reward.amount), []).append(reward)
        for unit, of_unit in own.items():
            by_unit.setdefault(unit, []).append(of_unit)
    return [
        _one_of([reward for reward in column if reward is not None])
        for of_unit in by_unit.values()
        for column in zip_longest(*of_unit)
    ]


def _one_of(rewards: list[PossibleReward]) -> PossibleReward:
    actions = dict.fromkeys(action for reward in rewards for action in reward.actions)
    return PossibleReward(tuple(actions), rewards[0].sequence, rewards[0].entry)


@dataclass(slots=True)
class _Content:
    """The content of a sequence from a batch on."""

    order: Load
    batch: int = NOT_SENT
    index: int = 0
    is_doubtful: bool = False
    """Whether the board may have refused it, and its report is lost: the content before it may be there."""


def is_refused(at: tuple[int, int], batch: int, index: int) -> bool:
    """Whether an order, by its batch and its place in it, is among what the board refused."""
    return at[0] == batch and index in (at[1], WHOLE_BATCH)


class LoadedRewards:
    """The loaded sequences: of each the content on the board, and the contents on their way."""

    def __init__(self) -> None:
        self._loaded: dict[int, list[_Content]] = {}

    def load(self, order: Load) -> None:
        """Record the content of a sequence from now on.

        Raises ``TaskError`` when a sequence would give a reward again and again by itself.
        """
        self._loaded.setdefault(order.sequence, []).append(_Content(order))
        # Of the others too, because one that starts itself again may give this one's reward.
        for sequence in (order.sequence, *self._loaded):
            self._check_ends(sequence)

    def _check_ends(self, sequence: int) -> None:
        again = any(self.starts(action, sequence) for _, action in self._last_entries(sequence))
        # No limit and no order of the host could stop it in time.
        if again and self.rewards(Start(sequence)):
            raise TaskError(
                f"sequence {sequence} gives a reward and starts itself again: leave that start out, "
                "and let a state start it again"
            )

    def assign_batch(self, order: Load, batch: int, index: int) -> None:
        """Record the batch of a load, and its place in it."""
        for content in self._loaded.get(order.sequence, ()):
            if content.order is order and content.batch == NOT_SENT:
                content.batch, content.index = batch, index

    def confirm(self, executed: int) -> None:
        """Remove contents that later loads have replaced on the board, up to an executed batch."""
        for sequence, contents in self._loaded.items():
            certain = [n for n, one in enumerate(contents) if one.batch <= executed and not one.is_doubtful]
            if certain:
                self._loaded[sequence] = contents[certain[-1] :]

    def doubt(self, executed: int) -> None:
        """Record that the board may have refused a load of the batches up to ``executed``."""
        for contents in self._loaded.values():
            for content in contents[1:]:
                content.is_doubtful |= content.batch <= executed

    def refuse(self, batch: int, index: int) -> None:
        """Remove a load that the board refused, or all of a batch: the content before it stays."""
        for sequence, contents in self._loaded.items():
            self._loaded[sequence] = [
                content for content in contents if not is_refused((content.batch, content.index), batch, index)
            ]

    def clear(self) -> None:
        """Remove all contents, as the board has."""
        self._loaded.clear()

    def rewards(self, order: Order, *, as_loaded_last: bool = False) -> list[PossibleReward]:
        """Return the rewards that an order may give, with whichever content is on the board then."""
        return self._reached(order, PossibleReward(()), (), as_loaded_last)

    def _reached(
        self, order: Order, at: PossibleReward, above: tuple[int, ...], as_loaded_last: bool
    ) -> list[PossibleReward]:
        if isinstance(order, RewardAction):
            return [replace(at, actions=(order,))]
        # Sequences may start each other in a ring: each is followed once.
        if not isinstance(order, Start) or order.sequence in above:
            return []
        contents, inner = self._loaded.get(order.sequence, []), (*above, order.sequence)
        return of_alternatives(
            [
                reward
                for entry, (_, action) in enumerate(content.order.in_order)
                for reward in self._reached(action, PossibleReward((), order.sequence, entry), inner, as_loaded_last)
            ]
            for content in reversed(contents[-1:] if as_loaded_last else contents)
        )

    def actions_at(self, sequence: int, entry: int, output: str) -> list[RewardAction]:
        """Return the rewards that an entry may give by an output: one, unless a load is on its way; the last first."""
        contents = [content.order.in_order for content in reversed(self._loaded.get(sequence, ()))]
        actions = [entries[entry][1] for entries in contents if entry < len(entries)]
        return [one for one in actions if isinstance(one, RewardAction) and one.action.output == output]

    def duration_us(self, sequence: int, above: tuple[int, ...] = ()) -> float:
        """Return the microseconds from a sequence's start to the last entry of all that it starts, at the longest.

        Infinity for a sequence that starts itself again.
        """
        if sequence in above:
            return float("inf")
        entries = [entry for content in self._loaded.get(sequence, ()) for entry in content.order.entries]
        inner = (*above, sequence)
        return max(
            (at_us + (self.duration_us(do.sequence, inner) if isinstance(do, Start) else 0) for at_us, do in entries),
            default=0,
        )

    def starts(self, action: Order, sequence: int, above: tuple[int, ...] = ()) -> bool:
        """Whether an action starts a sequence, itself or through others, as loaded last."""
        if not isinstance(action, Start) or action.sequence in above:
            return False
        if action.sequence == sequence:
            return True
        inner = (*above, action.sequence)
        return any(self.starts(nested, sequence, inner) for _, nested in self._last_entries(action.sequence))

    def _last_entries(self, sequence: int) -> Sequence[tuple[int, Action]]:
        contents = self._loaded.get(sequence)  # empty, if the board has refused all that was loaded
        return contents[-1].order.entries if contents else ()
