"""Two beams that change at the same moment: their wires touch, or one sensor is plugged in twice."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterator

from rig.core.model.events import Edge
from rig.expectations.finding import Finding
from rig.expectations.rule import Rule

TOGETHER_US = 1_000
"""An animal that breaks two beams with one move does it several milliseconds apart."""
ENTRIES, COUPLED = 20, 10


class CoupledInputs(Rule[Edge]):
    """The entries at all beams of a rig, and how many of them came together with one at another beam."""

    name = "coupled_inputs"
    kinds = (Edge,)

    def __init__(self, beams: Collection[str]) -> None:
        self._beams = frozenset(beams)
        self._last = ("", -TOGETHER_US - 1)
        self._partners: defaultdict[str, deque[str]] = defaultdict(lambda: deque(maxlen=ENTRIES))
        self._reported: set[frozenset[str]] = set()

    def take(self, line: Edge) -> Iterator[Finding]:
        """Read an entry; yield one finding for each pair of beams that often change together."""
        channel, t_us = line.channel, line.t_us
        if not line.level or channel not in self._beams:
            return
        other, other_us = self._last
        self._last = channel, t_us
        together = other != channel and abs(t_us - other_us) <= TOGETHER_US
        partners = self._partners[channel]
        partners.append(other if together else "")
        pair = frozenset((channel, other))
        if together and partners.count(other) >= COUPLED and pair not in self._reported:
            self._reported.add(pair)
            text = (
                f"{channel} and {other} change at the same moment, {partners.count(other)} times in {len(partners)}: "
                "do their wires touch, or is one sensor plugged in twice?"
            )
            yield self.found(t_us, text, channel)
