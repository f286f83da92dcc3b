"""Fold equal mistakes into one with a count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rig.config.errors.errors import ConfigIssue


def fold_equal(mistakes: Iterable[str]) -> tuple[str, ...]:
    """Return each mistake once, in the order of its first occurrence, with a count if it occurred more often."""
    return tuple(_with_count(mistake, count) for mistake, count in Counter(mistakes).items())


def _with_count(mistake: str, count: int) -> str:
    if count == 1:
        return mistake
    if isinstance(mistake, ConfigIssue):
        return ConfigIssue(mistake.location, (mistake.key,) if mistake.key else (), count_text(mistake.text, count))
    return count_text(mistake, count)


def count_text(text: str, count: int) -> str:
    """Return a text with the number of its occurrences, if there is more than one."""
    return text if count == 1 else f"{text} ({count} times)"
