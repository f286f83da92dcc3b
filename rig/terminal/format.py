"""Times and counts as the screens write them."""

from __future__ import annotations

import json
from collections.abc import Mapping


def clock(seconds: float) -> str:
    """Write seconds of a session as minutes and seconds: ``40:00``."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes:d}:{rest:02d}"


def time_text(elapsed_s: float, session_s: float | None) -> str:
    """Write the time of a session against its limit: ``12:30 of 40:00, 27:30 left``."""
    if not session_s:
        return clock(elapsed_s)
    return f"{clock(elapsed_s)} of {clock(session_s)}, {clock(max(0.0, session_s - int(elapsed_s)))} left"


def param_texts(values: Mapping[str, object]) -> list[str]:
    """Return parameters as ``KEY=VALUE``, as a person would type them."""
    return [f"{key}={_param_text(value)}" for key, value in values.items()]


def _param_text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}" if float(f"{value:g}") == value else str(value)
    return value if isinstance(value, str) else json.dumps(value)


def pluralize(count: int, one: str, many: str | None = None) -> str:
    """Write a number of things: ``1 fault``, ``2 faults``."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def outcomes(counts: Mapping[str, int]) -> str:
    """Write how trials came out, the most frequent first."""
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return ", ".join(f"{count} {outcome}" for outcome, count in ordered)


def with_unit(name: str, unit: str) -> str:
    """Return a name with its unit, if it has one: ``delay (s)``."""
    return f"{name} ({unit})" if unit else name


def prefixed(text: str) -> str:
    """Return a text with a colon before it; an empty text stays empty."""
    return f": {text}" if text else ""


def with_limit(given: float, limit: float | None, unit: str) -> str:
    """Write an amount with its limit, if it has one: ``512.5 of 2000 ul``."""
    return f"{given:g} {unit}" if limit is None else f"{given:g} of {limit:g} {unit}"


def amounts_text(ul: float, pellets: int, access_s: float, food_g: float = 0) -> str:
    """Write amounts of several kinds, without those that are zero."""
    parts = ((ul, "ul"), (pellets, "pellets"), (access_s, "s"), (food_g, "g"))
    return ", ".join(f"{amount:g} {unit}" for amount, unit in parts if amount) or "0"
