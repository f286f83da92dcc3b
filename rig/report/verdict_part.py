"""A verdict as part of a page."""

from __future__ import annotations

from collections.abc import Iterator

from rig.report.html import Content, Html, badge, element, notice
from rig.report.verdict import Reason, Verdict
from rig.terminal.format import clock

_MEANING = {
    "good": "nothing unusual was found",
    "suspicious": "look at the reasons before you use it",
    "bad": "do not use it without a check",
}
MOST_ALIKE = 3
"""So many reasons of one rule are listed one by one; the others are counted."""


def verdict_badge(verdict: Verdict) -> Html:
    """Return the verdict as one word."""
    return badge(verdict.verdict, verdict.verdict)


def verdict_part(verdict: Verdict) -> Html:
    """Return the verdict with its reasons."""
    head = element("p", element("b", "Verdict: "), verdict_badge(verdict), f" {_MEANING[verdict.verdict]}")
    reasons = element("ul", _items(verdict.reasons)) if verdict.reasons else None
    return notice(verdict.verdict, head, reasons)


def _items(reasons: list[Reason]) -> Iterator[Content]:
    counts: dict[tuple[str, str], int] = {}
    for reason in reasons:
        key = reason.rule, reason.severity
        counts[key] = counts.get(key, 0) + 1
        if counts[key] <= MOST_ALIKE:
            yield element("li", element("b", reason.severity), f", {_since(reason)}{reason.text}")
    for (rule, severity), count in counts.items():
        if count > MOST_ALIKE:
            yield element("li", element("b", severity), f", {rule}: {count - MOST_ALIKE} more")


def _since(reason: Reason) -> str:
    return "" if reason.t_us is None else f"at {clock(reason.t_us / 1e6)}: "
