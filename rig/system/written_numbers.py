"""Numbers as programs of several languages write them: with a decimal point or comma, and with groups of thousands."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress

POINT, COMMA = ".", ","

_PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_GROUPED = {
    POINT: re.compile(r"[+-]?\d{1,3}(,\d{3}){2,}|[+-]?\d{1,3}(,\d{3})+\.\d*"),
    COMMA: re.compile(r"[+-]?\d{1,3}(\.\d{3}){2,}|[+-]?\d{1,3}(\.\d{3})+,\d*"),
}
"""Numbers of which it is certain that the other mark separates thousands."""
_SPACED = re.compile(r"[+-]?\d{1,3}([ '’\u00a0\u2009\u202f]\d{3})+([.,]\d*)?")
_MINUS = str.maketrans({"\u2212": "-"})
_CERTAIN = {
    POINT: re.compile(r"[+-]?(\d*\.(\d{1,2}|\d{4,})|0*\.\d+|\d{4,}\.\d+|\d*\.\d+[eE][+-]?\d+)"),
    COMMA: re.compile(r"[+-]?(\d*,(\d{1,2}|\d{4,})|0*,\d+|\d{4,},\d+|\d*,\d+[eE][+-]?\d+)"),
}
"""Numbers whose mark cannot separate thousands: these have exactly three digits behind it."""
_UNCERTAIN = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")


class AmbiguousNumberError(ValueError):
    """A text that is one of two numbers."""


def decimal_mark(cells: Iterable[str]) -> str:
    """Return the decimal mark of a table's numbers; the point, if none of them shows it.

    Raises ``AmbiguousNumberError`` for a table with both.
    """
    shown: dict[str, str] = {}
    for cell in cells:
        text = cell.strip()
        for mark in (POINT, COMMA):
            is_grouped = _GROUPED[mark].fullmatch(text) or (mark in text and _SPACED.fullmatch(text))
            if is_grouped or _CERTAIN[mark].fullmatch(text):
                shown.setdefault(mark, text)
    if len(shown) > 1:
        raise AmbiguousNumberError(
            f"has numbers with a decimal point ({shown[POINT]}) and with a comma ({shown[COMMA]}): wanted one of them"
        )
    return next(iter(shown), POINT)


def number_of(text: str, mark: str = POINT) -> float:
    """Return the number that a cell holds, NaN for the words of a missing one that Python reads too.

    Raises ``AmbiguousNumberError`` for a comma that may separate thousands or decimals, else ``ValueError``.
    """
    if "_" not in text and (mark == POINT or "." not in text):
        with suppress(ValueError):  # in another form, or none
            return float(text if mark == POINT else text.replace(COMMA, ".", 1))
    return float(plain_number(text, mark))


def plain_number(text: str, mark: str = POINT) -> str:
    """Return a number as Python writes it, without separators of thousands. Raises as ``number_of`` does."""
    text = text.strip().translate(_MINUS)
    if _PLAIN.fullmatch(text):
        if mark == COMMA and "." in text:
            raise AmbiguousNumberError(f"{text} has a point, and other numbers of the table have a decimal comma")
        return text
    if _SPACED.fullmatch(text):
        text = re.sub(r"[^\d.,+-]", "", text)
    other = COMMA if mark == POINT else POINT
    if _GROUPED[mark].fullmatch(text):
        text = text.replace(other, "")
    if mark == COMMA and text.count(COMMA) == 1 and "." not in text:
        text = text.replace(COMMA, ".")
    if _PLAIN.fullmatch(text):
        return text
    if text.lower() in ("nan", "inf", "-inf", "+inf", "infinity", "-infinity"):
        return text
    if _UNCERTAIN.fullmatch(text):
        plain = text.replace(",", "")
        raise AmbiguousNumberError(f"{text} is {plain} or {text.replace(',', '.')}: write it without the comma")
    raise ValueError(f"{text[:40] or 'empty'} is no number" + (": a decimal comma?" if "," in text else ""))
