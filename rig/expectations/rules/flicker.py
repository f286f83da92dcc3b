"""An input that flickers: a beam that is dirty or misaligned, a loose wire, a threshold in the noise of its values.

It reports entries that no animal makes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping

from rig.core.model.events import Edge
from rig.expectations.finding import Finding
from rig.expectations.rule import Rule

BURST, BURST_US = 30, 2_000_000
"""No animal enters so often in so short a time. The fastest inputs are spouts: mice of the strain DBA/2J lick 10.6
times a second, C57BL/6J 8.5 times (Boughter et al., Genes Brain Behav. 6, 2007), rats 4 to 7.5 times (Weijnen,
Neurosci. Biobehav. Rev. 22, 1998)."""
SPANS = 50
"""Entries of which the share of short ones is judged, as the key ``max_short_pct`` says it."""

_OF_BEAM = "clean it, check its alignment and its wire"
_OF_THRESHOLD = "move its above and below further apart than the noise of the values, check the sensor and its wires"


class Flicker(Rule[Edge]):
    """The entries of one input: how fast they follow each other, and how many are too short for an animal."""

    name = "flicker"
    channel: str
    kinds = (Edge,)

    def __init__(self, channel: str, expected: Mapping[str, float], *, sampled: bool = False) -> None:
        self.channel = channel
        self._advice = _OF_THRESHOLD if sampled else _OF_BEAM
        self._short_us = 1000 * expected.get("short_ms", 0)
        self._max_pct = expected.get("max_short_pct")
        self._burst: deque[int] = deque(maxlen=BURST)
        self._short: deque[bool] = deque(maxlen=SPANS)
        self._on_us: int | None = None
        self._reported = False

    def take(self, line: Edge) -> Iterator[Finding]:
        """Read a change; yield one finding when the input flickers."""
        if self._reported:
            return
        t_us = line.t_us
        if line.level:
            self._on_us = t_us
            self._burst.append(t_us)
        elif self._on_us is not None:
            self._short.append(t_us - self._on_us < self._short_us)
            self._on_us = None
        if why := self._why():
            self._reported = True
            yield self.found(t_us, f"{self.channel} flickers ({why}): {self._advice}", self.channel)

    def _why(self) -> str:
        if len(self._burst) == BURST and self._burst[-1] - self._burst[0] < BURST_US:
            return f"{BURST} entries within {BURST_US / 1e6:g} s"
        if self._max_pct is None or len(self._short) < SPANS:
            return ""
        pct = 100 * sum(self._short) / SPANS
        if pct > self._max_pct:
            return f"{pct:g} % of its last {SPANS} entries were shorter than {self._short_us / 1000:g} ms"
        return ""
