"""Whether the subject collects its rewards: a dead valve looks the same to the computer, but not to the subject."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from statistics import median

from rig.core.journal.kinds import RewardLine
from rig.core.model.events import Edge, ZoneEvent
from rig.core.model.reward import RewardStatus
from rig.expectations.finding import Finding
from rig.expectations.rule import Rule
from rig.expectations.visits import InputChange, Visits

STAYS = 30


class Collection(Rule[InputChange | RewardLine]):
    """The rewards of one device, and the visits of the input at which the subject collects them."""

    name = "not_collected"
    kinds = (Edge, ZoneEvent, RewardLine)

    def __init__(self, device: str, channel: str, expected: Mapping[str, float]) -> None:
        self._device, self._channel = device, channel
        self._within_us = round(1e6 * expected["visit_within_s"])
        self._max_missed = max(1, int(expected.get("max_missed", 3)))
        self._visits = Visits(self._channel)
        self._waiting: deque[int] = deque()
        self._missed = 0
        self._reported = False

    def take(self, line: InputChange | RewardLine) -> Iterator[Finding]:
        """Read a reward or a change of the input."""
        if isinstance(line, RewardLine):
            if is_delivered(line, self._device):
                self._waiting.append(line.t_us)
        else:
            yield from self.check(line.t_us)
            if not self._visits.take(line):
                return
        while self._waiting and self._visits.was_inside(self._waiting[0], self._waiting[0] + self._within_us):
            self._waiting.popleft()
            self._missed, self._reported = 0, False

    def check(self, t_us: int) -> Iterator[Finding]:
        """Yield a finding when the subject has not come for several rewards in a row."""
        while self._waiting and self._waiting[0] + self._within_us < t_us:
            self._waiting.popleft()
            self._missed += 1
        if self._missed >= self._max_missed and not self._reported:
            self._reported = True
            text = (
                f"{self._device}: {self._missed} rewards in a row were not collected within "
                f"{self._within_us / 1e6:g} s: is it empty, blocked or swapped with another, or {self._channel} blind?"
            )
            yield self.found(t_us, text, self._device)


class ShortStays(Rule[InputChange | RewardLine]):
    """The stays after rewards of one device: a subject that finds nothing leaves at once."""

    name = "short_stays"
    kinds = (Edge, ZoneEvent, RewardLine)

    def __init__(self, device: str, channel: str, expected: Mapping[str, float]) -> None:
        self._device, self.channel = device, channel
        self._least_us = 1e6 * expected["min_stay_s"]
        self._visits = Visits(self.channel)
        self._reward_us: int | None = None
        self._stays: deque[int] = deque(maxlen=STAYS)
        self._reported = False

    def take(self, line: InputChange | RewardLine) -> Iterator[Finding]:
        """Read a reward or a change of the input; yield one finding when the stays are too short."""
        if isinstance(line, RewardLine):
            if is_delivered(line, self._device):
                self._reward_us = line.t_us
        elif not self._visits.take(line):
            return
        stay = None if self._reward_us is None else self._visits.stay_from(self._reward_us)
        if stay is None:
            return
        self._reward_us = None
        self._stays.append(stay)
        usual_us = median(self._stays)
        if len(self._stays) == STAYS and usual_us < self._least_us and not self._reported:
            self._reported = True
            text = (
                f"{self._device}: the subject stays {usual_us / 1e6:.2f} s after a reward, {self._least_us / 1e6:g} s "
                f"are normal: does it come out? Look at valve, tube and reservoir, and whether cables are swapped"
            )
            yield self.found(line.t_us, text, self._device)


def is_delivered(line: RewardLine, device: str) -> bool:
    """Whether a reward line says that the task gave a reward of a device; what a person gives comes unexpected."""
    return line.source == device and line.status is RewardStatus.DELIVERED and line.delivered_by != "operator"
