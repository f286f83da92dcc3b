"""Seconds for people, integer microseconds for everything that is compared or stored."""

from __future__ import annotations

from rig.core.errors import TaskError

US = 1_000_000


def to_us(seconds: float) -> int:
    """Round seconds to whole microseconds. Raises ``TaskError`` for what is no number."""
    try:
        return round(seconds * US)
    except (ValueError, OverflowError):
        raise TaskError(f"{seconds} s is no time: wanted a number") from None


def span_us(seconds: float, what: str) -> int:
    """Round a length of time to whole microseconds. Raises ``TaskError`` for one that is negative or no number."""
    if not 0 <= seconds < float("inf"):
        raise TaskError(f"{what} is {seconds:g} s: wanted 0 or more")
    return round(seconds * US)


def exact_s(seconds: float) -> float:
    """Round seconds to whole microseconds, so that sums and differences of times compare as microseconds do."""
    return to_s(to_us(seconds))


def to_s(us: int) -> float:
    """Convert microseconds into seconds."""
    return us / US
