"""Seconds for people, integer microseconds for everything that is compared or stored."""

from __future__ import annotations

US = 1_000_000


def to_us(seconds: float) -> int:
    """Round seconds to whole microseconds."""
    return round(seconds * US)


def to_s(us: int) -> float:
    """Turn microseconds into seconds."""
    return us / US
