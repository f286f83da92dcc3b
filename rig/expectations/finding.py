"""What a rule finds in a session, and the verdict that follows from all findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a finding matters: a ``note`` leaves a session good."""

    NOTE = "note"
    SUSPICIOUS = "suspicious"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """One deviation from what is normal: when it was seen, which rule saw it, and a text that says what to look at.

    ``about`` is the channel or the device that it concerns, empty if it concerns the whole session.
    """

    t_us: int
    rule: str
    text: str
    severity: Severity = Severity.SUSPICIOUS
    about: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A session in one word, ``good``, ``suspicious`` or ``bad``, and the reasons, the most serious first."""

    word: str
    reasons: tuple[str, ...]

    @property
    def text(self) -> str:
        """Return the verdict as one sentence."""
        return {
            "good": "good: nothing unusual was found",
            "suspicious": "suspicious: look at the findings before you use this session",
            "bad": "bad: the rig or the program failed; do not use this session without a check",
        }[self.word]


def verdict_of(findings: Iterable[Finding]) -> Verdict:
    """Return the verdict of a session: that of its most serious finding."""
    serious = [finding for finding in findings if finding.severity is not Severity.NOTE]
    serious.sort(key=lambda finding: finding.severity is not Severity.BAD)  # stable: by time within a severity
    word = serious[0].severity.value if serious else "good"
    times = Counter((finding.rule, finding.about) for finding in serious)
    first: dict[tuple[str, str], str] = {}
    for finding in serious:
        first.setdefault((finding.rule, finding.about), finding.text)
    reasons = (text if times[key] == 1 else f"{text} ({times[key]} times)" for key, text in first.items())
    return Verdict(word, tuple(reasons))
