"""The health of the serial link and of the board, as they count it at the end of a session."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rig.expectations.finding import Finding, Severity
from rig.expectations.rule import Line, Rule

MOST_DAMAGED = 10
"""A cable in order damages no message; a few come from the opening of a port."""


class LinkHealth(Rule):
    """Messages that arrived damaged or were repeated, and events that the board lost."""

    name = "link"
    kinds = ("health",)

    def __init__(self, limits: Mapping[str, float]) -> None:
        self._most_per_min = limits.get("max_retransmissions_per_min")

    def take(self, line: Line) -> Iterator[Finding]:
        """Yield what the counters of the session show."""
        damaged = _count(line, "damaged") + _count(line, "board_damaged")
        if damaged > MOST_DAMAGED:
            text = f"{damaged} messages were damaged on the serial link: look at its cable, hub and ground"
            yield self.found(line["t"], text)
        resent = _count(line, "resent") + _count(line, "board_resent")
        per_min = resent / max(1.0, line["t"] / 60e6)
        if self._most_per_min is not None and per_min > self._most_per_min:
            text = (
                f"{resent} messages were repeated on the serial link ({per_min:.1f} a minute, at most "
                f"{self._most_per_min:g} are normal): look at its cable and the load of the computer"
            )
            yield self.found(line["t"], text)
        if lost := _count(line, "board_lost"):
            yield self.found(line["t"], f"the board lost {lost} events", severity=Severity.BAD)


class LongOutputs(Rule):
    """Outputs that the board ended because they had reached their longest on-time."""

    name = "output_limit"
    kinds = ("output_done",)

    def take(self, line: Line) -> Iterator[Finding]:
        """Yield a finding for each such output."""
        if "output_limit" in line:
            output = str(line["output_limit"])
            text = f"{output} reached its longest on-time, and the board ended it: does the protocol leave it on?"
            yield self.found(line["t"], text, output)


def _count(line: Line, name: str) -> int:
    value = line.get(name, 0)
    return value if isinstance(value, int) else 0
