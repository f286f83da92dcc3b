"""How often an input changes: entries of an animal in a minute, while the task runs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from math import ceil

from rig.core.model.events import Edge, Touch, ZoneEvent
from rig.core.model.task_clock import TaskClock
from rig.expectations.finding import Finding
from rig.expectations.rule import Rule
from rig.expectations.visits import InputChange

FEW_OVER_MIN = 10
"""A rate is too low only over so many minutes: every animal rests, mice up to 5 minutes (Beron et al. 2022)."""
MINUTE_US = 60_000_000
MAX_KEPT = 100_000


class InputRate(Rule[InputChange | Touch]):
    """The entries of one input, ``channel``; ``screen`` counts the contacts of the touch screen."""

    name = "rate"
    channel: str
    kinds = (Edge, ZoneEvent, Touch)

    def __init__(self, channel: str, expected: Mapping[str, float], clock: TaskClock) -> None:
        self.channel = channel
        self._clock = clock
        self._min, self._max = expected.get("min_entries_per_min"), expected.get("max_entries_per_min")
        # The newest entries, just as many as a bound needs: the oldest of them tells whether it is broken.
        self._needed = 0 if self._min is None else min(MAX_KEPT, max(1, ceil(self._min * FEW_OVER_MIN)))
        self._newest: deque[int] = deque(maxlen=self._needed)
        self._minute: deque[int] = deque(maxlen=1 if self._max is None else min(MAX_KEPT, int(self._max)) + 1)
        self._low = self._high = False

    def take(self, line: InputChange | Touch) -> Iterator[Finding]:
        """Add an entry; yield a finding if there were too many within a minute."""
        if not _is_entry(line, self.channel):
            return
        at_us = self._clock.running_us(line.t_us)
        self._newest.append(at_us)
        self._minute.append(at_us)
        full = self._max is not None and len(self._minute) == self._minute.maxlen
        high = full and at_us - self._minute[0] < MINUTE_US
        if high and not self._high:
            text = (
                f"{self.channel}: more than {self._max:g} entries within a minute: is it dirty, loose, or misaligned?"
            )
            yield self.found(line.t_us, text, self.channel)
        self._high = self._high or high

    def check(self, t_us: int) -> Iterator[Finding]:
        """Yield a finding if there were too few entries in the last minutes."""
        if self._min is None:
            return
        from_us = self._clock.running_us(t_us) - FEW_OVER_MIN * MINUTE_US
        if from_us < 0:
            return
        low = len(self._newest) < self._needed or self._newest[0] < from_us
        if low and not self._low:
            entries = sum(at_us >= from_us for at_us in self._newest)
            text = (
                f"{self.channel}: {entries} entries in {FEW_OVER_MIN} minutes, {self._min:g} a minute are normal: "
                "look at its light, its sensor and the animal"
            )
            yield self.found(t_us, text, self.channel)
        self._low = low


def _is_entry(line: InputChange | Touch, channel: str) -> bool:
    if isinstance(line, Touch):
        return channel == "screen" and line.phase == "down"
    return line.channel == channel and line.level == 1
