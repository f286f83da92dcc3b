"""What the subject was given, and what it may still be given.

A drop that a reflex paid is sure the moment its edge is read. A drop that the host ordered counts against the
ceilings at once, and is sure only when the board has executed its batch and refused nothing of it; until then
it is open, and no row that rests on it is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rig.core.actions import Amount, Load, Order, Payment, Start, Stop
from rig.core.stakes import Stakes

NOTHING_YET = Amount()
_NOT_SENT = 1 << 62
LATEST_US = 50_000
"""So much later than its edge or its order a drop begins to fall: a debounce, or the way over a good link."""


@dataclass(slots=True)
class Gift:
    """One drop, or some pellets: who gave it, and whether it is ``sure``, ``open``, ``refused`` or ``in_doubt``."""

    payment: Payment
    by: str
    t_us: int
    status: str
    batch: int = 0
    order: int = 0


@dataclass(frozen=True, slots=True)
class Ceilings:
    """The most that one session may give; None is no ceiling of that kind."""

    max_rewards: int | None = None
    max_ul: float | None = None
    max_pellets: int | None = None
    max_access_s: float | None = None


@dataclass(slots=True)
class Purse:
    """The gifts of one session against its ceilings.

    What a reflex may give at any moment is ``promised``, by the number of its group; what a sequence that runs will
    give, by the number of the sequence, negated.
    """

    ceilings: Ceilings
    rewards: int = 0
    given: Amount = NOTHING_YET
    largest: Amount = NOTHING_YET
    open: list[Gift] = field(default_factory=list)
    unsent: list[Gift] = field(default_factory=list)
    promised: dict[int, Amount] = field(default_factory=dict)
    stakes: Stakes = field(default_factory=Stakes)
    in_doubt: int = 0
    falling_until_us: int = 0
    began_us: dict[int, int] = field(default_factory=dict)
    """When each sequence last began, by its number."""

    def allows(self, amount: Amount) -> bool:
        """Tell whether one more gift stays within the ceilings, whatever reflex may fire."""
        return self._has_room(len(self.promised) + 1, sum(self.promised.values(), amount))

    @property
    def exhausted(self) -> bool:
        """Tell whether a gift as large as the largest so far can no longer be given."""
        return not self._has_room(1, self.largest)

    def _has_room(self, gifts: int, amount: Amount) -> bool:
        top, then = self.ceilings, self.given + amount
        return (
            _within(self.rewards + gifts, top.max_rewards)
            and _within(then.pellets, top.max_pellets)
            and _within(then.ul, top.max_ul)
            and _within(then.access_s, top.max_access_s)
        )

    def promise(self, number: int, amount: Amount) -> None:
        """Take note that so much may be given at any moment, until it is :meth:`released <release>`."""
        self.promised[number] = amount

    def release(self, number: int) -> None:
        """Take note that a reflex or a sequence can give nothing any more, or that its gift is counted now."""
        self.promised.pop(number, None)

    def follow(self, order: Order) -> None:
        """Take note of what becomes of the sequences that pay. Raises ``TaskError`` for one that cannot be followed."""
        if isinstance(order, Load):
            self.stakes.load(order)
        if isinstance(order, Load | Stop):
            self.release(-order.sequence)
        elif isinstance(order, Start) and (amount := self.stakes.of(order)) is not None:
            self.promise(-order.sequence, amount)

    def order(self, payment: Payment, by: str, t_us: int) -> Gift:
        """Count what is about to be ordered of the board; return it, open until the board says what became of it."""
        gift = Gift(payment, by, t_us, "open", batch=_NOT_SENT)
        self.give(gift)
        self.unsent.append(gift)
        return gift

    def address(self, orders: Sequence[Order], number: int) -> None:
        """Take note in which batch what was ordered travels, and where in it; a batch that pays has all of it."""
        places = [place for place, order in enumerate(orders) if isinstance(order, Payment)]
        if places:
            unsent, self.unsent = self.unsent, []
            for place, gift in zip(places, unsent, strict=True):
                gift.batch, gift.order = number, place

    def revoke_unsent(self) -> None:
        """Take back what will not be ordered after all."""
        for gift in self.unsent:
            self.revoke(gift)
        self.unsent.clear()

    def give(self, gift: Gift) -> None:
        """Count a gift; one that is open waits for :meth:`settle`."""
        self.rewards += 1
        self.given += gift.payment.amount
        self.falling_until_us = max(self.falling_until_us, gift.t_us + LATEST_US + gift.payment.lasts_us)
        if gift.status == "open":
            self.open.append(gift)

    def pay(self, payment: Payment, t_us: int) -> Gift:
        """Count what the board gave by itself."""
        gift = Gift(payment, "board", t_us, "sure")
        self.give(gift)
        return gift

    def started(self, sequence: int, t_us: int) -> list[Gift]:
        """Count what a sequence gives at its start, whoever started it; who was to start it owes nothing more."""
        self.began_us[sequence] = t_us
        gifts = [self.pay(payment, t_us) for payment in self.stakes.paid_by(sequence)]
        for number in [number for number in self.promised if number < 0 and gifts]:
            if self.stakes.leads_to(-number, sequence):
                self.release(number)
        return gifts

    def settle(self, executed: int) -> None:
        """Take note that the board has executed the epoch's batches up to ``executed``."""
        for gift in [gift for gift in self.open if gift.batch <= executed]:
            self._close(gift, "sure")

    def refuse(self, batch: int, order: int) -> None:
        """Take back the gift that the board refused."""
        for gift in [gift for gift in self.open if (gift.batch, gift.order) == (batch, order)]:
            self.revoke(gift)

    def end_epoch(self, executed: int) -> None:
        """Settle what was executed; what was not never will be, and no reflex is armed any more."""
        self.promised.clear()
        self.stakes.clear()
        self.settle(executed)
        for gift in list(self.open):
            self.revoke(gift)

    def revoke(self, gift: Gift) -> None:
        """Take back a gift that was never given."""
        self.rewards -= 1
        self.given -= gift.payment.amount
        self._close(gift, "refused")

    def lose_sight(self) -> None:
        """Put what is still open, and what a reflex may have given unseen, in doubt: counted, never repeated."""
        self.in_doubt += len(self.open) + len(self.promised)
        self.rewards += len(self.promised)
        self.given = sum(self.promised.values(), self.given)
        self.promised.clear()
        for gift in list(self.open):
            self._close(gift, "in_doubt")

    def _close(self, gift: Gift, status: str) -> None:
        gift.status = status
        self.open.remove(gift)


def _within(much: float, most: float | None) -> bool:
    return most is None or much <= most + 1e-9  # sums of 2.5 are exact, of 2.2 are not
