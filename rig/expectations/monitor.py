"""Follow a journal line by line, and say what is not normal: for displays while it grows, for reports afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rig.expectations.finding import Finding, VerdictWord, verdict_of
from rig.expectations.rule import Line, Rule
from rig.expectations.rules_of import rules_of
from rig.expectations.session_clock import SessionClock

CHECK_EVERY_US = 1_000_000
_CHANGES = ("edge", "zone")
"""Kinds with a channel, of which most rules watch only one."""


class ExpectationMonitor:
    """All rules over one journal: give it every line, the header first, then `end` it.

    Without a header line it finds nothing.
    """

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.clock = SessionClock()
        self._rules: list[Rule] = []
        self._timed: list[Rule] = []
        """The rules that are asked about the time."""
        self._readers: dict[str, Sequence[Rule]] = {}
        self._by_channel: dict[tuple[str, str], Sequence[Rule]] = {}
        self._next_check_us = CHECK_EVERY_US
        self._ended = False

    def take(self, line: Line) -> list[Finding]:
        """Read the next line; return what is found for the first time."""
        self.clock.take(line)
        kind = line["k"]
        if kind == "header":
            self._begin(line)
        readers = self._readers.get(kind, ())
        if kind in _CHANGES:
            readers = self._by_channel.get((kind, line["channel"]), readers)
        findings: list[Finding] = []
        for rule in readers:
            for finding in rule.take(line):  # no generator of all: most lines find nothing
                self.findings.append(finding)
                findings.append(finding)
        # Time is checked behind the line, which may say that it did not count: a break, a pause.
        return findings + self._checked()

    def _begin(self, header: Line) -> None:
        self._rules = rules_of(header, self.clock)
        self._timed = [rule for rule in self._rules if type(rule).check is not Rule.check]
        self._readers, self._by_channel = {}, {}
        for kind in {kind for rule in self._rules for kind in rule.kinds}:
            rules = [rule for rule in self._rules if kind in rule.kinds]
            if kind in _CHANGES:
                for channel in {rule.channel for rule in rules if rule.channel is not None}:
                    self._by_channel[kind, channel] = [rule for rule in rules if rule.channel in (None, channel)]
                rules = [rule for rule in rules if rule.channel is None]
            self._readers[kind] = rules

    def check(self, t_us: int) -> list[Finding]:
        """Return what is found because the session's time is ``t_us`` and no line has come."""
        self.clock.advance(t_us)
        return self._checked()

    def end(self) -> list[Finding]:
        """Return what is found behind the last line; a second call finds nothing."""
        if self._ended:
            return []
        self._ended = True
        return self._keep(finding for rule in self._rules for finding in rule.end(self.clock.t_us))

    @property
    def verdict(self) -> VerdictWord:
        """Return the verdict on what was found so far."""
        return verdict_of(finding.severity for finding in self.findings)

    def _checked(self) -> list[Finding]:
        t_us = self.clock.t_us
        if t_us < self._next_check_us or self.clock.paused:
            return []
        self._next_check_us = t_us + CHECK_EVERY_US
        return self._keep(finding for rule in self._timed for finding in rule.check(t_us))

    def _keep(self, findings: Iterable[Finding]) -> list[Finding]:
        kept = []
        for finding in findings:  # one after the other: a line that makes no sense to a rule keeps those before it
            self.findings.append(finding)
            kept.append(finding)
        return kept
