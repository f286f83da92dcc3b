"""Read from a journal which openings its rewards have caused or may have caused, and when.

The bounds of a reward in doubt follow from the order of the board's events. The board numbers them and the journal has
all up to the last one, so whatever a reflex or a sequence has done beyond its lines was done after the last of them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rig.core.engine.loaded_rewards import is_refused
from rig.core.model.actions import Amount
from rig.core.model.reward import RewardStatus, amount_of
from rig.records.openings.match import Expected, Way
from rig.records.outputs.readable_orders import sound_orders

MAX_DELAY_US = 1_000_000
"""The longest time from the edge of a reflex or the start of a sequence to its opening: a lock-out, and much more."""
MAX_CERTAIN = 256
"""So many confirmed rewards are kept, the last ones: far more than any board keeps openings."""
_EVENTS = frozenset({"edge", "time", "sequence_started", "output_done", "fault"})
"""The lines of the board's numbered events, which are in the board's order."""
_DOUBTFUL = (RewardStatus.PENDING, RewardStatus.UNCONFIRMED)

Line = Mapping[str, Any]


@dataclass(slots=True)
class _Reward:
    """One reward as its lines so far describe it."""

    line: Line
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
        self._before_break: dict[int, Line] = {}
        self._sequences: dict[int, list[Line]] = {}

    def take(self, line: Line) -> None:
        """Read the next line."""
        kind = line["k"]
        if kind == "reward":
            self._take_reward(line)
        elif kind == "command":
            self._take_command(line)
        elif kind == "batch_done":
            self._take_batch_done(line)
        elif kind == "continued":
            self._take_break()
        if kind in _EVENTS and line["src"] == "board":
            self._take_event(line)

    def doubtful(self) -> dict[int, Line]:
        """Return the last lines of the rewards in doubt, by their numbers."""
        return {**self._before_break, **{number: reward.line for number, reward in self._open.items()}}

    @property
    def not_given(self) -> set[int]:
        """Return the numbers of the rewards in doubt that the lines themselves show not to be given."""
        return {
            number
            for number, reward in self._open.items()
            # A sequence may be started by a reflex, which needs no further order.
            if reward.is_refused or not (reward.is_sent or reward.line["cause"] == "sequence")
        }

    def expected(self) -> list[Expected]:
        """Return the rewards that have caused openings, and those that may have."""
        certain = [self._expected(reward, is_certain=True) for reward in self._certain]
        return certain + [self._expected(reward, is_certain=False) for reward in self._open.values()]

    def _expected(self, one: _Reward, *, is_certain: bool) -> Expected:
        ways = one.ways or tuple(self._ways_of_sequence(one.line.get("sequence", 0), one.line["unit"]))
        if is_certain:
            # Which member of a group or entry of a sequence it was, its last line says.
            much = amount_of(one.line["amount"], one.line["unit"])
            ways = tuple(way for way in ways if (way.source, way.amount) == (one.line["source"], much)) or ways
        return Expected(one.line["id"], ways, one.from_us, one.until_us, is_certain)

    # --- the lines --------------------------------------------------------------------------------------------

    def _take_break(self) -> None:
        """Read that the board was opened again: its openings since then say nothing of the rewards before."""
        self._before_break |= {number: reward.line for number, reward in self._open.items()}
        self._open.clear()
        self._certain.clear()
        self._sequences.clear()
        self.expirations = 0

    def _take_reward(self, line: Line) -> None:
        number, status = line["id"], RewardStatus(line["status"])
        if number in self._before_break:
            self._before_break[number] = line
            return
        reward = self._open.pop(number, None)
        if reward is None:
            # The first line of an order or an armed reflex is pending; what a reflex or a sequence gave beyond its
            # reservation has only this one.
            reward = _Reward(line, line["t"])
        if status in _DOUBTFUL:
            reward.line = line
            self._open[number] = reward
        elif status is RewardStatus.DELIVERED:
            reward.line = line
            self._bound_certain(reward)
            self._certain.append(reward)

    def _bound_certain(self, one: _Reward) -> None:
        if one.line["cause"] != "order":
            one.from_us, one.until_us = one.line["t"], one.line["t"] + MAX_DELAY_US
        elif one.until_us is None:
            # Confirmed by a time answer; the acknowledgement, which has the exact time, was lost.
            one.until_us = self.t_us

    def _take_command(self, line: Line) -> None:
        for index, order in enumerate(sound_orders(line["orders"])):
            do = order["do"]
            if do == "load":
                self._sequences.setdefault(order["sequence"], []).append(order)
            elif do == "arm":
                for reward in self._open.values():
                    if (
                        reward.line["cause"] == "reflex"
                        and reward.line.get("group") == order["group"]
                        and not reward.is_sent
                    ):
                        reward.is_sent = True
                        reward.ways = tuple(self._ways_of(order["members"], reward.line["unit"]))
            elif "source" in order:
                for reward in self._open.values():
                    if _is_of(reward.line, line["batch"], index) and not reward.is_sent:
                        reward.is_sent = True
                        reward.ways = tuple(self._ways_of([order], reward.line["unit"]))

    def _take_batch_done(self, line: Line) -> None:
        for reward in self._open.values():
            if reward.line.get("batch") == line["batch"] and not reward.is_bounded:
                # The board stamps a batch when it executes it.
                reward.from_us = reward.until_us = line["t"]
                reward.is_bounded = True

    def _take_event(self, line: Line) -> None:
        t_us = line["t"]
        self.t_us = max(self.t_us, t_us)
        self.expirations += line["k"] == "fault" and line["what"] == "lease_expired"
        for reward in self._open.values():
            reward.is_refused |= _refuses(line, reward.line)
            if not reward.is_bounded:
                self._bound(reward, line)

    def _bound(self, one: _Reward, line: Line) -> None:
        """Update the bounds of a reward in doubt by an event that may not be its own."""
        kind, t_us = line["k"], line["t"]
        if kind == "fault" and line["what"] == "overflow":
            one.is_bounded = line["effects"] > 0  # one of them may be its own
        elif kind == "fault" and line["what"] == "lease_expired":
            one.until_us, one.is_bounded = t_us, True
        elif one.line["cause"] == "order":
            batch = one.line.get("batch", 0)
            if kind == "time" and line["executed"] < batch:
                one.from_us = max(one.from_us, t_us)
            elif kind == "time":
                one.until_us, one.is_bounded = t_us, True
        elif self._is_own(one, line):
            one.from_us, one.is_bounded = max(one.from_us, t_us), True
        else:
            one.from_us = max(one.from_us, t_us)

    def _is_own(self, one: _Reward, line: Line) -> bool:
        """Whether an unread event may be the edge of a reward's reflex or the start of its sequence."""
        if line["k"] == "edge":
            return bool(line["fired"] and line["fired"] == one.line.get("group"))
        return bool(line["k"] == "sequence_started")

    # --- the ways ---------------------------------------------------------------------------------------------

    def _ways_of(self, actions: Iterable[Line], unit: str, started: frozenset[int] = frozenset()) -> Iterator[Way]:
        for action in actions:
            if action["do"] == "start" and action["sequence"] not in started:
                yield from self._ways_of_sequence(action["sequence"], unit, started)
            elif action["do"] in ("pulse", "train") and "source" in action and unit in action:
                yield _way(action, amount_of(action[unit], unit))

    def _ways_of_sequence(self, sequence: int, unit: str, started: frozenset[int] = frozenset()) -> Iterator[Way]:
        """Return what a sequence may give by any of its contents: which of them was loaded, the board decides."""
        seen = set()
        for load in self._sequences.get(sequence, ()):
            for way in self._ways_of(load["entries"], unit, started | {sequence}):
                if way not in seen:
                    seen.add(way)
                    yield way


def _is_of(line: Line, batch: int, place: int) -> bool:
    return line["cause"] == "order" and (line.get("batch"), line.get("order")) == (batch, place)


def _refuses(event: Line, reward: Line) -> bool:
    """Whether an event, which the task has not read, refuses the order of a reward."""
    if event["k"] != "fault" or event["what"] != "refused" or reward["cause"] != "order":
        return False
    return is_refused((reward.get("batch", 0), reward.get("order", 0)), event["batch"], event["order"])


def _way(action: Line, amount: Amount) -> Way:
    if action["do"] == "train":
        pulses, period_us, on_us = action["count"], action["period_us"], action["on_us"]
        if period_us > on_us:
            return Way(action["output"], on_us, action["source"], amount, pulses, period_us)
        return Way(action["output"], on_us * pulses, action["source"], amount)
    return Way(action["output"], action["us"], action["source"], amount)
