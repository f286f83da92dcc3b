"""Whether a comma or a space between columns is in truth part of a number: a decimal comma, or thousands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

_WHOLE = re.compile(r"\d+|[1-9]\d{0,2}([.'’ \u00a0\u202f]\d{3})+")
_DIGITS = re.compile(r"\d+")
_LEADING = re.compile(r"[1-9]\d{0,2}")
_THOUSAND = re.compile(r"\d{3}([.,]\d+)?")


def split_number(rows: Sequence[Sequence[str]], separator: str, time: int | None) -> str:
    """Return the first number that a separator may have cut in two; empty if the columns are certain.

    ``time`` is the column of the times. The parts of a number increase only together.
    """
    count = max((len(row) for row in rows), default=0)
    full = [row for row in rows if len(row) == count]
    if separator not in ", " or len(full) < 2:
        return ""
    for index, (whole, part) in enumerate(pairwise(zip(*full, strict=True))):
        if set(part) <= {"0", "1"}:
            continue
        for joined in _joined(whole, part, separator):
            is_padded = separator == "," and any(text[0] == "0" and text.isdecimal() and text != "0" for text in part)
            values = [float(text.replace(",", ".")) for text in part]
            only_together = joined == sorted(joined) and values != sorted(values)
            many = index == time and len(set(part)) > len(part) / 2
            if is_padded or (only_together and (many or len(set(whole)) < len(whole))):
                return f"{whole[0]}{separator}{part[0]}"
    return ""


def _joined(whole: Sequence[str], part: Sequence[str], separator: str) -> Iterator[list[float]]:
    """Yield the numbers that two columns make together: with a decimal comma, and with separators of thousands."""
    if separator == "," and all(map(_WHOLE.fullmatch, whole)) and all(map(_DIGITS.fullmatch, part)):
        yield [float(f"{_digits(first)}.{second}") for first, second in zip(whole, part, strict=True)]
    if all(map(_LEADING.fullmatch, whole)) and all(map(_THOUSAND.fullmatch, part)):
        yield [float(first + second.replace(",", ".")) for first, second in zip(whole, part, strict=True)]


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)
