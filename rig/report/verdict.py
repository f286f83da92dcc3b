"""The verdict on a session, a subject or a day: good, suspicious or bad, with every reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from pydantic import BaseModel, Field

from rig.expectations.finding import Finding, VerdictWord, verdict_of
from rig.records.recorded_session import RecordedSession
from rig.terminal.format import pluralize

SeverityWord: TypeAlias = Literal["note", "suspicious", "bad"]
"""The words of ``rig.expectations``: a note leaves a session good."""
_ORDER: Sequence[SeverityWord] = ("note", "suspicious", "bad")


class Reason(BaseModel):
    """One reason for a verdict: what is wrong, since when, and by which rule."""

    t_us: int | None = Field(description="when in the session, in microseconds; null if it concerns all of it")
    rule: str = Field(description="the rule that found it, such as records or collection")
    text: str = Field(description="what is wrong")
    severity: SeverityWord = Field(description="how much it matters: a note leaves a session good")
    about: str = Field(default="", description="the channel or device; empty if it concerns the whole session")

    @classmethod
    def of(cls, finding: Finding) -> Reason:
        """Return a finding as a reason."""
        severity = finding.severity.value
        return cls(t_us=finding.t_us, rule=finding.rule, text=finding.text, severity=severity, about=finding.about)


class Verdict(BaseModel):
    """Whether a session, a subject or a day is good, and every reason if it is not."""

    verdict: VerdictWord = Field(description="good, or the worst of the reasons")
    reasons: list[Reason] = Field(description="the reasons, the worst first")

    @property
    def serious(self) -> list[Reason]:
        """Return the reasons that are more than a note."""
        return [reason for reason in self.reasons if reason.severity != "note"]


def judged(reasons: Iterable[Reason]) -> Verdict:
    """Return the verdict that follows from reasons."""
    ordered = sorted(reasons, key=lambda reason: (-_ORDER.index(reason.severity), reason.t_us or 0))
    return Verdict(verdict=verdict_of(reason.severity for reason in ordered), reasons=ordered)


def record_reasons(records: RecordedSession, *, running: bool) -> Iterator[Reason]:
    """Yield what is wrong with the records themselves, and that a session still runs."""
    if records.scan.damage:
        first = records.scan.damage[0]
        count = pluralize(records.scan.damaged, "line")
        text = f"{count} of the journal cannot be trusted, the first is line {first.line}: {first.why}"
        yield whole("records", text, "bad")
    yield from (whole("records", text, "bad") for text in records.damage_beside_lines)
    if running:
        yield whole("records", "the session is still running: this report shows it so far", "note")


def whole(rule: str, text: str, severity: SeverityWord = "suspicious") -> Reason:
    """Return a reason that concerns no single moment."""
    return Reason(t_us=None, rule=rule, text=text, severity=severity)
