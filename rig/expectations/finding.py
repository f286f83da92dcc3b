"""What a rule finds in a session, and the verdict that follows from all findings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias


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


VerdictWord: TypeAlias = Literal["good", "suspicious", "bad"]


def verdict_of(severities: Iterable[str]) -> VerdictWord:
    """Return the verdict that follows from how much each finding matters: that of the most serious one."""
    levels = set(severities)
    return "bad" if Severity.BAD in levels else "suspicious" if Severity.SUSPICIOUS in levels else "good"
