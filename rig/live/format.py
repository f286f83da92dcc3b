"""Times and counts as the screens write them."""

from __future__ import annotations

from collections.abc import Mapping


def clock(seconds: float) -> str:
    """Write seconds of a session as minutes and seconds: ``40:00``."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes:d}:{rest:02d}"


def pluralize(count: int, one: str, many: str | None = None) -> str:
    """Write a number of things: ``1 fault``, ``2 faults``."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def outcomes(counts: Mapping[str, int]) -> str:
    """Write how trials came out, the most frequent first."""
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return ", ".join(f"{count} {outcome}" for outcome, count in ordered)


def prefixed(text: str) -> str:
    """Return a text with a colon before it; an empty text stays empty."""
    return f": {text}" if text else ""


def with_limit(given: float, limit: float | None, unit: str) -> str:
    """Write an amount with its limit, if it has one: ``512.5 of 2000 ul``."""
    return f"{given:g} {unit}" if limit is None else f"{given:g} of {limit:g} {unit}"
