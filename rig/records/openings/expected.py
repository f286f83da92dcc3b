"""Read from a journal which openings its rewards have caused or may have caused, and when.

The bounds of a reward in doubt follow from the order of the board's events. The board numbers them and the journal has
all up to the last one, so whatever a reflex or a sequence has done beyond its lines was done after the last of them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from rig.core.engine.loaded_rewards import is_refused
from rig.core.journal.kinds import BOARD_FAULTS, BatchDone, Command, OutputDone, RewardLine
from rig.core.model.actions import Arm, JournaledOrder, Load, RewardAction, Start, Train
from rig.core.model.events import BoardTime, Continued, Edge, LeaseExpired, Overflow, Refused, SequenceStarted
from rig.core.model.line import Line
from rig.core.model.reward import RewardStatus, amount_of, unit_of
from rig.records.openings.match import Expected, Way
from rig.records.outputs.action_reports import MAX_DELAY_US

MAX_CERTAIN = 256
"""So many confirmed rewards are kept, the last ones: far more than any board keeps openings."""
_EVENTS = (Edge, BoardTime, SequenceStarted, OutputDone, *BOARD_FAULTS)
"""The lines of the board's numbered events, which are in the board's order."""
_DOUBTFUL = (RewardStatus.PENDING, RewardStatus.UNCONFIRMED)


@dataclass(slots=True)
class _Reward:
    """One reward as its lines so far describe it."""

    line: RewardLine
    from_us: int
    until_us: int | None = None
    ways: tuple[Way, ...] = ()
    is_bounded: bool = False
    """Whether ``from_us`` is final: its opening may have begun before later lines."""
    is_sent: bool = False
    """Whether the order that leads to it has a line, which is written before the order is sent."""
    is_refused: bool = False


class ExpectedOpenings:
    """Follows a journal line by line, and says what each reward has caused or may have caused."""

    def __init__(self) -> None:
        self.expirations = 0
        self.t_us = 0
        """The latest time of a line that the board or the task has stamped."""
        self._certain: deque[_Reward] = deque(maxlen=MAX_CERTAIN)
        self._open: dict[int, _Reward] = {}
        self._before_break: dict[int, RewardLine] = {}
        self._sequences: dict[int, list[Load]] = {}

    def take(self, line: Line) -> None:
        """Read the next line."""
        if isinstance(line, RewardLine):
            self._take_reward(line)
        elif isinstance(line, Command):
            self._take_command(line)
        elif isinstance(line, BatchDone):
            self._take_batch_done(line)
        elif isinstance(line, Continued):
            self._take_break()
        elif isinstance(line, _EVENTS):
            self._take_event(line)

    def doubtful(self) -> dict[int, RewardLine]:
        """Return the last lines of the rewards in doubt, by their numbers."""
        return {**self._before_break, **{number: reward.line for number, reward in self._open.items()}}

    @property
    def not_given(self) -> set[int]:
        """Return the numbers of the rewards in doubt that the lines themselves show not to be given."""
        return {
            number
            for number, reward in self._open.items()
            # A sequence may be started by a reflex, which needs no further order.
            if reward.is_refused or not (reward.is_sent or reward.line.cause == "sequence")
        }

    def expected(self) -> list[Expected]:
        """Return the rewards that have caused openings, and those that may have."""
        certain = [self._expected(reward, is_certain=True) for reward in self._certain]
        return certain + [self._expected(reward, is_certain=False) for reward in self._open.values()]

    def _expected(self, reward: _Reward, *, is_certain: bool) -> Expected:
        line = reward.line
        ways = reward.ways or self._ways_of([Start(line.sequence or 0)], line.unit)
        if is_certain:
            # Which member of a group or entry of a sequence it was, its last line says.
            amount = amount_of(line.amount, line.unit)
            ways = tuple(way for way in ways if (way.source, way.amount) == (line.source, amount)) or ways
        return Expected(line.id, ways, reward.from_us, reward.until_us, is_certain)

    # --- the lines --------------------------------------------------------------------------------------------

    def _take_break(self) -> None:
        """Read that the board was opened again: its openings since then say nothing of the rewards before."""
        self._before_break |= {number: reward.line for number, reward in self._open.items()}
        self._open.clear()
        self._certain.clear()
        self._sequences.clear()
        self.expirations = 0

    def _take_reward(self, line: RewardLine) -> None:
        number = line.id
        if number in self._before_break:
            self._before_break[number] = line
            return
        reward = self._open.pop(number, None)
        if reward is None:
            # The first line of an order or an armed reflex is pending; what a reflex or a sequence gave beyond its
            # reservation has only this one.
            reward = _Reward(line, line.t_us)
        if line.status in _DOUBTFUL:
            reward.line = line
            self._open[number] = reward
        elif line.status is RewardStatus.DELIVERED:
            reward.line = line
            self._bound_certain(reward)
            self._certain.append(reward)

    def _bound_certain(self, reward: _Reward) -> None:
        line = reward.line
        if line.cause != "order":
            reward.from_us, reward.until_us = line.t_us, line.t_us + MAX_DELAY_US
        elif reward.until_us is None:
            # Confirmed by a time answer; the acknowledgement, which has the exact time, was lost.
            reward.until_us = self.t_us

    def _take_command(self, line: Command) -> None:
        for index, order in enumerate(line.orders):
            if isinstance(order, Load):
                self._sequences.setdefault(order.sequence, []).append(order)
                continue
            for reward in self._open.values():
                if not reward.is_sent and _leads_to(order, line.batch, index, reward.line):
                    actions = [action for _, _, action in order.members] if isinstance(order, Arm) else [order]
                    reward.is_sent = True
                    reward.ways = self._ways_of(actions, reward.line.unit)

    def _take_batch_done(self, line: BatchDone) -> None:
        for reward in self._open.values():
            if reward.line.batch == line.batch and not reward.is_bounded:
                # The board stamps a batch when it executes it.
                reward.from_us = reward.until_us = line.t_us
                reward.is_bounded = True

    def _take_event(self, line: Line) -> None:
        t_us = line.t_us
        self.t_us = max(self.t_us, t_us)
        self.expirations += isinstance(line, LeaseExpired)
        for reward in self._open.values():
            reward.is_refused |= _refuses(line, reward.line)
            if not reward.is_bounded:
                self._bound(reward, line)

    def _bound(self, reward: _Reward, line: Line) -> None:
        """Update the bounds of a reward in doubt by an event that may not be its own."""
        match line:
            case Overflow():
                reward.is_bounded = line.effects > 0  # one of them may be its own
            case LeaseExpired():
                reward.until_us, reward.is_bounded = line.t_us, True
            case BoardTime() if reward.line.cause == "order" and line.executed >= (reward.line.batch or 0):
                reward.until_us, reward.is_bounded = line.t_us, True
            case _ if reward.line.cause != "order" or isinstance(line, BoardTime):
                reward.from_us = max(reward.from_us, line.t_us)
                reward.is_bounded = _may_be_own(line, reward.line)

    def _ways_of(self, first: Iterable[JournaledOrder], unit: str) -> tuple[Way, ...]:
        """Return what actions may give, also by the sequences that they start.

        A sequence may give what any of its contents gives: which of them was loaded, the board decides.
        """
        ways: dict[Way, None] = {}
        started: set[int] = set()
        actions = deque(first)
        while actions:
            action = actions.popleft()
            if isinstance(action, RewardAction) and unit_of(action.amount) == unit:
                ways[_way(action)] = None
            elif isinstance(action, Start) and action.sequence not in started:
                started.add(action.sequence)
                loads = self._sequences.get(action.sequence, ())
                actions += [entry for load in loads for _, entry in load.entries]
        return tuple(ways)


def _leads_to(order: JournaledOrder, batch: int, index: int, reward: RewardLine) -> bool:
    """Whether an order, by its batch and its place in it, gives a reward or arms the reflex that does."""
    if isinstance(order, Arm):
        return reward.cause == "reflex" and reward.group == order.group
    is_its_order = reward.cause == "order" and (reward.batch, reward.order) == (batch, index)
    return isinstance(order, RewardAction) and is_its_order


def _may_be_own(event: Line, reward: RewardLine) -> bool:
    """Whether an unread event may be the edge of a reward's reflex or the start of its sequence."""
    if isinstance(event, Edge):
        return event.fired != 0 and event.fired == reward.group
    return isinstance(event, SequenceStarted)


def _refuses(event: Line, reward: RewardLine) -> bool:
    """Whether an event, which the task has not read, refuses the order of a reward."""
    if not isinstance(event, Refused) or reward.cause != "order":
        return False
    return is_refused((reward.batch or 0, reward.order or 0), event.batch, event.order)


def _way(reward: RewardAction) -> Way:
    action = reward.action
    if isinstance(action, Train):
        if action.period_us > action.on_us:
            pulses = action.count, action.period_us
            return Way(action.output, action.on_us, reward.source, reward.amount, *pulses)
        return Way(action.output, action.on_us * action.count, reward.source, reward.amount)
    return Way(action.output, action.us, reward.source, reward.amount)
