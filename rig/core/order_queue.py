"""The orders of one task that wait to be sent, and the numbers of what is sent."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_

from rig.core.actions import NOTHING, Arm, Order, RewardAction, in_batches
from rig.core.errors import TaskError
from rig.core.journal import Journal
from rig.core.reflex import Group
from rig.core.rewards import RewardLedger
from rig.core.stakes import LAST_SEQUENCE
from rig.core.task_time import TaskTime
from rig.core.trials import Trials


class OrderQueue:
    """Takes the orders that the ledger allows, and gives them back in numbered batches."""

    def __init__(self, journal: Journal, time: TaskTime, ledger: RewardLedger, trials: Trials) -> None:
        self.pending: list[Order] = []
        self.leases = 0
        """How many leases have expired, as far as the task has read: batches are numbered from 1 after each."""
        self.batches = 0
        """The number of the last batch."""
        self._journal = journal
        self._time = time
        self._ledger = ledger
        self._trials = trials
        self._last_sequence = 0

    def put(self, order: Order, by: str = "host") -> None:
        """Put an order into the next batch; one that gives a reward, only within the ceilings."""
        if not self.is_allowed(order):
            return
        self._ledger.follow(order)
        if isinstance(order, RewardAction):
            reward = self._ledger.order(order, by, self._time.now_us)
            if by == "host":
                self._trials.rewards.append(reward)
        self.pending.append(order)

    def is_allowed(self, order: Order) -> bool:
        """Whether an order gives nothing, or no more than the ceilings leave; if not, a note says so."""
        amount = self._ledger.stakes.of(order)
        if amount is None:
            return True
        self._ledger.largest |= amount
        if self._ledger.allows(amount):
            return True
        source = self._ledger.stakes.actions_of(order)[0].source
        self._journal.note(self._time.now_us, "note", what="ceiling", source=source, **amount.fields())
        return False

    def put_arming(self, group: Group, until_us: int | None) -> None:
        """Put the order that arms a reflex group; members that the ceilings no longer allow do nothing."""
        for pattern, action in group.members.items():
            if not self.is_allowed(action):
                group.members[pattern] = NOTHING
        stakes = [self._ledger.stakes.of(action) for action in group.members.values()]
        promised = [amount for amount in stakes if amount is not None]
        if promised:
            self._ledger.promise(group.number, reduce(or_, promised))
        if (order := group.arm(until_us)) is not None:
            self.put(order)

    def take(self) -> Iterator[tuple[int, list[Order]]]:
        """Yield what waits in batches, each with its number, and leave nothing."""
        orders, self.pending = self.pending, []
        for batch in in_batches(orders):
            self.batches += 1
            if self._ledger.unsent or self._ledger.promised or self._ledger.called_off:
                self._ledger.address(batch, self.batches)
            yield self.batches, batch

    def clear(self) -> None:
        """Drop what waits; its rewards are not given, and no reflex of it is armed."""
        self._ledger.revoke_unsent()
        for order in self.pending:
            if isinstance(order, Arm):
                self._ledger.release(order.group)
        self.pending.clear()

    def expire_lease(self) -> None:
        """Handle that the board's lease has expired: number the batches from 1 again."""
        self.leases += 1
        self.batches = 0

    def new_sequence(self) -> int:
        """Return the number of a new sequence. Raises ``TaskError`` when there are no numbers left."""
        if self._last_sequence == LAST_SEQUENCE:
            raise TaskError(
                f"{LAST_SEQUENCE} sequences are loaded: one that changes from trial to trial is loaded anew, .load(...)"
            )
        self._last_sequence += 1
        return self._last_sequence
