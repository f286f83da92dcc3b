"""Read from a journal which of its rewards are in doubt, and what each action that the board may do gives."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TypeAlias

from msgspec.structs import replace

from rig.core.journal.kinds import Command, RewardLine
from rig.core.model.actions import Arm, JournaledOrder, Load, RewardAction, Start
from rig.core.model.events import WHOLE_BATCH, Cause, Continued, LeaseExpired, Refused
from rig.core.model.line import Line
from rig.core.model.reward import RewardStatus

MAX_GIVEN = 256
"""So many given rewards are kept, the last ones: far more than any board keeps openings."""
TOLERANCE_US = 1_000
"""How far the time of an opening may lie from that of its reward: roundings, and the steps of a train."""

ActionKey: TypeAlias = tuple[Cause, int | None, object]
"""What causes an action: a batch (modulo 256) and the place of the order in it, a reflex group and the edge of the
member (its input and level), or a sequence and its entry in the order of times.
"""


@dataclass(slots=True)
class DoubtfulReward:
    """One reward, which the board may have given from ``from_us`` on."""

    line: RewardLine
    from_us: int
    epoch: int
    """How many leases had expired before it."""
    sent: JournaledOrder | None = None
    """What gives it or arms its reflex; None if that was never sent, or was refused."""

    def may_be_of(self, key: ActionKey) -> bool:
        """Whether an action may give this reward, also by a sequence that a member of its reflex starts."""
        line, sent = self.line, self.sent
        if line.cause == "reflex":
            starts = isinstance(sent, Arm) and any(isinstance(action, Start) for _, _, action in sent.members)
            return key[:2] == ("reflex", line.group) or (starts and key[0] == "sequence")
        return key in (("order", (line.batch or 0) & 0xFF, line.order), ("sequence", line.sequence, line.entry))

    @property
    def not_given(self) -> RewardLine:
        """Return the line which says that it was not given."""
        status = RewardStatus.REFUSED if self.line.cause == "order" else RewardStatus.CANCELLED
        return replace(self.line, status=status)


class RewardsInDoubt:
    """Follows a journal line by line: the rewards in doubt, and those that were given for certain."""

    def __init__(self) -> None:
        self.t_us = 0
        """The latest time of a line."""
        self.expirations = 0
        """How many leases have expired since the board was opened."""
        self.actions: dict[ActionKey, RewardAction] = {}
        """The rewards that were ordered, armed or loaded last."""
        self.given: deque[tuple[int, str]] = deque(maxlen=MAX_GIVEN)
        """When the last rewards that are not in doubt were given, and by which devices."""
        self.rewards: dict[int, DoubtfulReward] = {}
        """Those in doubt since the board was opened."""
        self._before_break: set[int] = set()

    @property
    def not_given(self) -> dict[int, RewardLine]:
        """Return what became of the rewards whose orders were never sent, or were refused, as the lines show."""
        return {
            number: reward.not_given
            for number, reward in self.rewards.items()
            # A sequence may be started by a reflex, which needs no further order.
            if reward.sent is None and reward.line.cause != "sequence"
        }

    def take(self, line: Line) -> None:
        """Read the next line."""
        self.t_us = max(self.t_us, line.t_us)
        match line:
            case RewardLine():
                self._take_reward(line)
            case Command():
                for place, order in enumerate(line.orders):
                    self._take_order(order, line.batch, place)
            case Refused():
                for reward in self.rewards.values():
                    is_its_batch = (reward.epoch, reward.line.batch) == (self.expirations, line.batch)
                    if is_its_batch and line.order in (reward.line.order, WHOLE_BATCH):
                        reward.sent = None
            case LeaseExpired():
                self.expirations += 1
            case Continued():
                # The board was opened again: its openings since then say nothing of the rewards before.
                self._before_break |= self.rewards.keys()
                self.rewards, self.expirations = {}, 0
                self.given.clear()

    def _take_reward(self, line: RewardLine) -> None:
        reward = self.rewards.pop(line.id, None) or DoubtfulReward(line, line.t_us - TOLERANCE_US, self.expirations)
        if line.status is RewardStatus.DELIVERED:
            self.given.append((line.t_us, line.source))
        elif line.status in (RewardStatus.PENDING, RewardStatus.UNCONFIRMED) and line.id not in self._before_break:
            reward.line, self.rewards[line.id] = line, reward

    def _take_order(self, order: JournaledOrder, batch: int, place: int) -> None:
        caused: list[tuple[ActionKey, JournaledOrder]] = [(("order", batch & 0xFF, place), order)]
        if isinstance(order, Arm):
            caused = [(("reflex", order.group, (name, level)), action) for name, level, action in order.members]
        elif isinstance(order, Load):
            caused = [(("sequence", order.sequence, entry), action) for entry, (_, action) in enumerate(order.in_order)]
        for key, action in caused:
            if isinstance(action, RewardAction):
                self.actions[key] = action
            for reward in self.rewards.values():
                if reward.sent is None and reward.may_be_of(key):
                    reward.sent = order
