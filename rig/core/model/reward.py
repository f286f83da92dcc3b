"""One reward: what it is, and what is known of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from rig.core.model.actions import Amount, RewardAction

UNITS = ("ul", "pellets", "access_s")
"""Microliters, pellets, seconds of access to grain."""


class RewardStatus(StrEnum):
    """What is known of a reward."""

    PENDING = "pending"
    """It may be given: it is ordered, or a reflex or a sequence may give it."""
    DELIVERED = "delivered"
    REFUSED = "refused"
    """The board did not give it, or was never sent the order."""
    UNCONFIRMED = "unconfirmed"
    """It is impossible to know; it is counted as given."""
    CANCELLED = "cancelled"
    """A reflex or a sequence is over without having given it."""


NOT_SENT = 1 << 62
"""The number of the batch of what was not sent."""
CAUSES = {"order": ("batch", "order"), "reflex": ("group", "edge"), "sequence": ("sequence",)}
"""What gives a reward, and the fields that say which: the edge is 0 until one has fired the group."""


@dataclass(slots=True, eq=False)
class Reward:
    """One drop, or some pellets, delivered by the ``board``, the ``host`` or the ``operator``.

    ``number`` is its number in the journal; 0 is of a reward that has no line there yet. ``t_us`` is when it was
    given, or ordered, or may be given from; of one that is unconfirmed, when it was given at the latest.
    """

    amount: Amount
    source: str
    delivered_by: str
    t_us: int
    cause: str
    status: RewardStatus = RewardStatus.PENDING
    number: int = 0
    batch: int = 0
    order: int = 0
    group: int = 0
    edge: int = 0
    sequence: int = 0

    @classmethod
    def of(cls, action: RewardAction, delivered_by: str, t_us: int, cause: str, *, sequence: int = 0) -> Reward:
        """Return the reward that an action gives."""
        return cls(action.amount, action.source, delivered_by, t_us, cause, sequence=sequence)

    @property
    def unit(self) -> str:
        """What the amount is counted in."""
        return unit_of(self.amount)

    @property
    def references(self) -> dict[str, int]:
        """Which order, reflex or sequence gives it; of an order that was never sent, nothing."""
        if self.batch == NOT_SENT:
            return {}
        return {name: getattr(self, name) for name in CAUSES[self.cause]}

    def matches(self, action: RewardAction) -> bool:
        """Whether it may be the one that an action has given."""
        return self.source == action.source and self.amount == action.amount


def unit_of(amount: Amount) -> str:
    """Return what an amount of one kind is counted in."""
    return next(iter(amount.fields()))


def amount_of(much: float, unit: str) -> Amount:
    """Return an amount by its unit: ``ul``, ``pellets`` or ``access_s``."""
    if unit == "ul":
        return Amount(ul=float(much))
    return Amount(access_s=float(much)) if unit == "access_s" else Amount(pellets=math.ceil(much))
