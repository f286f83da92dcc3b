"""One reward: its amount, its cause and its status."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from rig.core.model.actions import Amount, RewardAction
from rig.core.model.events import Cause
from rig.core.model.reward_types import RewardUnit

UNITS = ("ul", "pellets", "access_s")
"""Microliters, pellets, seconds of access to grain."""
Deliverer: TypeAlias = Literal["board", "host", "operator"]


class RewardStatus(StrEnum):
    """The status of a reward: pending, delivered, refused, unconfirmed or cancelled."""

    PENDING = "pending"
    """It is ordered, or a reflex or a sequence may give it."""
    DELIVERED = "delivered"
    REFUSED = "refused"
    """The board refused it, or the order was never sent."""
    UNCONFIRMED = "unconfirmed"
    """Its delivery cannot be confirmed any more; it counts as given."""
    CANCELLED = "cancelled"
    """The reflex or the sequence ended without giving it."""


NOT_SENT = 1 << 62
"""The batch number of an order that was not sent."""
CAUSES: Mapping[Cause, tuple[str, ...]] = {
    "order": ("batch", "order"),
    "reflex": ("group", "member"),
    "sequence": ("sequence", "entry"),
}
"""The causes of a reward, each with the fields that identify it; the member is None until the group has fired."""


# ``eq=False``: the ledger removes rewards from its lists by identity, and two drops may have equal fields.
@dataclass(slots=True, eq=False)
class Reward:
    """One reward, delivered by the ``board``, the ``host`` or the ``operator``.

    ``number`` is its number in the journal; 0 before its first line. ``t_us`` is when it was delivered, or ordered, or
    the earliest time at which it may be delivered. For an unconfirmed reward it is the latest possible time.
    """

    amount: Amount
    source: str
    delivered_by: Deliverer
    t_us: int
    cause: Cause
    status: RewardStatus = RewardStatus.PENDING
    number: int = 0
    batch: int = 0
    order: int = 0
    group: int = 0
    member: int | None = None
    sequence: int = 0
    entry: int = 0

    @classmethod
    def of(cls, action: RewardAction, delivered_by: Deliverer, t_us: int, cause: Cause) -> Reward:
        """Return the reward that an action gives."""
        return cls(action.amount, action.source, delivered_by, t_us, cause)

    @property
    def unit(self) -> RewardUnit:
        """Return the unit of its amount."""
        return unit_of(self.amount)

    @property
    def references(self) -> dict[str, int | None]:
        """Return the order, reflex or sequence that gives it; empty for an order that was never sent."""
        if self.batch == NOT_SENT:
            return {}
        return {name: getattr(self, name) for name in CAUSES[self.cause]}


def unit_of(amount: Amount) -> RewardUnit:
    """Return the unit of an amount of one kind."""
    if amount.access_s:
        return "access_s"
    return "pellets" if amount.pellets else "ul"


def amount_of(much: float, unit: str) -> Amount:
    """Return an amount by its unit: ``ul``, ``pellets`` or ``access_s``."""
    if unit == "ul":
        return Amount(ul=float(much))
    # Pellets are rounded up: an animal's total may be too high, never too low.
    return Amount(access_s=float(much)) if unit == "access_s" else Amount(pellets=math.ceil(much))
