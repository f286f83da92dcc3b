"""Numbers whose comma, point or space may separate thousands: what was meant, and what to write."""

from __future__ import annotations

import re

_GROUPS = re.compile(r"[-+]?[1-9]\d{0,2}(?:([,. '_])\d{3})(?:\1\d{3})*(?:[,.]\d+)?")
"""One to three digits, then groups of three behind the same separator, then perhaps decimals."""
_COMMA = re.compile(r"[-+]?\d+,\d+")


def number_advice(text: str, *, whole: bool = False) -> str:
    """Return what to write instead of a text that was to be a number; empty where it is not such a one.

    ``2,400`` may be 2400 or 2.4: it names both, unless a ``whole`` number is wanted.
    """
    if (match := _GROUPS.fullmatch(text)) is not None:
        return _of_groups(text, match[1], whole)
    return f"write {text.replace(',', '.')}, with a point" if _COMMA.fullmatch(text) and not whole else ""


def _of_groups(text: str, separator: str, is_whole: bool) -> str:
    first, *rest = text.split(separator)
    whole = first + "".join(part[:3] for part in rest)
    decimals = rest[-1][4:]
    if not decimals and len(rest) == 1 and separator in ",.":
        fraction = float(f"{first}.{rest[0]}")
        if not is_whole or fraction.is_integer():
            return f"write {whole} for thousands, or {fraction:g} if this is a decimal fraction"
    return f"write {whole}{f'.{decimals}' if decimals else ''}, without a separator of thousands"


class WrittenNumber(float):
    """A number as it was written, where a point may have separated thousands: ``2.400``."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __reduce__(self) -> tuple[type[WrittenNumber], tuple[str]]:
        return type(self), (self.text,)


def written_number(text: str) -> float:
    """Return a number, which keeps its text if its point may separate thousands."""
    return WrittenNumber(text) if _GROUPS.fullmatch(text) else float(text)


def clear_number(value: object) -> object:
    """Return a value of a limit. Raises ``ValueError`` for ``2.400``, which some write for 2400 and some for 2.4.

    A session of 2.4 s, or 2.4 ul in a day, would not be noticed.
    """
    if isinstance(value, WrittenNumber):
        raise ValueError(f"{value.text} has two meanings: {number_advice(value.text)}")
    return value
