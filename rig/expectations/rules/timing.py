"""How fast the host decides, and how far its clock and the board's drift apart."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping

from rig.core.journal.kinds import BatchDone, Command, HealthLine
from rig.expectations.finding import Finding
from rig.expectations.rule import Rule

BATCHES = 100
LATE = 5
DRIFT_FROM_US = 60_000_000
"""In a shorter session the jitter of the round trips hides the drift."""


class DecisionLatency(Rule[Command | BatchDone]):
    """The time from what a batch answers until the board has executed it."""

    name = "decision_latency"
    kinds = (Command, BatchDone)

    def __init__(self, limits: Mapping[str, float]) -> None:
        self._most_us = 1000 * limits["max_decision_ms"]
        self._sent: deque[tuple[int, int]] = deque(maxlen=BATCHES)
        self._late: deque[bool] = deque(maxlen=BATCHES)
        self._reported = False

    def take(self, line: Command | BatchDone) -> Iterator[Finding]:
        """Read a batch or its report; yield one finding when several of the last batches were late."""
        if isinstance(line, Command):
            self._sent.append((line.batch, line.t_us))
            return
        if self._reported:
            return
        while self._sent:
            batch, t_us = self._sent.popleft()
            if batch == line.batch:
                yield from self._judge(line.t_us, line.t_us - t_us)
                return

    def _judge(self, t_us: int, took_us: int) -> Iterator[Finding]:
        is_late = took_us > self._most_us
        self._late.append(is_late)
        if is_late and sum(self._late) >= LATE:
            self._reported = True
            text = (
                f"{LATE} of the last {len(self._late)} decisions reached the board more than "
                f"{self._most_us / 1000:g} ms after their event: look at the load of the computer and the serial cable"
            )
            yield self.found(t_us, text)


class ClockDrift(Rule[HealthLine]):
    """The rate of the board's clock against the computer's, which the board's health tells at the end."""

    name = "clock_drift"
    kinds = (HealthLine,)

    def __init__(self, limits: Mapping[str, float]) -> None:
        self._most_ppm = limits["max_drift_ppm"]

    def take(self, line: HealthLine) -> Iterator[Finding]:
        """Yield a finding when the clocks differ too much."""
        ppm = line.counters.get("rate_ppm", 0)
        if line.t_us < DRIFT_FROM_US or abs(ppm) <= self._most_ppm:
            return
        text = (
            f"the board's clock runs {ppm:+g} ppm against the computer's, at most {self._most_ppm:g} are normal: "
            "compare other clocks (video, recording) by their synchronization signal, and check the board"
        )
        yield self.found(line.t_us, text)
