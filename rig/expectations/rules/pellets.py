"""Pellets that a feeder's sensor does not see, and pellets that it sees although its feeder did not run."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping

from rig.core.journal.kinds import OutputDone
from rig.core.model.channels import Role, channel_name
from rig.core.model.events import Edge
from rig.expectations.finding import Finding
from rig.expectations.rule import Rule

UNSEEN = 3
"""So many rewards in a row without a pellet at the sensor."""
STRAYS = 2
BEFORE_US = 500_000
"""A pellet may pass the sensor before the pulse of its motor has ended."""
MOST_PELLETS = 20


class UnseenPellets(Rule[Edge | OutputDone]):
    """The rewards of one feeder, and the pellets that its sensor sees."""

    name = "pellets"
    kinds = (Edge, OutputDone)

    def __init__(self, feeder: str, device: Mapping[str, object]) -> None:
        self._feeder = feeder
        self._motor, self._sensor = channel_name(feeder, Role.FEEDER), channel_name(feeder, Role.SENSOR)
        self._drop_us = _number_us(device, "drop_s")
        self._seen_us = self._due_us = self._ran_us = -BEFORE_US
        self._waits = False
        self._unseen = 0
        self._reported = False

    def take(self, line: Edge | OutputDone) -> Iterator[Finding]:
        """Read the end of the motor's pulses, or a pellet at the sensor."""
        yield from self.check(line.t_us)
        if isinstance(line, OutputDone):
            if line.output == self._motor and line.why == "finished":
                self._ran_us, self._due_us, self._waits = line.t_us, line.t_us + self._drop_us, True
        elif line.level and line.channel == self._sensor:
            self._seen_us = line.t_us

    def check(self, t_us: int) -> Iterator[Finding]:
        """Yield a finding when several rewards in a row were not seen to drop."""
        if not self._waits or t_us <= self._due_us:
            return
        self._waits = False
        if self._seen_us >= self._ran_us - BEFORE_US:
            self._unseen, self._reported = 0, False
            return
        self._unseen += 1
        if self._unseen >= UNSEEN and not self._reported:
            self._reported = True
            text = (
                f"{self._feeder}: its sensor has not seen the last {self._unseen} rewards drop: is it empty or jammed, "
                "or the sensor blind?"
            )
            yield self.found(t_us, text, self._feeder)


class StrayPellets(Rule[Edge | OutputDone]):
    """The pellets at the sensor of one feeder that did not run."""

    name = "stray_pellets"
    kinds = (Edge, OutputDone)

    def __init__(self, feeder: str, device: Mapping[str, object]) -> None:
        self._feeder = feeder
        self._motor, self._sensor = channel_name(feeder, Role.FEEDER), channel_name(feeder, Role.SENSOR)
        self._drop_us = _number_us(device, "drop_s")
        # The pellets of one reward come before the end of its pulses is reported.
        self._reward_us = MOST_PELLETS * _number_us(device, "gap_s") + self._drop_us
        self._ran_us = -self._drop_us
        self._unexplained: deque[int] = deque(maxlen=MOST_PELLETS)
        self._strays = 0

    def take(self, line: Edge | OutputDone) -> Iterator[Finding]:
        """Read the end of the motor's pulses, or a pellet at the sensor."""
        if isinstance(line, OutputDone):
            if line.output == self._motor and line.why == "finished":
                self._ran_us = line.t_us
                self._unexplained.clear()
        elif line.level and line.channel == self._sensor and line.t_us > self._ran_us + self._drop_us:
            self._unexplained.append(line.t_us)
        yield from self.check(line.t_us)

    def check(self, t_us: int) -> Iterator[Finding]:
        """Yield one finding when several pellets came although the feeder did not run."""
        while self._unexplained and self._unexplained[0] < t_us - self._reward_us:
            self._unexplained.popleft()
            self._strays += 1
            if self._strays == STRAYS:
                text = (
                    f"{self._feeder}: pellets fell past its sensor although it did not run: are the cables of two "
                    "feeders or sensors swapped, or does it drop pellets late?"
                )
                yield self.found(t_us, text, self._feeder)

    def end(self, t_us: int) -> Iterator[Finding]:
        """Yield what `check` does, now that no report of the motor can come."""
        return self.check(t_us + self._reward_us + 1)


def pellet_rules(
    devices: Mapping[str, Mapping[str, object]], channels: Collection[str]
) -> Iterator[Rule[Edge | OutputDone]]:
    """Yield the rules for all feeders of a rig that have a sensor."""
    for name, device in devices.items():
        if {channel_name(name, Role.FEEDER), channel_name(name, Role.SENSOR)} <= set(channels):
            yield UnseenPellets(name, device)
            yield StrayPellets(name, device)


def _number_us(device: Mapping[str, object], key: str) -> int:
    """Return a time of a device in microseconds, 0.5 s if the header does not hold a usable one."""
    seconds = device.get(key)
    return round(1e6 * seconds) if isinstance(seconds, int | float) and 0 < seconds <= 60 else 500_000
