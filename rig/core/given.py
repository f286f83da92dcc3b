"""What a journal shows to have left valves and feeders, and what may have left them unseen.

A reward is *sure* when the board's ordered events show it: a reflex fired, a sequence started, a batch was executed.
Until then what may fall is *in doubt*: an armed group, a pulse on its way, a sequence that may start. The board says
when that is over; the host's own idea of the time never does.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rig.core.actions import TINY, Amount

NOTHING = Amount()
MINUTE_US = 60_000_000
MOST_SEQUENCES = 64
"""No board holds so many."""
DOUBT_US = 15 * MINUTE_US
"""The host may have run on for so long after the journal's last line; what is in doubt may have fallen until then."""
PAST_US = 1_000_000
"""A start inside a sequence whose time has passed for so long was refused, or it would have been reported."""

_NUMBER = r"\d{1,9}(?:\.\d{1,12})?(?:e[+-]?\d{1,2})?"
_REWARD = re.compile(rf"(?:pulse|train) .*\(({_NUMBER}) (ul|pellets?|s)\)$")
_START = re.compile(r"start (\d{1,9})(?: at (-?\d{1,18}))?$")
_STOP = re.compile(r"stop (\d{1,9})$")
_ARM = re.compile(r"arm (\d{1,9})(?: until (-?\d{1,18}))?: (.*)$")
_DISARM = re.compile(r"disarm (\d{1,9})$")
_LOAD = re.compile(r"load (\d{1,9}): (.*)$")
_MEMBER = re.compile(r"(\S+)([+-]) (.*)$")
_ENTRY = re.compile(r"\+(\d{1,18}) (.*)$")


class Minutes:
    """Amounts by the minute of wall-clock time, counted from the minute in which a session started."""

    def __init__(self, start: str | None = None) -> None:
        self.offset_us = _offset_us(start)
        self._given: dict[int, Amount] = {}

    def minute(self, t_us: int) -> int:
        """Tell in which minute an instant of the session lies."""
        return (t_us + self.offset_us) // MINUTE_US

    def add(self, t_us: int, amount: Amount) -> None:
        """Count what was given at an instant."""
        minute = self.minute(t_us)
        self._given[minute] = self._given.get(minute, NOTHING) + amount

    def take_back(self, t_us: int, amount: Amount) -> None:
        """Count it no more."""
        minute = self.minute(t_us)
        self._given[minute] = self._given[minute] - amount

    def rows(self, late_us: int = 0, late: Amount = NOTHING) -> list[list[float]]:
        """List ``[minute, ul, pellets, access_s]`` of the minutes in which something was given, and ``late``."""
        given = dict(self._given)
        given[self.minute(late_us)] = given.get(self.minute(late_us), NOTHING) + late
        rounded = (
            [minute, round(one.ul, 6), one.pellets, round(one.access_s, 6)] for minute, one in sorted(given.items())
        )
        return [row for row in rounded if any(row[1:])]


def _offset_us(start: str | None) -> int:
    """Tell how far into its minute a session starts."""
    if start is None:
        return 0
    when = datetime.datetime.fromisoformat(start)
    return when.second * 1_000_000 + when.microsecond


class Doubt(NamedTuple):
    """How many rewards may be given or may have been given, and how much they are."""

    rewards: int
    amount: Amount

    @classmethod
    def nothing(cls) -> Doubt:
        """Give none."""
        return cls(0, NOTHING)

    def covers(self, other: Doubt) -> bool:
        """Tell whether it is at least as much as another one, of every kind."""
        mine, theirs = self.amount, other.amount
        return (
            self.rewards >= other.rewards
            and mine.ul >= theirs.ul - TINY
            and mine.pellets >= theirs.pellets
            and mine.access_s >= theirs.access_s - TINY
        )

    def more(self, amount: Amount, times: int) -> Doubt:
        """Add so many rewards of an amount."""
        more = Amount(amount.ul * times, amount.pellets * times, amount.access_s * times)
        return Doubt(self.rewards + times, self.amount + more)

    def beyond(self, other: Doubt) -> Doubt:
        """Tell how much more it is than another one, of every kind."""
        over = self.amount - other.amount
        amount = Amount(max(0.0, over.ul), max(0, over.pellets), max(0.0, over.access_s))
        return Doubt(max(0, self.rewards - other.rewards), amount)


NONE = Doubt.nothing()


def largest(doubts: Iterable[Doubt]) -> Doubt:
    """Give the most of each kind that one of them is."""
    found = NONE
    for rewards, amount in doubts:
        found = Doubt(max(found.rewards, rewards), found.amount | amount)
    return found


def together(doubts: Iterable[Doubt]) -> Doubt:
    """Add them up."""
    found = NONE
    for rewards, amount in doubts:
        found = Doubt(found.rewards + rewards, found.amount + amount)
    return found


class _Deed(NamedTuple):
    """What an action does, as far as it matters here."""

    gives: Amount | None = None
    starts: int | None = None
    stops: int | None = None
    at_us: int | None = None


@dataclass(slots=True)
class _Group:
    """An armed group, by the batch that armed it; ``unseen`` is one whose reward is counted as in doubt for good."""

    batch: int
    place: int
    until_us: int | None
    members: dict[tuple[str, int], _Deed]
    unseen: bool = False


@dataclass(slots=True, eq=False)
class _Start:
    """A start that is still to come: ordered in a batch, by a reflex, or by the sequence ``by``."""

    sequence: int
    batch: int = 0
    place: int = 0
    by: int | None = None
    due_us: int | None = None
    unseen: bool = False


@dataclass(slots=True)
class _Batch:
    """What of a batch matters until it is known to be executed."""

    t_us: int
    rewards: dict[int, Amount] = field(default_factory=dict)
    disarms: list[int] = field(default_factory=list)
    calls_off: dict[int, list[_Start]] = field(default_factory=dict)
    """The starts that an order makes void, by its place: those that were to come when it was given."""


@dataclass(slots=True)
class _Load:
    """What a sequence does from a batch on."""

    batch: int
    place: int
    entries: list[tuple[int, _Deed]]


class Given:
    """Follows a journal line by line: what was given for sure, and what may have been given unseen.

    Where the machine ``went_down`` the last lines may never have reached the disk: all that was allowed may have been
    given.
    """

    KINDS = ("header", "allowance", "command", "edge", "started", "time", "fault", "footer")
    """The kinds of lines that say something of what is given."""

    def __init__(self, *, went_down: bool = False) -> None:
        self._went_down = went_down
        self._allowed = NONE
        self.minutes = Minutes()
        self.rewards = 0
        self.amount = NOTHING
        self.t_us = 0
        self._lost = NONE
        self._armed: dict[int, _Group] = {}
        self._last: dict[tuple[str, int], int] = {}
        self._loaded: dict[int, list[_Load]] = {}
        self._payments: dict[int, Doubt] = {}
        self._starts: list[_Start] = []
        self._batches: dict[int, _Batch] = {}
        self._era = 0
        self._take: dict[str, Callable[[Mapping[str, Any]], list[Amount]]] = {
            "header": self._header,
            "allowance": self._allowance,
            "command": self._command,
            "edge": self._edge,
            "started": self._started,
            "time": self._time,
            "fault": self._fault,
            "footer": self._footer,
        }

    def take(self, line: Mapping[str, Any]) -> list[Amount]:
        """Take the next line; return the rewards that it shows to have been given."""
        self.t_us = max(self.t_us, line["t"])
        take = self._take.get(line["k"])
        return [] if take is None else take(line)

    @property
    def doubt(self) -> Doubt:
        """Tell the most that may have been given beyond what is sure, should this have been the last line."""
        unseen = self._unseen()
        return largest([unseen, self._allowed.beyond(self.sure)]) if self._went_down else unseen

    def _unseen(self) -> Doubt:
        ordered = [Doubt(1, reward) for batch in self._batches.values() for reward in batch.rewards.values()]
        groups = [self._most(group) for group in self._armed.values() if not group.unseen]
        starts = [self._pays(start.sequence, {}) for start in self._starts if not start.unseen]
        return together([self._lost, *ordered, *groups, *starts])

    @property
    def sure(self) -> Doubt:
        """Tell what the board is known to have given."""
        return Doubt(self.rewards, self.amount)

    @property
    def total(self) -> Doubt:
        """Tell what is sure and what is in doubt together: no more than this was given."""
        return together([self.sure, self.doubt])

    def rows(self) -> list[list[float]]:
        """List what was given by the minute; what is in doubt stands where it may have fallen at the latest."""
        return self.minutes.rows(self.t_us + DOUBT_US, self.doubt.amount - self._lost.amount)

    # --- what was given ---------------------------------------------------------------------------------------

    def _give(self, t_us: int, amount: Amount) -> list[Amount]:
        self.rewards += 1
        self.amount += amount
        self.minutes.add(t_us, amount)
        return [amount]

    def _header(self, line: Mapping[str, Any]) -> list[Amount]:
        start = line.get("start")
        self.minutes = Minutes(start if isinstance(start, str) else None)
        return []

    def _allowance(self, line: Mapping[str, Any]) -> list[Amount]:
        self._allowed = Doubt(line["rewards"], Amount(line["ul"], line["pellets"], line["access_s"]))
        return []

    def _edge(self, line: Mapping[str, Any]) -> list[Amount]:
        edge, fired, sure = (line["channel"], line["level"]), line["fired"], []
        self._last[edge] = line["number"]
        for number, group in list(self._armed.items()):
            if number == fired:
                del self._armed[number]
                sure = self._done(line["t"], group.members.get(edge, _Deed()))
            elif edge in group.members and (group.until_us is None or line["t"] <= group.until_us):
                del self._armed[number]
        return sure

    def _done(self, t_us: int, deed: _Deed) -> list[Amount]:
        number = deed.stops if deed.starts is None else deed.starts
        if number is not None:  # what is on its way to the board may come after it
            void = [start for start in self._void(number) if start.batch not in self._batches]
            self._starts = [start for start in self._starts if start not in void]
        if deed.starts is not None:
            self._starts.append(_Start(deed.starts))
        return [] if deed.gives is None else self._give(t_us, deed.gives)

    def _void(self, sequence: int) -> list[_Start]:
        """List what will not come any more when a sequence is stopped, started anew or loaded anew."""
        return [
            start for start in self._starts if start.by == sequence or (start.by is None and start.sequence == sequence)
        ]

    def _started(self, line: Mapping[str, Any]) -> list[Amount]:
        number, t_us = line["sequence"], line["t"]
        awaited = next((start for start in self._starts if start.sequence == number), None)
        self._starts = [start for start in self._starts if start is not awaited and start.by != number]
        sure = []
        for at_us, deed in self._played(number, awaited):
            if deed.starts is not None:
                self._starts.append(_Start(deed.starts, by=number, due_us=t_us + at_us))
            if deed.gives is not None:
                sure += self._give(t_us, deed.gives)
        return sure

    def _played(self, number: int, awaited: _Start | None) -> list[tuple[int, _Deed]]:
        """Tell what a sequence that has started does; which load it was, is not known while one is on its way."""
        loads = self._loaded.get(number, [])
        if awaited is not None and awaited.batch:
            loads = [load for load in loads if load.batch <= awaited.batch][-1:]
        return max((load.entries for load in loads), key=self._sum, default=[])

    def _sum(self, entries: list[tuple[int, _Deed]]) -> tuple[float, ...]:
        amount = together(self._worth(deed) for _, deed in entries).amount
        return amount.ul, amount.pellets, amount.access_s

    def _time(self, line: Mapping[str, Any]) -> list[Amount]:
        t_us = line["t"]
        sure = self._executed(line["executed"])
        self._armed = {
            number: group for number, group in self._armed.items() if group.until_us is None or group.until_us >= t_us
        }
        self._starts = [start for start in self._starts if start.due_us is None or start.due_us + PAST_US >= t_us]
        return sure

    def _executed(self, executed: int) -> list[Amount]:
        sure = []
        for number in sorted(number for number in self._batches if number <= executed):
            batch = self._batches.pop(number)
            for reward in batch.rewards.values():
                sure += self._give(batch.t_us, reward)
            for group in batch.disarms:
                if group in self._armed and self._armed[group].batch < number:
                    del self._armed[group]
            void = [start for starts in batch.calls_off.values() for start in starts]
            self._starts = [start for start in self._starts if start not in void]
        self._payments.clear()
        for number, loads in self._loaded.items():
            done = [load for load in loads if load.batch <= executed]
            self._loaded[number] = [*done[-1:], *loads[len(done) :]]
        return sure

    # --- what goes wrong --------------------------------------------------------------------------------------

    def _fault(self, line: Mapping[str, Any]) -> list[Amount]:
        what = line["what"]
        if what == "refused":
            self._refused(line["batch"], line["order"])
        elif what == "overflow":
            self._lose_sight()
        elif what == "lease_expired":
            sure = self._executed(line["executed"])
            self._era += 1
            self._forget_all()
            return sure
        return []

    def _refused(self, number: int, place: int) -> None:
        batch = self._batches.get(number)
        if batch is not None:
            batch.rewards.pop(place, None)
            batch.calls_off.pop(place, None)
        where = (number, place)
        self._armed = {n: group for n, group in self._armed.items() if (group.batch, group.place) != where}
        self._starts = [start for start in self._starts if (start.batch, start.place) != where]
        self._payments.clear()
        self._loaded = {
            n: [load for load in loads if (load.batch, load.place) != where] for n, loads in self._loaded.items()
        }

    def _lose_sight(self) -> None:
        """Count all that is in doubt for good: what would have settled it may be among the events that were lost."""
        unseen = self._unseen()
        self.minutes.add(self.t_us, unseen.amount - self._lost.amount)
        self._lost = unseen
        for batch in self._batches.values():
            batch.rewards.clear()
        for group in self._armed.values():
            group.unseen = True
        for start in self._starts:
            start.unseen = True

    def _footer(self, line: Mapping[str, Any]) -> list[Amount]:
        if not line["complete"]:
            return []
        sure = self._executed(line["executed"])
        self._forget_all()
        return sure

    def _forget_all(self) -> None:
        self._armed.clear()
        self._loaded.clear()
        self._payments.clear()
        self._starts.clear()
        self._batches.clear()

    # --- what is ordered --------------------------------------------------------------------------------------

    def _command(self, line: Mapping[str, Any]) -> list[Amount]:
        if line["era"] != self._era:  # made in ignorance of an expired lease: never sent
            return []
        batch = _Batch(line["t"])
        for place, order in enumerate(line["orders"]):
            self._order(batch, line, place, order)
        self._batches[line["n"]] = batch
        return []

    def _order(self, batch: _Batch, line: Mapping[str, Any], place: int, order: str) -> None:
        number = line["n"]
        if arm := _ARM.match(order):
            until_us = None if arm[2] is None else int(arm[2])
            members = filter(None, map(_MEMBER.match, arm[3].split("; ")))
            deeds = {(member[1], int(member[2] == "+")): _deed(member[3]) for member in members}
            if all(self._last.get(edge, 0) <= line["seen"] for edge in deeds):  # else the board refuses it
                self._armed[int(arm[1])] = _Group(number, place, until_us, deeds)
        elif disarm := _DISARM.match(order):
            batch.disarms.append(int(disarm[1]))
        elif load := _LOAD.match(order):
            found = filter(None, map(_ENTRY.match, load[2].split("; ")))
            entries = [(int(entry[1]), _deed(entry[2])) for entry in found]
            batch.calls_off[place] = self._void(int(load[1]))
            self._loaded.setdefault(int(load[1]), []).append(_Load(number, place, entries))
            self._payments.clear()
        else:
            self._act(batch, number, place, order)

    def _act(self, batch: _Batch, number: int, place: int, order: str) -> None:
        deed = _deed(order)
        if deed.gives is not None:
            batch.rewards[place] = deed.gives
        sequence = deed.stops if deed.starts is None else deed.starts
        if sequence is not None:
            batch.calls_off[place] = self._void(sequence)
        if deed.starts is not None:
            self._starts.append(_Start(deed.starts, number, place, due_us=deed.at_us))

    def _most(self, group: _Group) -> Doubt:
        return largest(self._worth(deed) for deed in group.members.values())

    def _worth(self, deed: _Deed, known: dict[int, Doubt] | None = None) -> Doubt:
        if deed.gives is not None:
            return Doubt(1, deed.gives)
        if deed.starts is None:
            return NONE
        if known is not None:
            return self._pays(deed.starts, known)
        if deed.starts not in self._payments:  # asked for again and again until something else is loaded
            self._payments[deed.starts] = self._pays(deed.starts, {})
        return self._payments[deed.starts]

    def _pays(self, sequence: int, known: dict[int, Doubt]) -> Doubt:
        """Tell what a sequence that starts will give, by itself and by those that it starts; ``known`` are others."""
        if sequence not in known and len(known) < MOST_SEQUENCES:
            known[sequence] = NONE  # one that leads to itself pays by being started again
            loads = self._loaded.get(sequence, ())
            known[sequence] = largest(together(self._worth(deed, known) for _, deed in load.entries) for load in loads)
        return known.get(sequence, NONE)


def _deed(text: str) -> _Deed:
    if reward := _REWARD.match(text):
        return _Deed(gives=_amount(reward[1], reward[2]))
    if start := _START.match(text):
        return _Deed(starts=int(start[1]), at_us=None if start[2] is None else int(start[2]))
    stop = _STOP.match(text)
    return _Deed() if stop is None else _Deed(stops=int(stop[1]))


def _amount(number: str, unit: str) -> Amount:
    if unit == "s":
        return Amount(access_s=float(number))
    return Amount(pellets=int(float(number))) if unit != "ul" else Amount(float(number))


def rewards(lines: Iterable[Mapping[str, Any]]) -> Iterator[Amount]:
    """Give every reward that a journal shows to have been given, in the order of its lines."""
    given = Given()
    return (reward for line in lines for reward in given.take(line))
