"""A row of the trial table with the usual columns: its number, its outcome, and what was delivered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from inspect import get_annotations
from typing import Annotated, ClassVar, get_args

from rig.core.model.columns import Column, column_types
from rig.core.model.reward import Reward, RewardStatus
from rig.core.model.reward_types import RewardUnit, size_of
from rig.core.model.rows import Row

INTERRUPTED = "interrupted"
"""The outcome of a trial that could not be completed."""


@dataclass(kw_only=True)
class TrialRow(Row):
    """The usual columns of a trial; the columns of a protocol stand between ``trial`` and ``outcome``.

    ``trial`` is numbered when the trial begins. An empty ``outcome`` becomes ``rewarded`` or ``unrewarded`` once the
    status of the rewards is known. ``delivered_by`` lists for each reward who gave it, or its status. A column of the
    type ``RewardVolume``, ``Pellets`` or ``HopperSeconds``, of any name, is filled with the delivered sum. A column
    that a protocol declares again stands where the protocol declares it, and stays keyword-only: ``Trial(5)`` fills
    the first column that is the protocol's own.
    """

    trial: Annotated[int, Column("number of the trial, counted from 1")] = 0
    outcome: Annotated[str, Column("how the trial ended")] = ""
    delivered_by: Annotated[str, Column("who gave each reward of the trial, or the reward's status")] = ""
    rewarded: Annotated[int, Column("how many rewards were delivered in the trial")] = 0

    def on_rewards(self, rewards: Sequence[Reward]) -> None:
        """Record the delivered rewards; called once, when no reward of the trial is pending."""
        delivered = [reward for reward in rewards if reward.status is RewardStatus.DELIVERED]
        self.rewarded = len(delivered)
        self.delivered_by = ",".join(
            reward.delivered_by if reward.status is RewardStatus.DELIVERED else reward.status for reward in rewards
        )
        for column, unit in self.amount_columns().items():
            setattr(self, column, sum(getattr(reward.amount, unit) for reward in delivered))
        if not self.outcome:
            self.outcome = "rewarded" if delivered else "unrewarded"

    def interrupted(self) -> None:
        """Record that the trial was interrupted."""
        self.outcome = INTERRUPTED

    _units: ClassVar[Mapping[str, RewardUnit]] = {}

    @classmethod
    def amount_columns(cls) -> Mapping[str, RewardUnit]:
        """Return the columns that are filled with what was delivered, each with its unit, by their types.

        Raises ``TaskError`` for a type that is not known where the class is defined, such as one inside a function.
        """
        # At first use, because ``@dataclass`` adds the fields after the class is made.
        # ``vars`` and not ``hasattr``: a subclass must not take the columns of its base.
        if "_units" not in vars(cls):
            sizes = {name: size_of(get_args(hint)) for name, hint in column_types(cls).items()}
            cls._units = {name: size.unit for name, size in sizes.items() if size is not None}
        return cls._units

    @classmethod
    def _ordered_columns(cls) -> tuple[str, ...]:
        """Return the trial's number, the columns that the protocol names, and the rest of the accounting."""
        own = [base for base in reversed(cls.__mro__) if issubclass(base, TrialRow) and base is not TrialRow]
        named = {name: None for base in own for name in get_annotations(base)}
        names = [field.name for field in fields(cls)]
        ordered = dict.fromkeys(("trial", *named, *names) if "trial" not in named else (*named, *names))
        return tuple(name for name in ordered if name in names)
