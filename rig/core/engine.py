"""One task's hands and ears: orders out in batches, events in through one cursor, and the ledger between.

The engine has no clock and no port. Everything it decides follows from the events it reads, in the order in
which they were journalled: a replay that feeds it the same lines gets the same orders.
"""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import reduce
from operator import or_

from rig.core.actions import NOTHING, Action, Arm, Cancel, Disarm, Nothing, Order, RewardAction, in_batches
from rig.core.allowance import Allowance
from rig.core.board import Board
from rig.core.cursor import Cursor, Outcome, Wanted
from rig.core.ending import Interruption, SessionEnds, TrialAborted
from rig.core.errors import RigError, TaskError
from rig.core.events import SEEN, Edge, Event, Fault, LeaseExpired, Overflow, Refused, Request, Seen, Started, TimeIs
from rig.core.inbox import Inbox
from rig.core.input_log import InputLog
from rig.core.patterns import EdgePattern
from rig.core.reflex import Group, Groups, check_alone, check_members
from rig.core.rewards import Reward, RewardLedger
from rig.core.stakes import LAST_SEQUENCE
from rig.core.watch import InputWatch, Patience

LEASES = 3
_OF_AN_ARMING = ("newer_edge",)
"""A refusal that costs nothing: the host does itself what the reflex was to do."""
_OF_A_REWARD = ("busy", "interlock")
"""Why a drop may be refused through nobody's mistake: the subject was quicker than the valves."""
"""The session ends when the lease has expired this often."""


class Engine:
    """Runs the orders and waits of one task against one board; ``hosted`` are the inputs that are not the board's."""

    def __init__(
        self,
        board: Board,
        inbox: Inbox,
        ledger: RewardLedger,
        patience: Patience | None = None,
        hosted: Iterable[str] = (),
    ) -> None:
        self.board = board
        self.inbox = inbox
        self.journal = inbox.journal
        self.ledger = ledger
        self.allowance = Allowance(inbox.journal)
        self.cursor = Cursor(inbox, self, board.ask_time)
        self.now_us = 0
        self.end_us = 0
        self.started = False
        self.inputs = InputLog()
        self.watch = InputWatch(patience or Patience(), self._warn)
        self.rewards: list[Reward] = []
        self.over: SessionEnds | RigError | None = None
        self.manual: Callable[[str], RewardAction | None] = lambda source: None
        self.on_settled: Callable[[], None] = lambda: None
        self.refusals: dict[str, int] = {}
        self.undone = 0
        """Orders that were refused and that nobody has made good, as the host does for an arming that comes late."""
        self.leases = 0
        self._batches = 0
        self._answer = TimeIs(0, 0, 0)
        self._pending: list[Order] = []
        self._groups = Groups(frozenset(hosted))
        self._last_sequence = 0

    @property
    def armed(self) -> bool:
        """Tell whether a reflex is armed."""
        return bool(self._groups)

    # --- orders ---------------------------------------------------------------------------------------------

    def queue(self, order: Order, by: str = "host") -> None:
        """Put an order into the batch that the next wait closes; what pays only within the ceilings."""
        if not self._affordable(order):
            return
        self.ledger.follow(order)
        if isinstance(order, RewardAction):
            reward = self.ledger.order(order, by, self.now_us)
            if by == "host":
                self.rewards.append(reward)
        self._pending.append(order)

    def flush(self) -> None:
        """Send what was queued."""
        self.allowance.cover(self.now_us, self.ledger)
        orders, self._pending = self._pending, []
        for batch in in_batches(orders):
            self._send(batch)

    def _send(self, orders: list[Order]) -> None:
        self._batches += 1
        if self.ledger.unsent or self.ledger.promised or self.ledger.called_off:
            self.ledger.address(orders, self._batches)
        seen = self.cursor.seen
        self.journal.command(self.now_us, self.leases, self._batches, seen, orders)
        self.board.batch(orders, seen, self.leases, self._batches)

    def write_all_off(self, t_us: int) -> None:
        """Write the order that makes everything safe, which overtakes the batches up to the last."""
        self.journal.note(t_us, "all_off", era=self.leases, n=self._batches)

    def forget(self) -> None:
        """Drop what was queued and armed: the board has forgotten it too, or is about to."""
        self.ledger.revoke_unsent()
        for order in self._pending:
            if isinstance(order, Arm):  # it never will be armed
                self.ledger.release(order.group)
        self._pending.clear()
        self._groups.clear()

    def _affordable(self, order: Order) -> bool:
        amount = self.ledger.stakes.of(order)
        if amount is None:
            return True
        self.ledger.largest |= amount
        if self.ledger.allows(amount):
            return True
        source = self.ledger.stakes.actions_of(order)[0].source
        self.journal.note(self.now_us, "note", what="ceiling", source=source, **amount.fields())
        return False

    # --- reflexes and sequences -----------------------------------------------------------------------------

    def new_group(self, members: Mapping[EdgePattern, Action]) -> Group:
        """Make a reflex group; the next wait arms it."""
        return self._groups.new(members, self.ledger.promised)

    def end_group(self, group: Group) -> None:
        """Disarm a group that is still undecided."""
        if self._groups.end(group):
            if group.on_board:
                self.queue(Disarm(group.number))
            else:
                self.ledger.release(group.number)

    def new_sequence(self) -> int:
        """Number a new sequence. Raises ``TaskError`` when there are no numbers left."""
        if self._last_sequence == LAST_SEQUENCE:
            raise TaskError(
                f"{LAST_SEQUENCE} sequences are loaded: one that changes from trial to trial is loaded anew, .load(...)"
            )
        self._last_sequence += 1
        return self._last_sequence

    def _arm(self, wanted: Wanted, until_us: int | None) -> None:
        for group in self._groups:
            if group.armed:
                check_members(group, wanted)
                continue
            group.watch(wanted)
            check_alone(group, self._groups)
            self._limit_to_ceilings(group)
            if (order := group.arm(until_us)) is not None:
                self.queue(order)

    def _limit_to_ceilings(self, group: Group) -> None:
        for pattern, action in group.members.items():
            if not self._affordable(action):
                group.members[pattern] = NOTHING
        stakes = [amount for action in group.members.values() if (amount := self.ledger.stakes.of(action)) is not None]
        if stakes:
            self.ledger.promise(group.number, reduce(or_, stakes))

    # --- waits ----------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Read the levels that the inputs had at the start, and the time."""
        await self._outcome(self.cursor.read_time())

    async def executed(self) -> int:
        """Close the batch, and pass over everything until the board has executed it; return its time then."""
        self._go_on()
        self.flush()
        while self._answer.executed < self._batches:
            await self._outcome(self.cursor.read_time())
        return self._answer.t_us

    def _go_on(self) -> None:
        if self.over is not None:  # every wait says so then, also one in a ``finally:`` on the way out
            raise self.over

    async def _outcome(self, reading: Awaitable[Outcome]) -> Outcome:
        try:
            outcome = await reading
        except CancelledError:
            self.over = SessionEnds("operator")
            raise
        if isinstance(outcome, Interruption | RigError):
            self.over = outcome if isinstance(outcome, SessionEnds | RigError) else None
            raise outcome
        return outcome

    async def wait(self, wanted: Wanted, within_us: int | None) -> Seen | None:
        """Close the batch and wait for one of ``wanted``; None when ``within_us`` have passed."""
        self._go_on()
        own_us = self.end_us + 1 if within_us is None else self.now_us + within_us
        deadline_us = min(own_us, self.end_us)
        if self._groups:
            self._arm(wanted, None if within_us is None else own_us)
        if self._pending:
            self.flush()
        outcome = await self._outcome(self.cursor.read(wanted, deadline_us, settle=bool(self.ledger.pending)))
        if isinstance(outcome, SEEN):
            self.now_us = max(self.now_us, outcome.t_us)
            return outcome
        self.now_us = max(self.now_us, deadline_us)
        if own_us > self.end_us:
            self.over = SessionEnds("time_limit")
            raise self.over
        return None

    # --- what the cursor passes -----------------------------------------------------------------------------

    def on_edge(self, edge: Edge) -> None:
        """Follow the level, credit what a reflex paid, give what the board could not."""
        self.inputs.add(edge)
        self.watch.edge(edge)
        paid = edge.fired != 0 and self._credit(edge)
        for group in self._groups:
            action = group.decide(edge)
            if action is None:
                continue
            self.ledger.release(group.number)
            if group.on_board and not edge.number:
                self.queue(Disarm(group.number))
            if edge.fired == group.number:
                self.ledger.follow(action)
            elif isinstance(action, Nothing | Cancel):
                continue
            elif not (paid and isinstance(action, RewardAction)):  # an edge pays once, even a reflex on its way out
                self.queue(action)

    def _credit(self, edge: Edge) -> bool:
        self.ledger.release(edge.fired)
        group = self._groups.numbered.get(edge.fired)
        action = group.members.get((edge.channel, edge.level)) if group is not None else None
        if not isinstance(action, RewardAction):
            return False
        self.rewards.append(self.ledger.pay(action, edge.t_us))
        return True

    def decides(self, edge: Edge) -> bool:
        """Tell whether an edge would decide a reflex that is armed."""
        return any(group.answer_to(edge) is not None for group in self._groups)

    def _warn(self, what: str, channel: str, since_us: int) -> None:
        self.journal.note(self.now_us, "note", what=what, channel=channel, since_us=since_us)

    def on_time(self, answer: TimeIs) -> Interruption | None:
        """Settle what the board has executed by now."""
        self._answer = answer
        if not self.started:
            self.started, self.now_us = True, answer.t_us
        if self.ledger.promised:
            self._release_ended(answer)
        rows_wait = bool(self.ledger.pending)
        if rows_wait or self.ledger.called_off or self.ledger.disarms:
            self.ledger.settle(answer.executed)
        if rows_wait:
            self.on_settled()
        return self.watch.tick(answer.t_us)

    def _release_ended(self, answer: TimeIs) -> None:
        for number in [number for number in self.ledger.promised if number > 0]:
            until_us = self._groups.numbered[number].until_us
            if until_us is not None and until_us < answer.t_us:
                self.ledger.release(number)

    def on_other(self, event: Event) -> Interruption | None:
        """Take note of refusals and requests; say what ends the trial or the session, whose time is then now."""
        interruption: Interruption | None = None
        if isinstance(event, Refused):
            self.refusals[event.reason] = self.refusals.get(event.reason, 0) + 1
            is_reward = self.ledger.refuse(event.batch, event.order)
            self.undone += event.reason not in (_OF_A_REWARD if is_reward else _OF_AN_ARMING)
            self.on_settled()
        elif isinstance(event, Started):
            self.rewards += self.ledger.started(event.sequence, event.t_us)
        elif isinstance(event, LeaseExpired):
            interruption = self._on_lease(event)
        elif isinstance(event, Request):
            interruption = self._on_request(event)
        elif isinstance(event, Overflow):  # a refusal or a reflex's edge may be among what was lost
            self.ledger.lose_sight(event.t_us)
            self.on_settled()
            interruption = TrialAborted()
        elif isinstance(event, Fault):
            interruption = SessionEnds("fault", event.detail)
        if interruption is not None:
            self.now_us = max(self.now_us, min(event.t_us, self.end_us))
        return interruption

    def _on_lease(self, event: LeaseExpired) -> Interruption:
        self.leases += 1
        self._batches, self._answer = 0, TimeIs(event.t_us, 0, event.number)
        self.forget()
        self.ledger.end_epoch(event.executed)
        self.on_settled()
        if self.leases >= LEASES:
            return SessionEnds("fault", f"the board's lease has expired {LEASES} times: the host or the link stalls")
        return TrialAborted()

    def _on_request(self, request: Request) -> Interruption | None:
        what, _, source = request.what.partition(" ")
        if what == "stop":
            return SessionEnds("operator")
        reward = self.manual(source) if what == "reward" else None
        if reward is not None:
            self.queue(reward, by="operator")
        return None

    def on_still_waiting(self) -> None:
        """Send at once what was decided while the wait goes on."""
        if self._pending:
            self.flush()
            if self.ledger.pending:
                self.cursor.ask_time(0)
