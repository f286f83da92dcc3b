"""The totals of a session's rewards, from its journal: of each reward its last line counts.

A delivered reward counts. An unconfirmed or pending one may have been given, and counts too. A refused or canceled one
does not. Each reward has a pending line before it can be given. So a journal that breaks off anywhere counts at least
what left the valves.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import NamedTuple

from rig.core.journal.header import Footer, Given, Header
from rig.core.journal.kinds import AllowanceLine, Command, RewardLine
from rig.core.model.actions import AMOUNT_TOLERANCE, Amount
from rig.core.model.events import BoardTime, Continued, Edge
from rig.core.model.line import Line
from rig.core.model.reward import RewardStatus, amount_of

NOTHING = Amount()
MINUTE_US = 60_000_000
MAX_UNRECORDED_US = 15 * MINUTE_US
"""The longest time that the host may have run after the journal's last line; pending rewards may have been given."""


class RewardSum(NamedTuple):
    """A number of rewards and their amount."""

    rewards: int
    amount: Amount

    @classmethod
    def nothing(cls) -> RewardSum:
        """Return the sum of no rewards."""
        return cls(0, NOTHING)

    def covers(self, other: RewardSum) -> bool:
        """Whether it is at least as much as another sum, of every kind."""
        mine, theirs = self.amount, other.amount
        return (
            self.rewards >= other.rewards
            and mine.ul >= theirs.ul - AMOUNT_TOLERANCE
            and mine.pellets >= theirs.pellets
            and mine.access_s >= theirs.access_s - AMOUNT_TOLERANCE
        )

    def more(self, amount: Amount, times: int) -> RewardSum:
        """Return it with ``times`` rewards of an amount added, or removed where ``times`` is negative."""
        more = Amount(amount.ul * times, amount.pellets * times, amount.access_s * times)
        return RewardSum(self.rewards + times, self.amount + more)

    def beyond(self, other: RewardSum) -> RewardSum:
        """Return how much it exceeds another sum, of every kind."""
        over = self.amount - other.amount
        amount = Amount(max(0.0, over.ul), max(0, over.pellets), max(0.0, over.access_s))
        return RewardSum(max(0, self.rewards - other.rewards), amount)


NONE = RewardSum.nothing()


def largest_of(doubts: Iterable[RewardSum]) -> RewardSum:
    """Return the largest value of each kind among some sums."""
    total = NONE
    for rewards, amount in doubts:
        total = RewardSum(max(total.rewards, rewards), total.amount | amount)
    return total


def sum_of(doubts: Iterable[RewardSum]) -> RewardSum:
    """Return the sum of some sums."""
    total = NONE
    for rewards, amount in doubts:
        total = RewardSum(total.rewards + rewards, total.amount + amount)
    return total


class DeliveredRewards:
    """The rewards of one session, read line by line.

    ``went_down`` means that the machine stopped without a shutdown: the last lines may never have reached the disk, so
    everything up to the allowance may have been given. ``start`` is the start of the session in ISO format; minutes are
    counted from its minute.
    """

    kinds = (Header, AllowanceLine, RewardLine, Command, Edge, BoardTime, Continued, Footer)
    """The kinds of lines that hold rewards, and the time until which the session ran."""

    def __init__(self, start: str | None = None, *, went_down: bool = False) -> None:
        self.t_us = 0
        self._offset_us = _offset_us(start)
        self._went_down = went_down
        self._allowed = NONE
        self._pending: dict[int, Amount] = {}
        self._minutes: dict[int, Amount] = {}
        self._unconfirmed: dict[int, tuple[int, Amount]] = {}
        self._sums = dict.fromkeys((RewardStatus.DELIVERED, RewardStatus.UNCONFIRMED), NONE)

    def take(self, line: Line) -> None:
        """Read the next line."""
        if isinstance(line, RewardLine):
            self.record(line.id, line.t_us, line.status, amount_of(line.amount, line.unit))
            # An unconfirmed reward has its latest possible time, which the session may not have reached.
            if line.status is RewardStatus.UNCONFIRMED:
                return
        elif isinstance(line, Header):
            self._offset_us = _offset_us(line.start)
        elif isinstance(line, AllowanceLine):
            self._allowed = RewardSum(line.rewards, Amount(line.ul, line.pellets, line.access_s))
        if line.t_us > self.t_us:
            self.t_us = line.t_us

    def record(self, number: int, t_us: int, status: RewardStatus, amount: Amount) -> None:
        """Record the status of a reward, by its number.

        Only a pending reward changes, and its amount only grows; an unconfirmed one changes by a correction.
        """
        if status is not RewardStatus.UNCONFIRMED:
            self._take_back_unconfirmed(number)
        # A reservation grows while sequences are loaded with larger rewards, so the largest amount counts.
        before = self._pending.pop(number, NOTHING)
        if status is RewardStatus.PENDING:
            self._pending[number] = before | amount
        elif status in self._sums:
            self._sums[status] = self._sums[status].more(amount, 1)
            minute = self._minute(t_us)
            self._minutes[minute] = self._minutes.get(minute, NOTHING) + amount
            if status is RewardStatus.UNCONFIRMED:
                self._unconfirmed[number] = minute, amount

    def _take_back_unconfirmed(self, number: int) -> None:
        if number in self._unconfirmed:
            minute, amount = self._unconfirmed.pop(number)
            self._sums[RewardStatus.UNCONFIRMED] = self._sums[RewardStatus.UNCONFIRMED].more(amount, -1)
            self._minutes[minute] -= amount

    def _minute(self, t_us: int) -> int:
        return (t_us + self._offset_us) // MINUTE_US

    @property
    def delivered(self) -> RewardSum:
        """Return the sum of the rewards that were certainly given."""
        return self._sums[RewardStatus.DELIVERED]

    @property
    def unconfirmed(self) -> RewardSum:
        """Return the sum of the rewards whose delivery nothing can confirm any more."""
        return self._sums[RewardStatus.UNCONFIRMED]

    @property
    def uncertain(self) -> RewardSum:
        """Return the largest sum that may have been given beyond the certain one, if this was the last line."""
        unseen = sum_of((self.unconfirmed, *(RewardSum(1, amount) for amount in self._pending.values())))
        # The larger, not the sum: an allowance covers the pending and unconfirmed rewards too.
        return largest_of((unseen, self._allowed.beyond(self.delivered))) if self._went_down else unseen

    @property
    def total(self) -> RewardSum:
        """Return the upper bound of what was given: the certain and the uncertain rewards together."""
        return sum_of((self.delivered, self.uncertain))

    def rows(self) -> list[Given]:
        """Return minute, ul, pellets and access_s of the minutes in which something was given.

        A pending reward counts in the latest minute in which it may have been given.
        """
        amounts = dict(self._minutes)
        # In the latest minute in which it may have been given, so that no daily total counts it too early.
        late = self._minute(self.t_us + MAX_UNRECORDED_US)
        amounts[late] = amounts.get(late, NOTHING) + self.uncertain.amount - self.unconfirmed.amount
        rows = (
            (minute, round(one.ul, 6), one.pellets, round(one.access_s, 6)) for minute, one in sorted(amounts.items())
        )
        return [row for row in rows if any(row[1:])]


def _offset_us(start: str | None) -> int:
    """Return how far into its minute a session started, in microseconds."""
    if start is None:
        return 0
    when = datetime.datetime.fromisoformat(start)
    return when.second * 1_000_000 + when.microsecond
