"""Follow a journal line by line, and say what is not normal: for displays while it grows, for reports afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rig.core.journal.header import Header
from rig.core.model.events import Edge, ZoneEvent
from rig.core.model.line import Line
from rig.expectations.finding import Finding, VerdictWord, verdict_of
from rig.expectations.rule import AnyRule, Rule
from rig.expectations.rules_of import rules_of
from rig.records.journal.read import tells_time
from rig.records.session.task_clock import RecordedClock

CHECK_EVERY_US = 1_000_000
_CHANGES = (Edge, ZoneEvent)
"""Kinds with a channel, of which most rules watch only one."""


class ExpectationMonitor:
    """All rules over one journal: give it every line, the header first, then `end` it.

    Without a header line it finds nothing.
    """

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.clock = RecordedClock()
        self.t_us = 0
        """The time of the newest line, or of a later check."""
        self._rules: list[AnyRule] = []
        self._timed: list[AnyRule] = []
        """The rules that are asked about the time."""
        self._readers: dict[type[Line], Sequence[AnyRule]] = {}
        self._by_channel: dict[tuple[type[Line], str], Sequence[AnyRule]] = {}
        self._next_check_us = CHECK_EVERY_US
        self._ended = False

    def take(self, line: Line) -> list[Finding]:
        """Read the next line; return what is found for the first time."""
        if type(line) in RecordedClock.kinds:
            self.clock.take(line)
        if line.t_us > self.t_us and tells_time(line):
            self.t_us = line.t_us
        if isinstance(line, Header):
            self._begin(line)
        readers = self._readers.get(type(line), ())
        if isinstance(line, _CHANGES):
            readers = self._by_channel.get((type(line), line.channel), readers)
        findings: list[Finding] = []
        for rule in readers:
            for finding in rule.take(line):  # no generator of all: most lines find nothing
                self.findings.append(finding)
                findings.append(finding)
        # Time is checked behind the line, which may say that it did not count: a break, a pause.
        if self.t_us >= self._next_check_us:
            findings += self._checked()
        return findings

    def _begin(self, header: Header) -> None:
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
        self.t_us = max(self.t_us, t_us)
        return self._checked()

    def end(self) -> list[Finding]:
        """Return what is found behind the last line; a second call finds nothing."""
        if self._ended:
            return []
        self._ended = True
        return self._keep(finding for rule in self._rules for finding in rule.end(self.t_us))

    @property
    def verdict(self) -> VerdictWord:
        """Return the verdict on what was found so far."""
        return verdict_of(finding.severity for finding in self.findings)

    def _checked(self) -> list[Finding]:
        if self.t_us < self._next_check_us or self.clock.is_paused:
            return []
        self._next_check_us = self.t_us + CHECK_EVERY_US
        return self._keep(finding for rule in self._timed for finding in rule.check(self.t_us))

    def _keep(self, findings: Iterable[Finding]) -> list[Finding]:
        kept = []
        for finding in findings:  # one after the other: a line that makes no sense to a rule keeps those before it
            self.findings.append(finding)
            kept.append(finding)
        return kept
