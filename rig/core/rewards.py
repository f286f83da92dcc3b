"""What the subject was given, and what it may still be given.

A reward that a reflex gave is delivered the moment its edge is read. A reward that the host ordered counts against the
ceilings at once, and is delivered only when the board has executed its batch and refused nothing of it; until then
it is pending, and no row that rests on it is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from rig.core.actions import TINY, Amount, Arm, Disarm, Load, Order, RewardAction, Start, Stop
from rig.core.given import Doubt, Minutes
from rig.core.stakes import Stakes

NOTHING_YET = Amount()
_NOT_SENT = 1 << 62
LATEST_US = 50_000
"""So much later than its edge or its order a drop begins to fall: a debounce, or the way over a good link."""


class RewardStatus(StrEnum):
    """What is known of a reward: ordered, given, not given, or impossible to know and counted as given."""

    PENDING = "pending"
    DELIVERED = "delivered"
    REFUSED = "refused"
    UNCONFIRMED = "unconfirmed"


@dataclass(slots=True)
class Reward:
    """One drop, or some pellets, delivered by the ``board``, the ``host`` or the ``operator``."""

    action: RewardAction
    delivered_by: str
    t_us: int
    status: RewardStatus
    batch: int = 0
    order: int = 0

    @property
    def amount(self) -> Amount:
        """How much it is."""
        return self.action.amount

    @property
    def source(self) -> str:
        """The device that gives it."""
        return self.action.source


@dataclass(slots=True)
class _CalledOff:
    """What a sequence that is to be stopped may give until then, and the batch that stops it."""

    sequence: int
    amount: Amount
    order: Order
    batch: int = _NOT_SENT


@dataclass(frozen=True, slots=True)
class Ceilings:
    """The most that one session may give; None is no ceiling of that kind."""

    max_rewards: int | None = None
    max_ul: float | None = None
    max_pellets: int | None = None
    max_access_s: float | None = None


@dataclass(slots=True)
class RewardLedger:
    """The rewards of one session against its ceilings.

    What a reflex may give at any moment is ``promised``, by the number of its group; what a sequence that runs will
    give, by the number of the sequence, negated. What is ``called_off`` is given no more once the board has read that.
    """

    ceilings: Ceilings
    rewards: int = 0
    given: Amount = NOTHING_YET
    largest: Amount = NOTHING_YET
    pending: list[Reward] = field(default_factory=list)
    unsent: list[Reward] = field(default_factory=list)
    promised: dict[int, Amount] = field(default_factory=dict)
    called_off: list[_CalledOff] = field(default_factory=list)
    disarms: dict[int, int] = field(default_factory=dict)
    """Groups that are being disarmed: number of the group -> number of the batch."""
    minutes: Minutes = field(default_factory=Minutes)
    stakes: Stakes = field(default_factory=Stakes)
    unconfirmed: int = 0
    falling_until_us: int = 0
    began_us: dict[int, int] = field(default_factory=dict)
    """When each sequence last began, by its number."""

    def allows(self, amount: Amount) -> bool:
        """Tell whether one more reward stays within the ceilings, whatever reflex may fire."""
        return self._has_room(len(self.promised) + 1, sum(self.promised.values(), amount))

    @property
    def exhausted(self) -> bool:
        """Tell whether a reward as large as the largest so far can no longer be given."""
        return not self._has_room(1, self.largest)

    def _has_room(self, rewards: int, amount: Amount) -> bool:
        top, then = self.ceilings, self.given + amount
        return (
            _within(self.rewards + rewards, top.max_rewards)
            and _within(then.pellets, top.max_pellets)
            and _within(then.ul, top.max_ul)
            and _within(then.access_s, top.max_access_s)
        )

    def promise(self, number: int, amount: Amount) -> None:
        """Take note that so much may be given at any moment, until it is :meth:`released <release>`."""
        self.promised[number] = amount

    def release(self, number: int) -> None:
        """Take note that a reflex or a sequence can give nothing any more, or that its reward is counted now."""
        self.promised.pop(number, None)

    def follow(self, order: Order) -> None:
        """Take note of what becomes of the sequences that pay. Raises ``TaskError`` for one that cannot be followed."""
        if isinstance(order, Load):
            self.stakes.load(order)
        if isinstance(order, Load | Stop) and -order.sequence in self.promised:
            self.called_off.append(_CalledOff(order.sequence, self.promised.pop(-order.sequence), order))
        elif isinstance(order, Start) and (amount := self.stakes.of(order)) is not None:
            self.promise(-order.sequence, amount)

    def order(self, action: RewardAction, delivered_by: str, t_us: int) -> Reward:
        """Count what is about to be ordered of the board; return it, pending until the board says what became of it."""
        reward = Reward(action, delivered_by, t_us, RewardStatus.PENDING, batch=_NOT_SENT)
        self.give(reward)
        self.unsent.append(reward)
        return reward

    def address(self, orders: Sequence[Order], number: int) -> None:
        """Take note in which batch what was ordered travels, and where in it; a batch that pays has all of it."""
        places = [place for place, order in enumerate(orders) if isinstance(order, RewardAction)]
        if places:
            unsent, self.unsent = self.unsent, []
            for place, reward in zip(places, unsent, strict=True):
                reward.batch, reward.order = number, place
        for order in orders:
            if isinstance(order, Disarm):
                self.disarms[order.group] = number
            elif isinstance(order, Arm):
                self.disarms.pop(order.group, None)
        for gone in self.called_off:
            if gone.batch == _NOT_SENT and any(order is gone.order for order in orders):
                gone.batch = number

    def revoke_unsent(self) -> None:
        """Take back what will not be ordered after all."""
        for reward in self.unsent:
            self.revoke(reward)
        self.unsent.clear()

    def give(self, reward: Reward) -> None:
        """Count a reward; one that is pending waits for :meth:`settle`."""
        self.rewards += 1
        self.given += reward.amount
        self.minutes.add(reward.t_us, reward.amount)
        self.falling_until_us = max(self.falling_until_us, reward.t_us + LATEST_US + reward.action.duration_us)
        if reward.status == RewardStatus.PENDING:
            self.pending.append(reward)

    def pay(self, action: RewardAction, t_us: int) -> Reward:
        """Count what the board gave by itself."""
        reward = Reward(action, "board", t_us, RewardStatus.DELIVERED)
        self.give(reward)
        return reward

    def started(self, sequence: int, t_us: int) -> list[Reward]:
        """Count what a sequence gives at its start, whoever started it; who was to start it owes nothing more."""
        self.began_us[sequence] = t_us
        rewards = [self.pay(action, t_us) for action in self.stakes.rewards_of(sequence)]
        whole = self.stakes.of(Start(sequence))
        if whole is not None:
            self._redeem(sequence, whole)
            later = sum((reward.amount for reward in rewards), NOTHING_YET)
            if (whole - later).is_something:
                self.promise(-sequence, whole - later)
        return rewards

    def _redeem(self, sequence: int, amount: Amount) -> None:
        """Let who was to start a sequence owe it no more: itself where it was ordered, or one that leads to it."""
        owing = [number for number in self.promised if number < 0 and self.stakes.leads_to(-number, sequence)]
        if owing:
            number = -sequence if -sequence in owing else owing[0]
            left = self.promised.pop(number) - amount
            if left.is_something:
                self.promised[number] = left
            return
        gone = next((one for one in self.called_off if self.stakes.leads_to(one.sequence, sequence)), None)
        if gone is not None:
            self.called_off.remove(gone)

    def settle(self, executed: int) -> None:
        """Take note that the board has executed the epoch's batches up to ``executed``."""
        for reward in [reward for reward in self.pending if reward.batch <= executed]:
            self._close(reward, RewardStatus.DELIVERED)
        self.called_off = [gone for gone in self.called_off if gone.batch > executed]
        for group in [group for group, batch in self.disarms.items() if batch <= executed]:
            del self.disarms[group]
            self.release(group)

    def refuse(self, batch: int, order: int) -> bool:
        """Take back the reward that the board refused; tell whether there was one."""
        refused = [reward for reward in self.pending if (reward.batch, reward.order) == (batch, order)]
        for reward in refused:
            self.revoke(reward)
        return bool(refused)

    def end_epoch(self, executed: int) -> None:
        """Settle what was executed; what was not never will be, and no reflex is armed any more."""
        self.settle(executed)
        self.promised.clear()
        self.called_off.clear()
        self.disarms.clear()
        self.stakes.clear()
        for reward in list(self.pending):
            self.revoke(reward)

    def revoke(self, reward: Reward) -> None:
        """Take back a reward that was never given."""
        self.rewards -= 1
        self.given -= reward.amount
        self.minutes.take_back(reward.t_us, reward.amount)
        self._close(reward, RewardStatus.REFUSED)

    @property
    def may_fall(self) -> list[Amount]:
        """List what may be given at any moment without a further order."""
        return [*self.promised.values(), *(gone.amount for gone in self.called_off)]

    @property
    def worst(self) -> Doubt:
        """Tell the most that will have been given if nothing more is ordered."""
        unseen = self.may_fall
        return Doubt(self.rewards + len(unseen), sum(unseen, self.given))

    def lose_sight(self, t_us: int) -> None:
        """Put what is still pending, and what a reflex may have given unseen, in doubt: counted, never repeated.

        It may have fallen until ``t_us``.
        """
        unseen = self.may_fall
        self.unconfirmed += len(self.pending) + len(unseen)
        self.rewards += len(unseen)
        self.given = sum(unseen, self.given)
        self.minutes.add(t_us, sum(unseen, NOTHING_YET))
        self.promised.clear()
        self.called_off.clear()
        self.disarms.clear()
        for reward in list(self.pending):
            self.minutes.take_back(reward.t_us, reward.amount)
            self.minutes.add(t_us, reward.amount)
            self._close(reward, RewardStatus.UNCONFIRMED)

    def _close(self, reward: Reward, status: RewardStatus) -> None:
        reward.status = status
        self.pending.remove(reward)


def _within(much: float, most: float | None) -> bool:
    return most is None or much <= most + TINY
