"""The orders of one task that wait to be sent, and the numbers of its batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from rig.core.engine.loaded_rewards import MAX_SEQUENCE
from rig.core.engine.observer import SessionObserver
from rig.core.engine.output_levels import OutputLevels
from rig.core.engine.reflex import ReflexGroup
from rig.core.engine.reward_ledger import RewardLedger
from rig.core.engine.task_time import TaskTime
from rig.core.errors import TaskError
from rig.core.model.actions import Code, Order, Pulse, Ramp, Set, Show, Tone, Train, split_into_batches
from rig.core.model.reward import Deliverer, Reward

_OUTPUT_ORDERS = (Set, Pulse, Train, Tone, Ramp, Show)
CODES_PER_EPOCH = 1_000_000
"""The sync codes of an epoch are numbered from so many times its number, so no number comes twice in a session."""


class OrderQueue:
    """A queue of the orders that the ledger allows, which returns them in numbered batches.

    ``codes`` are the sync codes that the board sends for the whole session: they are queued again in each epoch.
    """

    def __init__(
        self,
        time: TaskTime,
        ledger: RewardLedger,
        codes: Sequence[Code] = (),
        observer: SessionObserver | None = None,
    ) -> None:
        self.pending: list[Order] = list(codes)
        self.epoch = 0
        """The number of the epoch in the journal: batches are numbered from 1 in each."""
        self.lease_expirations = 0
        """How many leases have expired, as far as the task has read: each begins an epoch."""
        self._first_epoch = 0
        self.batches = 0
        """The number of the last batch."""
        self.levels = OutputLevels()
        self._time = time
        self._ledger = ledger
        self._codes = codes
        self._observer = observer or SessionObserver()
        self._last_sequence = 0

    def put(self, order: Order, by: Deliverer = "host") -> Reward | None:
        """Queue an order for the next batch; an order that gives a reward only within the limits.

        Return the reward that it gives at once.
        """
        self._observer.on_order(order)
        if type(order) is Set:  # a light, as most orders: it gives nothing
            self.pending.append(order)
            return None
        if self._ledger.withholds(order, self._time.now_us):
            return None
        reward = self._ledger.order(order, by, self._time.now_us)
        self.pending.append(order)
        return reward

    def put_arming(self, group: ReflexGroup, until_us: int | None) -> None:
        """Queue the order that arms a reflex group; members beyond the limits do nothing."""
        # Limits apply when a reflex is armed: afterward the board gives the reward without asking.
        self._ledger.limit_members(group.members, self._time.now_us)
        order = group.arm(until_us, self._time.now_us)
        self._ledger.reserve(group.number, group.members, order, self._time.now_us)
        if order is not None:
            self.put(order)

    def put_deadline(self, group: ReflexGroup) -> None:
        """Queue the order that arms a group again, now with its deadline."""
        order = group.rearm()
        self._ledger.rearm(order)
        self.put(order)

    def make_safe(self) -> list[Order]:
        """Queue the orders that make the outputs safe for a pause; return those that come after it.

        Orders for outputs that are still queued wait for its end. Rewards and orders that end a reflex do not.
        """
        held: list[Order] = [order for order in self.pending if isinstance(order, _OUTPUT_ORDERS)]
        self.pending = [order for order in self.pending if not isinstance(order, _OUTPUT_ORDERS)]
        afterwards = [*self.levels.restored(), *held]
        self.pending += self.levels.all_off()
        return afterwards

    def take(self) -> Iterator[tuple[int, list[Order]]]:
        """Yield the queued orders in numbered batches, and empty the queue."""
        # The queue is emptied first: an order queued while these are sent belongs to the next batch.
        orders, self.pending = self.pending, []
        for batch in split_into_batches(orders):
            self.batches += 1
            self._ledger.assign_batch(batch, self.batches)
            self.levels.note(batch)
            yield self.batches, batch

    def clear(self) -> None:
        """Remove the queued orders of the task; their rewards are not given, and their reflexes are not armed."""
        self._ledger.cancel_unsent()
        self.pending = [order for order in self.pending if isinstance(order, Code)]

    @property
    def board_epoch(self) -> int:
        """Return the number of the epoch since the board was opened, from 0."""
        return self.epoch - self._first_epoch

    def expire_lease(self) -> None:
        """Handle an expired lease of the board: start a new epoch."""
        self.lease_expirations += 1
        self._begin_epoch()

    def begin_with_board(self) -> None:
        """Start an epoch with a board that was opened again."""
        self._begin_epoch()
        self._first_epoch = self.epoch

    def _begin_epoch(self) -> None:
        self.epoch += 1
        self.levels.clear()
        # Numbers restart because the board's new epoch counts its batches from 1: see docs/decisions/epochs.md.
        self.batches = 0
        # What was queued belongs to the old epoch, and the caller removes it from the ledger.
        self.pending = [replace(code, first=self.epoch * CODES_PER_EPOCH) for code in self._codes]

    def new_sequence(self) -> int:
        """Return the number of a new sequence. Raises ``TaskError`` when no number is left."""
        if self._last_sequence == MAX_SEQUENCE:
            raise TaskError(f"{MAX_SEQUENCE} sequences are loaded: load one that changes again with .load(...)")
        self._last_sequence += 1
        return self._last_sequence
