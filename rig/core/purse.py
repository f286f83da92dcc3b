"""What the subject was given, and what it may still be given.

A drop that a reflex paid is sure the moment its edge is read. A drop that the host ordered counts against the
ceilings at once, and is sure only when the board has executed its batch and refused nothing of it; until then
it is open, and no row that rests on it is written.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rig.core.actions import Payment

LATEST_US = 50_000
"""So much later than its edge or its order a drop begins to fall: a debounce, or the way over a good link."""


@dataclass(slots=True)
class Gift:
    """One drop: who gave it, and whether it is ``sure``, ``open``, ``refused`` or ``in_doubt``."""

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


@dataclass(slots=True)
class Purse:
    """The gifts of one session against its ceilings."""

    ceilings: Ceilings
    rewards: int = 0
    ul: float = 0.0
    largest_ul: float = 0.0
    open: list[Gift] = field(default_factory=list)
    promised: dict[int, float] = field(default_factory=dict)
    in_doubt: int = 0
    falling_until_us: int = 0

    def allows(self, ul: float) -> bool:
        """Tell whether one more drop of ``ul`` microlitres stays within the ceilings, whatever reflex may fire."""
        return self._has_room(len(self.promised) + 1, sum(self.promised.values()) + ul)

    @property
    def exhausted(self) -> bool:
        """Tell whether a drop as large as the largest so far can no longer be given."""
        return not self._has_room(1, self.largest_ul)

    def _has_room(self, drops: int, ul: float) -> bool:
        top, top_ul = self.ceilings.max_rewards, self.ceilings.max_ul
        if top is not None and self.rewards + drops > top:
            return False
        return top_ul is None or self.ul + ul <= top_ul + 1e-9  # sums of 2.5 are exact, of 2.2 are not

    def promise(self, group: int, ul: float) -> None:
        """Take note that a reflex may give up to ``ul`` at any moment, until it is :meth:`released <release>`."""
        self.promised[group] = ul

    def release(self, group: int) -> None:
        """Take note that a reflex can give nothing any more, or that its drop is counted now."""
        self.promised.pop(group, None)

    def give(self, gift: Gift) -> None:
        """Count a gift; one that is open waits for :meth:`settle`."""
        self.rewards += 1
        self.ul += gift.payment.ul
        self.falling_until_us = max(self.falling_until_us, gift.t_us + LATEST_US + gift.payment.deed.us)
        if gift.status == "open":
            self.open.append(gift)

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
        self.settle(executed)
        for gift in list(self.open):
            self.revoke(gift)

    def revoke(self, gift: Gift) -> None:
        """Take back a gift that was never given."""
        self.rewards -= 1
        self.ul -= gift.payment.ul
        self._close(gift, "refused")

    def lose_sight(self) -> None:
        """Put what is still open, and what a reflex may have given unseen, in doubt: counted, never repeated."""
        self.in_doubt += len(self.open) + len(self.promised)
        self.rewards += len(self.promised)
        self.ul += sum(self.promised.values())
        self.promised.clear()
        for gift in list(self.open):
            self._close(gift, "in_doubt")

    def _close(self, gift: Gift, status: str) -> None:
        gift.status = status
        self.open.remove(gift)
