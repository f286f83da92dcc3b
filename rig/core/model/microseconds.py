"""Conversions: seconds for people, integer microseconds for comparing and storing."""

from __future__ import annotations

from numbers import Real

from rig.core.errors import TaskError

US = 1_000_000


def to_us(seconds: float) -> int:
    """Convert seconds to whole microseconds. Raises ``TaskError`` for infinity and NaN."""
    if type(seconds) is not float and type(seconds) is not int:
        check_number(seconds, "a time")
    try:
        # ``round`` and not ``int``: 8.2 * 1_000_000 is 8199999.999999999.
        return round(seconds * US)
    except (ValueError, OverflowError):
        raise TaskError(f"{seconds} s is no time: wanted a number") from None


def span_us(seconds: float, what: str) -> int:
    """Convert a length of time to whole microseconds. Raises ``TaskError`` below 0 and for infinity and NaN."""
    if type(seconds) is not float and type(seconds) is not int:
        check_number(seconds, what)
    # NaN compares false with every number, so this form of the test refuses it too.
    if not 0 <= seconds < float("inf"):
        raise TaskError(f"{what} is {seconds:g} s: wanted 0 or more")
    return round(seconds * US)


def check_number(value: object, what: str) -> None:
    """Check that a value is a number, and not a word or a truth value. Raises ``TaskError``."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TaskError(f"{what} is {value!r}, a {type(value).__name__}: wanted a number")


def exact_s(seconds: float) -> float:
    """Return seconds rounded to whole microseconds, so that sums and differences can be compared exactly."""
    return to_s(to_us(seconds))


def to_s(us: int) -> float:
    """Convert microseconds to seconds."""
    return us / US
