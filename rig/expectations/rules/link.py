"""The health of the serial link and of the board, as they count it at the end of a session."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rig.core.journal.kinds import HealthLine, OutputDone
from rig.expectations.finding import Finding, Severity
from rig.expectations.rule import Rule

MOST_DAMAGED = 10
"""A cable in order damages no message; a few come from the opening of a port."""


class LinkHealth(Rule[HealthLine]):
    """Messages that arrived damaged or were repeated, and events that the board lost."""

    name = "link"
    kinds = (HealthLine,)

    def __init__(self, limits: Mapping[str, float]) -> None:
        self._most_per_min = limits.get("max_retransmissions_per_min")

    def take(self, line: HealthLine) -> Iterator[Finding]:
        """Yield what the counters of the session show."""
        counters = line.counters
        damaged = counters.get("damaged", 0) + counters.get("board_damaged", 0)
        if damaged > MOST_DAMAGED:
            text = f"{damaged} messages were damaged on the serial link: look at its cable, hub and ground"
            yield self.found(line.t_us, text)
        resent = counters.get("resent", 0) + counters.get("board_resent", 0)
        per_min = resent / max(1.0, line.t_us / 60e6)
        if self._most_per_min is not None and per_min > self._most_per_min:
            text = (
                f"{resent} messages were repeated on the serial link ({per_min:.1f} a minute, at most "
                f"{self._most_per_min:g} are normal): look at its cable and the load of the computer"
            )
            yield self.found(line.t_us, text)
        if lost := counters.get("board_lost"):
            yield self.found(line.t_us, f"the board lost {lost} events", severity=Severity.BAD)


class LongOutputs(Rule[OutputDone]):
    """Outputs that the board ended because they had reached their longest on-time."""

    name = "output_limit"
    kinds = (OutputDone,)

    def take(self, line: OutputDone) -> Iterator[Finding]:
        """Yield a finding for each such output."""
        if line.why == "limit":
            text = f"{line.output} reached its longest on-time, and the board ended it: does the protocol leave it on?"
            yield self.found(line.t_us, text, line.output)
