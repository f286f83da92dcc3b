"""The ledger of a session's rewards: those given, and those that may still be given.

Every reward has lines in the journal, and its last line counts. It is pending before the board can give it: an order
before it is sent, a reflex before it is armed, a sequence before it is started. It is delivered when an event of the
board shows it: the edge of a reflex, the start of a sequence, the execution of a batch without a refusal.

A reward that the host ordered counts against the limits at once. A row with a pending reward is written when its status
is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import zip_longest
from operator import or_
from typing import TypeVar

from rig.core.engine.loaded_rewards import LoadedRewards, is_refused
from rig.core.engine.observer import SessionObserver
from rig.core.errors import TaskError
from rig.core.journal.delivered import DeliveredRewards, RewardSum
from rig.core.journal.journal import Journal
from rig.core.model.actions import (
    AMOUNT_TOLERANCE,
    NOTHING,
    Action,
    Amount,
    Arm,
    Disarm,
    Load,
    Order,
    RewardAction,
    Start,
    Stop,
)
from rig.core.model.reward import NOT_SENT, UNITS, Cause, Deliverer, Reward, RewardStatus, unit_of

Number = TypeVar("Number", int, float)
NOTHING_YET = Amount()
# Tuples, because ``A | B`` is built again at every check, and every order of a session is checked.
_OF_SEQUENCES = (Load, Start, Stop)
_ASSIGNED = (Arm, Disarm, *_OF_SEQUENCES)
_BY_REFLEX = -1
"""The place in ``ends_at`` if a reflex started or stopped the sequence before the board executed a start order.

The board may still execute this order, with its batch.
"""
MAX_START_DELAY_US = 1_000_000
"""A start due longer ago than this was refused: the board would have reported it."""
DUE_US = 2_000
"""A start is a running sequence's own if it is stamped so near its due time: sequences are timed in milliseconds."""
DELIVERY_LATENCY_US = 50_000
"""The longest time from an edge or an order to the start of its reward: a debounce, or the transfer over the link."""


@dataclass(frozen=True, slots=True)
class RewardLimits:
    """The limits of one session's rewards; None is no limit of that kind."""

    max_rewards: int | None = None
    max_ul: float | None = None
    max_pellets: int | None = None
    max_access_s: float | None = None


@dataclass(slots=True, eq=False)
class Reservation:
    """A reservation: what an armed group, or an ordered or running sequence, may give without a further order.

    ``actions`` are alternatives of which one may be done: a group's members, or the sequence's start.
    """

    actions: list[Action]
    group: int = 0
    sequence: int = 0
    order: Order | None = None
    """The order that arms or starts it; None where the board needs none, or has executed it."""
    was_refused: bool = False
    """Whether the board has refused to arm the group."""
    is_running: bool = False
    """Whether the board has reported the start of the sequence."""
    until_us: int | None = None
    batch: int = 0
    index: int = 0
    rewards: list[Reward] = field(default_factory=list)
    ending: Order | None = None
    """The order that ends it."""
    ends_at: tuple[int, int] | None = None
    """The batch whose execution ends it, and the place in it."""

    has_fired: bool = False
    """Whether the edge that fired it is deferred: read, but not decided yet."""
    doubt_us: int | None = None
    """The time by which the edge that fired it may have been lost; None if the board has reported all edges."""

    @property
    def amount(self) -> Amount:
        """Return the amount that it may give."""
        return sum((reward.amount for reward in self.rewards), NOTHING_YET)

    @property
    def is_ending(self) -> bool:
        """Whether an order ends it, sent or not."""
        return self.ending is not None or self.ends_at is not None

    def was_possible(self, executed: int) -> bool:
        """Whether a board that has executed the batches up to ``executed`` could do one of its actions."""
        # Without an order a group is the host's, and a sequence is running or was started by a reflex.
        return not self.group if self.order is None else 0 < self.batch <= executed and not self.was_refused


class RewardLedger:
    """The rewards of one session, recorded in its journal and checked against its limits.

    ``start`` is the start of the session in ISO format; rewards are counted by the minute from its minute on.
    """

    def __init__(
        self,
        limits: RewardLimits,
        journal: Journal,
        start: str | None = None,
        observer: SessionObserver | None = None,
    ) -> None:
        self.account = DeliveredRewards(start)
        self.rewards = 0
        self.total = NOTHING_YET
        self.largest_reward = NOTHING_YET
        self._most_rewards = 1
        self.pending: list[Reward] = []
        self.trial_rewards: list[Reward] = []
        """The rewards since the open trial began."""
        self.delivery_end_us = 0
        self.began_us: dict[int, int] = {}
        """When each sequence last began, by its number."""
        self._limits = limits
        self._journal = journal
        self._observer = observer or SessionObserver()
        self._loaded = LoadedRewards()
        self._unsent: list[Reward] = []
        self._reservations: list[Reservation] = []
        self._executed = 0
        self._last_number = 0

    # --- limits -----------------------------------------------------------------------------------------------

    def can_deliver(self, amount: Amount, rewards: int = 1) -> bool:
        """Whether further rewards, which give ``amount`` together, stay within the limits whichever reflex fires."""
        # Every reservation counts in full, because every armed reflex may fire before this reward is given; also one
        # that an order ends, because the board may give its reward while that order is on its way.
        reserved = self._reserved_rewards()
        return self._has_room(len(reserved) + rewards, sum((reward.amount for reward in reserved), amount))

    @property
    def limit_reached(self) -> bool:
        """Whether an order that gives as much as the largest so far would exceed a limit."""
        return not self._has_room(self._most_rewards, self.largest_reward)

    def _has_room(self, rewards: int, amount: Amount) -> bool:
        top, total = self._limits, self.total
        return (
            _within_limit(self.rewards + rewards, top.max_rewards)
            and _within_limit(total.pellets + amount.pellets, top.max_pellets)
            and _within_limit(total.ul + amount.ul, top.max_ul)
            and _within_limit(total.access_s + amount.access_s, top.max_access_s)
        )

    def limit_text(self, action: RewardAction) -> str:
        """Return which limit a further reward would exceed, for the operator; empty when it exceeds none."""
        reserved = self._reserved_rewards()
        amount = sum((reward.amount for reward in reserved), self.total + action.amount)
        top = self._limits
        counts = (
            ("rewards", self.rewards + len(reserved) + 1, top.max_rewards),
            ("ul", amount.ul, top.max_ul),
            ("pellets", amount.pellets, top.max_pellets),
            ("s of access", amount.access_s, top.max_access_s),
        )
        for unit, much, most in counts:
            if not _within_limit(much, most):
                return f"with it the session could give {much:g} {unit}, and the limit is {most:g}"
        return ""

    @property
    def runs_sequence(self) -> bool:
        """Whether a sequence that is started or running still has rewards to give, and no order ends it."""
        return any(one.sequence and one.rewards and not one.is_ending for one in self._reservations)

    @property
    def reserved(self) -> dict[int, Amount]:
        """Return the amounts reserved for reflexes, by group number, and for sequences, by negated number."""
        return {one.group or -one.sequence: one.amount for one in self._reservations if one.rewards}

    @property
    def reserved_groups(self) -> set[int]:
        """Return the numbers of the reflex groups for which something is reserved."""
        return {one.group for one in self._reservations if one.group and one.rewards}

    @property
    def max_total(self) -> RewardSum:
        """Return the largest total that can result if nothing more is ordered."""
        rewards = self._reserved_rewards()
        return RewardSum(self.rewards + len(rewards), sum((reward.amount for reward in rewards), self.total))

    def _reserved_rewards(self) -> list[Reward]:
        return [reward for one in self._reservations for reward in one.rewards]

    def exceeds_limit(self, order: Order, t_us: int) -> bool:
        """Whether the rewards of an order would exceed a limit; then a note records it."""
        if not _may_reward(order):
            return False
        rewards = self._loaded.largest_rewards(order)
        if not rewards:
            return False
        amount = sum((action.amount for action in rewards), NOTHING_YET)
        # Recorded even if withheld: the session ends when a reward of this size no longer fits.
        self.largest_reward |= amount
        # Of the last content alone: the sum over contents of a load on its way would end the session too early.
        last = self._loaded.last_rewards(order.sequence) if isinstance(order, Start) else rewards
        self._most_rewards = max(self._most_rewards, len(last))
        if self.can_deliver(amount, len(rewards)):
            return False
        self._journal.note(t_us, "reward_withheld", source=rewards[0].source, **amount.fields())
        return True

    # --- what is ordered --------------------------------------------------------------------------------------

    def order(self, order: Order, delivered_by: Deliverer, t_us: int) -> Reward | None:
        """Record an order to be sent, and return its reward, which is pending until the board reports the result.

        Raises ``TaskError`` for a sequence with a reward later than at its start, and for one that is loaded with other
        rewards while something may still start it.
        """
        if isinstance(order, RewardAction):
            reward = Reward.of(order, delivered_by, t_us, "order")
            # Larger than every batch number, so that no confirmation of a batch includes it.
            reward.batch = NOT_SENT
            self._count(reward, order.duration_us)
            self.pending.append(reward)
            self._unsent.append(reward)
            # Rewards of the operator are no result of the trial, so its row does not count them.
            if delivered_by == "host":
                self.trial_rewards.append(reward)
            return reward
        if isinstance(order, Disarm):
            for one in self._of_group(order.group):
                one.ending = order
        elif isinstance(order, _OF_SEQUENCES):
            self._track(order, t_us)
        return None

    def _track(self, order: Load | Start | Stop, t_us: int) -> None:
        if isinstance(order, Load):
            self._load(order, t_us)
        for one in self._of_sequence(order.sequence):
            # A start that was not sent yet follows this load in the queue, so the load does not end it.
            if not (isinstance(order, Load) and one.order is not None and not one.batch):
                one.ending = order
        if isinstance(order, Start):
            self._reserve(Reservation([order], sequence=order.sequence, order=order), t_us)
        elif isinstance(order, Load):
            self._resize_all(order.sequence, t_us)

    def _load(self, order: Load, t_us: int) -> None:
        starters = [one for one in self._reservations if self._will_start(one, order.sequence, t_us)]
        before = self._loaded.last_rewards(order.sequence)
        self._loaded.load(order)
        # The limits were checked, and the reward recorded, when it was started or armed: see
        # docs/decisions/one-ledger.md.
        if starters and self._loaded.last_rewards(order.sequence) != before:
            raise TaskError(
                f"sequence {order.sequence} is loaded with another reward while a reflex or a sequence may start it: "
                "stop that first, or load a sequence of its own"
            )

    def _will_start(self, one: Reservation, sequence: int, t_us: int) -> bool:
        """Whether a reservation leads to a start of a sequence later than ``t_us``."""
        if one.is_ending or one.has_fired or not any(self._loaded.starts(action, sequence) for action in one.actions):
            return False
        if one.is_running:
            # Task time may lie before a start that the task has read already, because that start ended no wait.
            began_us = self.began_us.get(sequence, 0)
            delays_us = self._loaded.start_delays_us(one.sequence, sequence)
            due_us = [self.began_us[one.sequence] + delay_us for delay_us in delays_us]
            return any(at_us > t_us and at_us - DUE_US > began_us for at_us in due_us)
        # A load ends what its own sequence does; only a start in the same batch follows it.
        return one.sequence != sequence or (one.order is not None and not one.batch)

    def limit_members(self, members: dict[tuple[str, int], Action], t_us: int) -> None:
        """Remove the actions of a group's members that would exceed a limit."""
        for pattern, action in members.items():
            # The member stays, without a reward: its edge still has to decide the group.
            if self.exceeds_limit(action, t_us):
                members[pattern] = NOTHING

    def reserve(self, group: int, members: Mapping[tuple[str, int], Action], arm: Arm | None, t_us: int) -> None:
        """Record the largest reward of a group's members until it is decided, over or disarmed.

        A group that the host alone decides is not in the journal: the board gives nothing for it.
        """
        by_board = arm is not None and any(_may_reward(action) for _, _, action in arm.members)
        until_us = None if arm is None else arm.until_us
        order = arm if by_board else None
        self._reserve(Reservation(list(members.values()), group=group, order=order, until_us=until_us), t_us)

    def release(self, group: int, *, still_armed: bool = False) -> None:
        """Cancel the reservation of a group that is over; not of one that the board has ``still_armed``."""
        for one in self._of_group(group):
            if one.order is None or not still_armed:
                self._cancel(one)

    def keep_until_judged(self, group: int) -> None:
        """Record a group's reward further until its deferred edge is decided."""
        # An edge that fired no group has group 0, and so have the reservations of sequences.
        for one in self._of_group(group) if group else ():
            one.has_fired, one.until_us, one.ending, one.ends_at = True, None, None, None

    def assign_batch(self, orders: Sequence[Order], batch: int) -> None:
        """Record what a batch may give, before it is sent."""
        for index, order in enumerate(orders):
            if isinstance(order, RewardAction):
                # Orders are sent in the order in which they were queued, so the first unsent reward belongs to this
                # order.
                reward = self._unsent.pop(0)
                reward.batch, reward.order = batch, index
                # The pending line precedes the command line: a journal cut between them counts too much, never too
                # little.
                if reward.status is RewardStatus.PENDING:
                    self._write(reward)
            elif isinstance(order, _ASSIGNED):
                self._assign(order, batch, index)

    def _assign(self, order: Order, batch: int, index: int) -> None:
        if isinstance(order, Load):
            self._loaded.assign_batch(order, batch, index)
        for one in self._reservations:
            if one.ending is order:
                one.ending, one.ends_at = None, (batch, index)
            elif one.order is order and not one.batch:
                one.batch, one.index = batch, index
                self._write_all(one.rewards)

    def cancel_unsent(self) -> None:
        """Cancel the rewards of orders that will not be sent."""
        for reward in self._unsent:
            if reward.status is RewardStatus.PENDING:
                self._take_back(reward)
        self._unsent.clear()
        for one in [one for one in self._reservations if one.order is not None and not one.batch]:
            self._cancel(one)

    # --- what the board did -----------------------------------------------------------------------------------

    def fired(self, group: int, action: Action | None, t_us: int, edge: int) -> bool:
        """Record what a reflex has done; return whether that was a reward."""
        of_group = self._of_group(group)
        if isinstance(action, RewardAction):
            reward = next((reward for one in of_group for reward in one.rewards), None)
            # Without a reservation the group had been released already: its edge was on its way when the disarm was
            # sent.
            if reward is None:
                reward = Reward.of(action, "board", t_us, "reflex")
            else:
                of_group[0].rewards.remove(reward)
                reward.amount, reward.source = action.amount, action.source
            reward.group, reward.edge = group, edge
            self._deliver(reward, action, t_us)
        elif isinstance(action, (Start, Stop)):
            self._record_reflex_start_or_stop(action, t_us)
        for one in of_group:
            one.doubt_us = None
            self._cancel(one)
        return isinstance(action, RewardAction)

    def _record_reflex_start_or_stop(self, action: Start | Stop, t_us: int) -> None:
        """Record that a reflex has started or stopped a sequence; orders on their way may follow."""
        for one in self._of_sequence(action.sequence):
            if one.order is None or 0 < one.batch <= self._executed:
                self._cancel(one)
            elif one.batch:
                one.ends_at = (one.batch, _BY_REFLEX)
        if isinstance(action, Start):
            one = Reservation([action], sequence=action.sequence)
            self._reserve(one, t_us)
            self._write_all(one.rewards)

    def started(self, sequence: int, t_us: int) -> None:
        """Record the start of a sequence and its rewards; what it starts later stays reserved until it is over."""
        self.began_us[sequence] = t_us
        reserved_by = self._reservation_of_start(sequence, t_us)
        later: list[Reward] = []
        leads = False
        leading = [one for one in self._reservations if one.sequence and self._can_start(one, sequence)]
        by_own = reserved_by is not None and all(one.sequence == sequence and not one.is_running for one in leading)
        for action in self._loaded.actions_of(sequence, reserved_by.batch if reserved_by is not None and by_own else 0):
            if isinstance(action, RewardAction):
                reward = self._claim_reward(reserved_by, action, sequence, t_us)
                reward.amount, reward.source = action.amount, action.source
                self._deliver(reward, action, t_us)
            else:
                leads = leads or isinstance(action, Start)
                later += [
                    self._claim_reward(reserved_by, inner, sequence, t_us)
                    for inner in self._loaded.largest_rewards(action)
                ]
        for one in [one for one in self._reservations if one.sequence == sequence and one.is_running]:
            self._cancel(one)  # a restart cancels the rest of the previous run
        if leads:
            self._write_all(later)
            running = Reservation([Start(sequence)], sequence=sequence, is_running=True, rewards=later)
            # The board does not report the end of a sequence, so its reservation ends some time after its duration.
            running.until_us = t_us + self._loaded.duration_us(sequence) + MAX_START_DELAY_US
            if reserved_by is not None and reserved_by.sequence == sequence:
                running.ending, running.ends_at = reserved_by.ending, reserved_by.ends_at
            self._reservations.append(running)
        if (
            reserved_by in self._reservations
            and reserved_by.sequence == sequence
            and (by_own or not reserved_by.rewards)
        ):
            self._cancel(reserved_by)

    def _reservation_of_start(self, sequence: int, t_us: int) -> Reservation | None:
        """Return the reservation of a sequence that starts: of its own start, or of one that leads to it."""
        leading = [one for one in self._reservations if one.sequence and self._can_start(one, sequence)]
        if not leading:
            return None
        own = [one for one in leading if one.sequence == sequence and not one.is_running]
        running = [one for one in leading if one.sequence != sequence and one.is_running]
        # The running sequence that was to start it nearest to this time is charged: see docs/decisions/one-ledger.md.
        running.sort(key=lambda one: self._start_error_us(one.sequence, sequence, t_us))
        due = [one for one in running if one.rewards and self._start_error_us(one.sequence, sequence, t_us) <= DUE_US]
        # A start of its own may still be on its way, so a running sequence that is due comes before it.
        return (due or own or running or leading)[0]

    def _can_start(self, one: Reservation, sequence: int) -> bool:
        return self._loaded.starts(Start(one.sequence), sequence)

    def _start_error_us(self, sequence: int, inner: int, t_us: int) -> int:
        due = self._loaded.start_delays_us(sequence, inner)
        return min((abs(self.began_us[sequence] + at_us - t_us) for at_us in due), default=0)

    def _claim_reward(self, reserved_by: Reservation | None, action: RewardAction, sequence: int, t_us: int) -> Reward:
        same = [] if reserved_by is None else [one for one in reserved_by.rewards if one.unit == unit_of(action.amount)]
        reward = min(
            same, key=lambda one: not one.matches(action), default=None
        )  # the sequence may have been loaded with other actions since
        if reserved_by is None or reward is None:
            return Reward.of(action, "board", t_us, "sequence", sequence=sequence)
        reserved_by.rewards.remove(reward)
        reward.sequence = sequence
        return reward

    def confirm(self, executed: int, t_us: int) -> None:
        """Record that the board has executed the epoch's batches up to ``executed`` at ``t_us``."""
        self._executed = executed
        # A group whose deadline has passed cannot fire: all edges up to this time were sent before the answer.
        self._confirm_batches(executed, t_us)
        for one in [one for one in self._reservations if one.until_us is not None and one.until_us < t_us]:
            self._cancel(one)

    def _confirm_batches(self, executed: int, t_us: int) -> None:
        for reward in [reward for reward in self.pending if reward.batch <= executed]:
            self._close(reward, RewardStatus.DELIVERED)
        for one in [one for one in self._reservations if one.ends_at is not None and one.ends_at[0] <= executed]:
            if one.ends_at is not None and one.ends_at[1] == _BY_REFLEX:
                at_us = one.order.at_us if isinstance(one.order, Start) else None
                due_us = t_us if at_us is None else max(t_us, at_us + MAX_START_DELAY_US)
                one.until_us = due_us if one.until_us is None else one.until_us
            else:
                self._cancel(one)
        self._loaded.confirm(executed)

    def refuse(self, batch: int, index: int) -> bool:
        """Cancel what the board refused, or a whole batch; return whether that was an ordered reward."""
        refused = [reward for reward in self.pending if is_refused((reward.batch, reward.order), batch, index)]
        # The refusal comes before the answer that counts the batch as executed, so the reward is still pending here.
        for reward in refused:
            self._take_back(reward)
        for one in list(self._reservations):
            if one.ends_at is not None and is_refused(one.ends_at, batch, index):  # what was to end it was refused
                one.ends_at = None
            if one.order is not None and is_refused((one.batch, one.index), batch, index):
                if one.sequence:
                    self._cancel(one)
                else:
                    one.was_refused = True  # it stays reserved, because the host may still give its reward
        self._loaded.refuse(batch, index)
        return bool(refused)

    def end_epoch(self, executed: int) -> None:
        """Record what was executed and cancel the rest: after the epoch no order is executed and no reflex fires."""
        # The lease event counts what was executed before it; all other batches of the epoch never will be.
        self._confirm_batches(executed, 0)
        # A deferred edge was reported before the lease expired, so its reward was given and stays reserved.
        for one in self._unseen():
            self._cancel(one)
        self._loaded.clear()
        self._executed = 0
        for reward in list(self.pending):
            self._take_back(reward)

    def doubt(self, executed: int, t_us: int) -> None:
        """Handle the loss of a report, by ``t_us``, that may be of the batches up to ``executed``: they may have paid.

        A group stays reserved. It fires once, so a later edge that it has fired shows that no earlier one was lost.
        """
        for reward in [reward for reward in self.pending if reward.batch <= executed]:
            self._leave_in_doubt(reward, t_us)
        self._loaded.doubt(executed)
        for one in [one for one in self._unseen() if one.was_possible(executed)]:
            one.doubt_us = t_us
            if not one.group:
                self._cancel(one)

    def mark_unconfirmed(self, t_us: int) -> None:
        """Set all pending and reserved rewards as unconfirmed, delivered by ``t_us`` at the latest."""
        self.doubt(NOT_SENT, t_us)
        for one in self._unseen():
            self._cancel(one)

    def _unseen(self) -> list[Reservation]:
        # A deferred edge was read and not lost: the host still counts its reward when it decides the edge.
        return [one for one in self._reservations if not one.has_fired]

    def _leave_in_doubt(self, reward: Reward, t_us: int) -> None:
        reward.t_us = t_us
        self._close(reward, RewardStatus.UNCONFIRMED)

    def end_with_board(self, t_us: int) -> None:
        """Set what may have been given as unconfirmed: its board was opened again, and says nothing of it."""
        self.mark_unconfirmed(t_us)
        self._loaded.clear()
        self._executed = 0

    def restrict(self, ul: float | None, pellets: int | None, access_s: float | None) -> None:
        """Set limits to the amounts that may be given from now on, where they are lower; None changes nothing."""
        limits, total = self._limits, self.total
        self._limits = replace(
            limits,
            max_ul=lower_limit(limits.max_ul, None if ul is None else total.ul + ul),
            max_pellets=lower_limit(limits.max_pellets, None if pellets is None else total.pellets + pellets),
            max_access_s=lower_limit(limits.max_access_s, None if access_s is None else total.access_s + access_s),
        )

    # --- reservations -----------------------------------------------------------------------------------------

    def _of_group(self, group: int) -> list[Reservation]:
        return [one for one in self._reservations if one.group == group]

    def _of_sequence(self, sequence: int) -> list[Reservation]:
        return [one for one in self._reservations if one.sequence == sequence and not one.is_ending]

    def _reserve(self, one: Reservation, t_us: int) -> None:
        self._resize(one, t_us)
        if one.rewards or any(map(_may_reward, one.actions)):  # a sequence that it starts may get a reward later
            self._reservations.append(one)

    def _resize_all(self, sequence: int, t_us: int) -> None:
        """Update the reservations of everything that leads to a sequence: a start may come before or after."""
        for one in self._reservations:
            # A running sequence has claimed its rewards; what it starts cannot change while it may start it.
            if not one.is_running and any(self._loaded.starts(action, sequence) for action in one.actions):
                changed = self._resize(one, t_us)
                if one.batch or (one.sequence and one.order is None):
                    self._write_all(changed)

    def _resize(self, one: Reservation, t_us: int) -> list[Reward]:
        """Set a reservation to the largest that one of its actions gives; return the rewards that have changed."""
        largest = [self._loaded.largest_rewards(action) for action in one.actions]
        paid = {unit_of(action.amount) for of_action in largest for action in of_action}
        changed = []
        for unit in UNITS:
            if unit not in paid:
                continue
            held = [reward for reward in one.rewards if reward.unit == unit]
            columns = zip_longest(
                *([action for action in of_action if unit_of(action.amount) == unit] for of_action in largest)
            )
            for index, column in enumerate(columns):
                actions = [action for action in column if action is not None]
                reward = held[index] if index < len(held) else self._reserved_reward(one, actions, t_us)
                most = reduce(or_, (action.amount for action in actions), reward.amount)
                if most != reward.amount or not reward.number:
                    reward.amount = most
                    changed.append(reward)
        return changed

    def _reserved_reward(self, one: Reservation, actions: list[RewardAction], t_us: int) -> Reward:
        source = ",".join(dict.fromkeys(action.source for action in actions))
        cause: Cause = "reflex" if one.group else "sequence"
        reward = Reward(actions[0].amount, source, "board", t_us, cause, group=one.group, sequence=one.sequence)
        one.rewards.append(reward)
        return reward

    def _cancel(self, one: Reservation) -> None:
        """End a reservation: it gives nothing more, and has given nothing unless it is in doubt."""
        self._reservations.remove(one)
        # A reward without a number has no line in the journal, so no reader counts it.
        for reward in [reward for reward in one.rewards if reward.number]:
            if one.doubt_us is None:
                self._end(reward, RewardStatus.CANCELLED)
            else:
                reward.t_us = one.doubt_us
                self._count(reward)
                self._end(reward, RewardStatus.UNCONFIRMED)

    # --- the account ------------------------------------------------------------------------------------------

    def _count(self, reward: Reward, duration_us: int = 0) -> None:
        self.rewards += 1
        self.total += reward.amount
        if duration_us:
            self.delivery_end_us = max(self.delivery_end_us, reward.t_us + DELIVERY_LATENCY_US + duration_us)

    def _deliver(self, reward: Reward, action: RewardAction, t_us: int) -> None:
        """Record what the board gave by itself."""
        reward.t_us = t_us
        self._count(reward, action.duration_us)
        self._end(reward, RewardStatus.DELIVERED)
        self.trial_rewards.append(reward)

    def _take_back(self, reward: Reward) -> None:
        # The reward was counted when it was ordered, so that the limits hold while it is on its way.
        self.rewards -= 1
        self.total -= reward.amount
        self._close(reward, RewardStatus.REFUSED)

    def _close(self, reward: Reward, status: RewardStatus) -> None:
        self.pending.remove(reward)
        self._end(reward, status)

    def _end(self, reward: Reward, status: RewardStatus) -> None:
        reward.status = status
        self._write(reward)
        # A canceled reservation is the usual end of a reflex: the operator's screen shows rewards only.
        if status is not RewardStatus.CANCELLED:
            self._observer.on_reward(reward)

    def _write_all(self, rewards: Iterable[Reward]) -> None:
        for reward in rewards:
            self._write(reward)

    def _write(self, reward: Reward) -> None:
        if not reward.number:
            # Numbered at the first line, so that the numbers in the journal have no gaps.
            self._last_number += 1
            reward.number = self._last_number
        self._journal.reward(reward)
        self.account.record(reward.number, reward.t_us, reward.status, reward.amount)


def _may_reward(action: Order) -> bool:
    return isinstance(action, (RewardAction, Start))


def lower_limit(*limits: Number | None) -> Number | None:
    """Return the lowest of some limits, of which None is no limit."""
    return min((most for most in limits if most is not None), default=None)


def _within_limit(much: float, most: float | None) -> bool:
    return most is None or much <= most + AMOUNT_TOLERANCE
