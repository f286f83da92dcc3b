"""Follow a journal line by line, and say what is not normal: for displays while it grows, for reports afterwards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from rig.expectations.finding import Finding, VerdictWord, verdict_of
from rig.expectations.rule import Line, Rule
from rig.expectations.rules_of import rules_of
from rig.expectations.session_clock import SessionClock

CHECK_EVERY_US = 1_000_000


class ExpectationMonitor:
    """All rules over one journal: give it every line, the header first, then `end` it.

    Without a header line it finds nothing.
    """

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.clock = SessionClock()
        self._rules: list[Rule] = []
        self._readers: dict[str, list[Rule]] = {}
        self._next_check_us = CHECK_EVERY_US
        self._ended = False

    def take(self, line: Line) -> list[Finding]:
        """Read the next line; return what is found for the first time."""
        self.clock.take(line)
        if line["k"] == "header":
            self._rules = rules_of(line, self.clock)
            readers: defaultdict[str, list[Rule]] = defaultdict(list)
            for rule in self._rules:
                for kind in rule.kinds:
                    readers[kind].append(rule)
            self._readers = dict(readers)
        found = self._keep(finding for rule in self._readers.get(line["k"], ()) for finding in rule.take(line))
        # Time is checked behind the line, which may say that it did not count: a break, a pause.
        return found + self._checked()

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
        return self._keep(finding for rule in self._rules for finding in rule.check(t_us))

    def _keep(self, findings: Iterable[Finding]) -> list[Finding]:
        kept = []
        for finding in findings:  # one after the other: a line that makes no sense to a rule keeps those before it
            self.findings.append(finding)
            kept.append(finding)
        return kept
