"""Values of analog inputs and encoders that are missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rig.core.journal.kinds import SamplesLine
from rig.expectations.finding import Finding
from rig.expectations.rule import Rule

MAX_LOST = 10
"""So many blocks of a source may be lost: a message that was damaged on the line is not repeated."""


class LostSamples(Rule[SamplesLine]):
    """The blocks of values of a source that did not arrive, over the session so far."""

    name = "samples_lost"
    kinds = (SamplesLine,)

    def __init__(self) -> None:
        self._lost: Counter[str] = Counter()
        self._reported: set[str] = set()

    def take(self, line: SamplesLine) -> Iterator[Finding]:
        """Yield one finding for a source of which too many blocks are missing, or one that the board could not send."""
        self._lost[line.source] += line.lost
        if line.source in self._reported or not (line.unsent or self._lost[line.source] > MAX_LOST):
            return
        self._reported.add(line.source)
        missing = f"{line.source}: {self._lost[line.source]} blocks of its values are missing"
        if line.unsent:
            text = f"{missing}, which the board could not send: make period_ms longer, or sample less"
        else:
            text = f"{missing}: look at the cable, hub and ground of the board"
        yield self.found(line.t_us, text, line.source)
