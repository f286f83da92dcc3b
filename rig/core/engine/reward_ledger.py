"""The ledger of a session's rewards: those given, and those that may still be given.

Every reward has lines in the journal, and its last line counts. It is pending before the board can give it: an order
before it is sent, a reflex before it is armed, a sequence before it is started. It is delivered when the board reports
that its output went on, and by whose order.

A reward that the host ordered counts against the limits at once. A row with a pending reward is written when its status
is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from rig.core.engine.loaded_rewards import LoadedRewards, PossibleReward, is_refused, of_alternatives
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
from rig.core.model.channels import gives_rewards
from rig.core.model.events import EntryRefused, OutputOn, SequenceStarted
from rig.core.model.reward import NOT_SENT, Deliverer, Reward, RewardStatus, unit_of

Number = TypeVar("Number", int, float)
NOTHING_YET = Amount()
# Tuples, because ``A | B`` is built again at every check, and every order of a session is checked.
_OF_SEQUENCES = (Load, Start, Stop)
_ASSIGNED = (Arm, Disarm, *_OF_SEQUENCES)
MAX_LATE_US = 1_000_000
"""By so much a busy board may do an entry of a sequence too late, and more."""
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
class ReservedReward:
    """A pending reward, and what may give it."""

    reward: Reward
    possible: PossibleReward

    def may_be_on(self, output: str) -> bool:
        """Whether one of the actions that may give it is by an output."""
        return any(action.action.output == output for action in self.possible.actions)


@dataclass(slots=True, eq=False)
class Reservation:
    """A reservation: what an armed group, or an ordered or running sequence, may give without a further order.

    ``actions`` are alternatives of which one may be done: a group's members, or the sequence's start.
    """

    actions: list[Action]
    group: int = 0
    sequence: int = 0
    order: Order | None = None
    """The order that arms or starts it; None where the board needs none."""
    was_refused: bool = False
    """Whether the board has refused to arm the group."""
    until_us: float | None = None
    """The end of the group, or the time by which the sequence is over; None of a sequence that may not have begun."""
    batch: int = 0
    index: int = 0
    rewards: list[ReservedReward] = field(default_factory=list)
    reflex: int = 0
    """The group of the reflex that has started the sequence."""
    given: Reward | None = None
    """What the group has given."""
    ending: Order | None = None
    """The order that ends it."""
    ends_at: tuple[int, int] | None = None
    """The batch whose execution ends it, and the place in it."""
    doubt_us: int | None = None
    """The time by which a report of it may have been lost; None if the board has reported all."""

    @property
    def is_ending(self) -> bool:
        """Whether an order ends it, sent or not."""
        return self.ending is not None or self.ends_at is not None

    def was_possible(self, executed: int) -> bool:
        """Whether a board that has executed the batches up to ``executed`` could do one of its actions."""
        # Without an order a group is the host's, and a reflex has started a sequence.
        if self.order is None or self.given is not None:
            return not self.group
        return 0 < self.batch <= executed and not self.was_refused

    @property
    def has_begun(self) -> bool:
        """Whether a sequence has been started for certain."""
        return self.sequence != 0 and (self.order is None or self.until_us is not None)

    def leads_to(self, event: SequenceStarted) -> bool:
        """Whether it is of the order or the reflex that has started a sequence."""
        if event.cause == "reflex":
            # Of the group itself, if the report of its edge is lost.
            return event.by in (self.reflex, self.group) and self.sequence in (event.sequence, 0)
        return self.sequence == event.sequence and self.order is not None and self.batch == event.by


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
        """The rewards of orders that the board has not reported yet."""
        self.trial_rewards: list[Reward] = []
        """The rewards since the open trial began: those of its orders, and those of which the task has read in it."""
        self.delivery_end_us = 0
        self._limits = limits
        self._journal = journal
        self._observer = observer or SessionObserver()
        self._loaded = LoadedRewards()
        self._unsent: list[Reward] = []
        self._reservations: list[Reservation] = []
        self._runs: dict[int, Reservation | None] = {}
        """The reservation of the last run of each sequence, as far as it was reported; None if it has none."""
        self._last_number = 0

    # --- limits -----------------------------------------------------------------------------------------------

    def can_deliver(self, amount: Amount, rewards: int = 1) -> bool:
        """Whether further rewards, which give ``amount`` together, stay within the limits whichever reflex fires."""
        # Every reservation counts in full, because every armed reflex may fire before this reward is given; also one
        # that an order ends, because the board may give its reward while that order is on its way.
        most = self.max_total
        return self._has_room(most.rewards + rewards, most.amount + amount)

    @property
    def limit_reached(self) -> bool:
        """Whether an order that gives as much as the largest so far would exceed a limit."""
        return not self._has_room(self.rewards + self._most_rewards, self.total + self.largest_reward)

    def _has_room(self, rewards: int, amount: Amount) -> bool:
        top = self._limits
        return (
            _within_limit(rewards, top.max_rewards)
            and _within_limit(amount.pellets, top.max_pellets)
            and _within_limit(amount.ul, top.max_ul)
            and _within_limit(amount.access_s, top.max_access_s)
        )

    def limit_text(self, action: RewardAction) -> str:
        """Return which limit a further reward would exceed, for the operator; empty when it exceeds none."""
        most, top = self.max_total.more(action.amount, 1), self._limits
        counts = (
            ("rewards", most.rewards, top.max_rewards),
            ("ul", most.amount.ul, top.max_ul),
            ("pellets", most.amount.pellets, top.max_pellets),
            ("s of access", most.amount.access_s, top.max_access_s),
        )
        for unit, much, limit in counts:
            if not _within_limit(much, limit):
                return f"with it the session could give {much:g} {unit}, and the limit is {limit:g}"
        return ""

    @property
    def runs_sequence(self) -> bool:
        """Whether a sequence that is started or running still has rewards to give, and no order ends it."""
        return any(one.sequence and one.rewards and not one.is_ending for one in self._reservations)

    @property
    def reserved_groups(self) -> set[int]:
        """Return the numbers of the reflex groups for which something is reserved."""
        return {one.group for one in self._reservations if one.group and (one.rewards or one.given)}

    @property
    def max_total(self) -> RewardSum:
        """Return the largest total that can result if nothing more is ordered."""
        rewards = [reserved.reward for one in self._reservations for reserved in one.rewards]
        return RewardSum(self.rewards + len(rewards), sum((reward.amount for reward in rewards), self.total))

    def withholds(self, order: Order, t_us: int) -> bool:
        """Whether the rewards of an order would exceed a limit; then a note records it."""
        if not _may_reward(order):
            return False
        rewards = self._loaded.rewards(order)
        if not rewards:
            return False
        amount = sum((reward.amount for reward in rewards), NOTHING_YET)
        # Recorded even if withheld: the session ends when a reward of this size no longer fits.
        self.largest_reward |= amount
        # Of the last content alone: the sum over contents of a load on its way would end the session too early.
        self._most_rewards = max(self._most_rewards, len(self._loaded.rewards(order, as_loaded_last=True)))
        if self.can_deliver(amount, len(rewards)):
            return False
        self._journal.note(t_us, "reward_withheld", source=rewards[0].actions[0].source, **amount.fields())
        return True

    # --- what is ordered --------------------------------------------------------------------------------------

    def order(self, order: Order, delivered_by: Deliverer, t_us: int) -> Reward | None:
        """Record an order to be sent, and return its reward, which is pending until the board reports the result.

        Raises ``TaskError`` for a sequence that is loaded with other rewards while something may still start it.
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
            self._load(order)
        for one in self._of_sequence(order.sequence):
            # A start that was not sent yet follows this load in the queue, so the load does not end it.
            if not (isinstance(order, Load) and one.order is not None and not one.batch):
                one.ending = order
        if isinstance(order, Start):
            self._reserve(Reservation([order], sequence=order.sequence, order=order), t_us)

    def _load(self, order: Load) -> None:
        before = self._loaded.rewards(Start(order.sequence), as_loaded_last=True)
        may_start = any(self._may_start(one, order.sequence, pays=bool(before)) for one in self._reservations)
        self._loaded.load(order)
        # The limits were checked, and the reward recorded, when it was started or armed: see
        # docs/decisions/one-ledger.md.
        if may_start and self._loaded.rewards(Start(order.sequence), as_loaded_last=True) != before:
            raise TaskError(
                f"sequence {order.sequence} is loaded with another reward while a reflex or a sequence may start it: "
                "stop that first, or load a sequence of its own"
            )

    def _may_start(self, one: Reservation, sequence: int, *, pays: bool) -> bool:
        """Whether a reservation leads to a later start of a sequence, which ``pays``."""
        if one.is_ending or one.given is not None:
            return False
        # A load ends what its own sequence does; only a start in the same batch follows it.
        if one.sequence == sequence:
            return one.order is not None and not one.batch
        if not any(self._loaded.starts(action, sequence) for action in one.actions):
            return False
        return not (one.has_begun and pays) or any(reserved.reward.sequence == sequence for reserved in one.rewards)

    def limit_members(self, members: dict[tuple[str, int], Action], t_us: int) -> None:
        """Remove the actions of a group's members that would exceed a limit."""
        for pattern, action in members.items():
            # The member stays, without a reward: its edge still has to decide the group.
            if self.withholds(action, t_us):
                members[pattern] = NOTHING

    def reserve(self, group: int, members: Mapping[tuple[str, int], Action], arm: Arm | None, t_us: int) -> None:
        """Record the largest reward of a group's members until it is decided, over or disarmed.

        A group that the host alone decides is not in the journal: the board gives nothing for it.
        """
        by_board = arm is not None and any(_may_reward(action) for _, _, action in arm.members)
        until_us = None if arm is None else arm.until_us
        order = arm if by_board else None
        self._reserve(Reservation(list(members.values()), group=group, order=order, until_us=until_us), t_us)

    def rearm(self, order: Arm) -> None:
        """Record that a group is armed again, with its deadline.

        The reservation keeps the batch of the first arming, which stays valid if the board refuses the second one.
        """
        for one in self._of_group(order.group):
            one.until_us = order.until_us

    def release(self, group: int, *, still_armed: bool = False) -> None:
        """Cancel the reservation of a group that is over; not of one that the board has ``still_armed``."""
        for one in self._of_group(group):
            if one.order is None or not still_armed:
                self._cancel(one)

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
                self._write_all(one)

    def cancel_unsent(self) -> None:
        """Cancel the rewards of orders that will not be sent."""
        for reward in self._unsent:
            if reward.status is RewardStatus.PENDING:
                self._take_back(reward)
        self._unsent.clear()
        for one in [one for one in self._reservations if one.order is not None and not one.batch]:
            self._cancel(one)

    # --- what the board did -----------------------------------------------------------------------------------

    def went_on(self, event: OutputOn) -> None:
        """Record the reward of an output that went on."""
        if not gives_rewards(event.output):
            return
        if event.cause == "order":
            reward = next((one for one in self.pending if (one.batch, one.order) == (event.by, event.part)), None)
            if reward is not None:  # else it is in doubt, and counted
                reward.t_us = event.t_us
                self._close(reward, RewardStatus.DELIVERED)
        elif event.cause == "reflex":
            for one in self._of_group(event.by):
                action = one.order.action_of(event.part) if isinstance(one.order, Arm) else NOTHING
                if isinstance(action, RewardAction):
                    self._give_of_group(one, action, event.t_us, event.part)
        else:
            self._entry_went_on(event)

    def _give_of_group(self, one: Reservation | None, action: RewardAction, t_us: int, member: int | None) -> Reward:
        same = [] if one is None else [each for each in one.rewards if each.reward.unit == unit_of(action.amount)]
        reward = same[0].reward if same else Reward.of(action, "board", t_us, "reflex")
        reward.amount, reward.source, reward.member = action.amount, action.source, member
        if one is not None:
            one.rewards = [each for each in one.rewards if each not in same[:1]]
            one.given, one.doubt_us = reward, None
        self._deliver(reward, action, t_us)
        return reward

    def _entry_went_on(self, event: OutputOn) -> None:
        run, reserved = self._reserved_entry(event.by, event.part, event.output)
        loaded = self._loaded.actions_at(event.by, event.part, event.output)
        if run is not None and reserved is not None:
            run.rewards.remove(reserved)
            likely = [action for action in reserved.possible.actions if action.action.output == event.output]
            action = next((action for action in likely if action in loaded), likely[0])
        elif loaded:  # the report of its start is lost: what was reserved for it is in doubt
            action = max(loaded, key=lambda one: (one.ul, one.pellets, one.access_s))
        else:
            return
        reward = Reward.of(action, "board", event.t_us, "sequence") if reserved is None else reserved.reward
        reward.amount, reward.source = action.amount, action.source
        reward.sequence, reward.entry = event.by, event.part
        self._deliver(reward, action, event.t_us)
        self.trial_rewards.append(reward)

    def _reserved_entry(
        self, sequence: int, entry: int, output: str | None = None
    ) -> tuple[Reservation, ReservedReward] | tuple[None, None]:
        """Return the reserved reward of an entry of a sequence that runs, with the reservation of this run."""
        run = self._runs.get(sequence)
        if run is None:
            return None, None
        rewards = [
            reserved
            for reserved in run.rewards
            if reserved.possible.sequence == sequence and (output is None or reserved.may_be_on(output))
        ]
        # Another entry: the board has the content that a refused load should have replaced.
        found = min(rewards, key=lambda reserved: reserved.possible.entry != entry, default=None)
        return (None, None) if found is None else (run, found)

    def fired(self, group: int, action: Action | None, t_us: int) -> Reward | None:
        """Record that the edge of a reflex was read, and what it did; return the reward that it gave."""
        one = next(iter(self._of_group(group)), None)
        given = None if one is None else one.given
        if given is None and isinstance(action, RewardAction):  # the report that it went on is lost
            given = self._give_of_group(one, action, t_us, None)
        if isinstance(action, (Start, Stop)):
            self._started_or_stopped(action, group, t_us)
        # Last: a journal that ends here counts what the group has started.
        if one is not None:
            one.doubt_us = None
            self._cancel(one)
        return given

    def _started_or_stopped(self, action: Start | Stop, group: int, t_us: int) -> None:
        """Record that a reflex has started or stopped a sequence; an order to start it may be on its way."""
        begun = [one for one in self._of_sequence(action.sequence) if one.has_begun]
        if isinstance(action, Start):
            started = Reservation([action], sequence=action.sequence, reflex=group)
            self._reserve(started, t_us)
            self._write_all(started)
            self._runs[action.sequence] = started  # the report of its start may be lost
        for one in begun:
            self._end_run(one, t_us)

    def started(self, event: SequenceStarted) -> None:
        """Record what has started a sequence: which reservation its rewards belong to."""
        if event.cause == "sequence":
            run = self._runs.get(event.by)
        else:
            run = next((one for one in reversed(self._reservations) if one.leads_to(event)), None)
        self._runs[event.sequence] = run

    def attribute(self, reward: Reward) -> None:
        """Add the reward of a reflex to the open trial: the task has read the edge that fired it."""
        self.trial_rewards.append(reward)

    def confirm(self, executed: int, t_us: int) -> None:
        """Record that the board has executed the epoch's batches up to ``executed`` at ``t_us``."""
        self._confirm_batches(executed, t_us)
        for one in list(self._reservations):
            # A group whose deadline has passed cannot fire: all edges up to this time were sent before the answer.
            if one.until_us is not None and one.until_us < t_us:
                self._cancel(one)
            elif one.sequence and one.until_us is None and one.was_possible(executed):
                one.until_us = self._over_us(one, t_us)

    def _over_us(self, one: Reservation, t_us: int) -> float:
        """Return by when a sequence that has been started, or will be at its time, has done all."""
        at_us = one.order.at_us if isinstance(one.order, Start) else None
        return max(t_us, at_us or 0) + self._loaded.duration_us(one.sequence) + MAX_LATE_US

    def _confirm_batches(self, executed: int, t_us: int) -> None:
        # Its output has not gone on, and no refusal was read: a report is lost.
        for reward in [reward for reward in self.pending if reward.batch <= executed]:
            self._leave_in_doubt(reward, t_us)
        for one in [one for one in self._reservations if one.ends_at is not None and one.ends_at[0] <= executed]:
            if one.group:
                self._cancel(one)
            else:
                self._end_run(one, t_us)
        self._loaded.confirm(executed)

    def _end_run(self, one: Reservation, t_us: int) -> None:
        """End the run of a sequence: the sequences that it has started go on."""
        going_on = [Start(sequence) for sequence, run in self._runs.items() if run is one and sequence != one.sequence]
        inner = [
            reserved
            for reserved in one.rewards
            if any(self._loaded.starts(start, reserved.possible.sequence) for start in going_on)
        ]
        one.rewards = [reserved for reserved in one.rewards if reserved not in inner]
        self._cancel(one)
        if inner:
            one.rewards, one.ending, one.ends_at = inner, None, None
            one.until_us = self._over_us(one, t_us) if one.until_us is None else one.until_us
            self._reservations.append(one)

    def refuse(self, batch: int, index: int, *, has_disarmed: bool = False) -> bool:
        """Cancel what the board refused, or a whole batch; return whether that was an ordered reward.

        ``has_disarmed`` says that the groups which the batch disarms are gone all the same.
        """
        refused = [reward for reward in self.pending if is_refused((reward.batch, reward.order), batch, index)]
        # The refusal comes before the answer that counts the batch as executed, so the reward is still pending here.
        for reward in refused:
            self._take_back(reward)
        for one in list(self._reservations):
            is_kept = one.ends_at is not None and is_refused(one.ends_at, batch, index)
            if is_kept and not (one.group and has_disarmed):  # what was to end it was refused
                one.ends_at = None
            if one.order is not None and is_refused((one.batch, one.index), batch, index):
                if one.sequence:
                    self._cancel(one)
                else:
                    one.was_refused = True  # it stays reserved, because the host may still give its reward
        self._loaded.refuse(batch, index)
        return bool(refused)

    def refuse_entry(self, refused: EntryRefused) -> bool:
        """Cancel the reward of an entry that the board refused; return whether it has one."""
        reserved_by, reserved = self._reserved_entry(refused.sequence, refused.entry)
        if reserved_by is None or reserved is None or reserved.possible.entry != refused.entry:
            return False
        reserved_by.rewards.remove(reserved)
        self._end(reserved.reward, RewardStatus.REFUSED)
        return True

    def end_epoch(self, executed: int, t_us: int) -> None:
        """Record what was executed and cancel the rest: after the epoch no order is executed and no reflex fires."""
        # The lease event counts what was executed before it; all other batches of the epoch never will be.
        self._confirm_batches(executed, t_us)
        self._clear()
        for reward in list(self.pending):
            self._take_back(reward)

    def doubt(self, executed: int, t_us: int) -> None:
        """Handle the loss of a report, by ``t_us``, that may be of the batches up to ``executed``: they may have paid.

        What is reserved stays so until it is over: a later report may show that no earlier one was lost.
        """
        for reward in [reward for reward in self.pending if reward.batch <= executed]:
            self._leave_in_doubt(reward, t_us)
        self._loaded.doubt(executed)
        for one in self._reservations:
            if one.was_possible(executed):
                one.doubt_us = t_us

    def mark_unconfirmed(self, t_us: int) -> None:
        """Set all pending and reserved rewards as unconfirmed, delivered by ``t_us`` at the latest."""
        self.doubt(NOT_SENT, t_us)
        for one in list(self._reservations):
            self._cancel(one)

    def end_with_board(self, t_us: int) -> None:
        """Set what may have been given as unconfirmed: its board was opened again, and says nothing of it."""
        self.mark_unconfirmed(t_us)
        self._clear()

    def _clear(self) -> None:
        self._runs.clear()
        for one in list(self._reservations):
            self._cancel(one)
        self._loaded.clear()

    def _leave_in_doubt(self, reward: Reward, t_us: int) -> None:
        reward.t_us = t_us
        self._close(reward, RewardStatus.UNCONFIRMED)

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
        # An edge that fired no group has group 0, and so have the reservations of sequences.
        return [one for one in self._reservations if one.group == group] if group else []

    def _of_sequence(self, sequence: int) -> list[Reservation]:
        return [one for one in self._reservations if one.sequence == sequence and not one.is_ending]

    def _reserve(self, one: Reservation, t_us: int) -> None:
        possible = of_alternatives([self._loaded.rewards(action) for action in one.actions])
        one.rewards = [ReservedReward(_reserved_reward(one, reward, t_us), reward) for reward in possible]
        if one.rewards or any(map(_may_reward, one.actions)):  # a sequence that it starts may get a reward later
            self._reservations.append(one)

    def _cancel(self, one: Reservation) -> None:
        """End a reservation: it gives nothing more, and has given nothing else unless it is in doubt."""
        self._reservations.remove(one)
        # A reward without a number has no line in the journal, so no reader counts it.
        for reward in [reserved.reward for reserved in one.rewards if reserved.reward.number]:
            if one.doubt_us is None:
                self._end(reward, RewardStatus.CANCELLED)
            else:
                reward.t_us = one.doubt_us
                self._count(reward)
                self._end(reward, RewardStatus.UNCONFIRMED)
        one.rewards = []

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

    def _write_all(self, one: Reservation) -> None:
        for reserved in one.rewards:
            self._write(reserved.reward)

    def _write(self, reward: Reward) -> None:
        if not reward.number:
            # Numbered at the first line, so that the numbers in the journal have no gaps.
            self._last_number += 1
            reward.number = self._last_number
        self._journal.reward(reward)
        self.account.record(reward.number, reward.t_us, reward.status, reward.amount)


def _reserved_reward(one: Reservation, possible: PossibleReward, t_us: int) -> Reward:
    source = ",".join(dict.fromkeys(action.source for action in possible.actions))
    if one.group:
        return Reward(possible.amount, source, "board", t_us, "reflex", group=one.group)
    return Reward(possible.amount, source, "board", t_us, "sequence", sequence=possible.sequence, entry=possible.entry)


def _may_reward(action: Order) -> bool:
    return isinstance(action, (RewardAction, Start))


def lower_limit(*limits: Number | None) -> Number | None:
    """Return the lowest of some limits, of which None is no limit."""
    return min((most for most in limits if most is not None), default=None)


def _within_limit(much: float, most: float | None) -> bool:
    return most is None or much <= most + AMOUNT_TOLERANCE
