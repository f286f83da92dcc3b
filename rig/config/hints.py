"""What was probably meant by a value that is no number, or by one that is too large."""

from __future__ import annotations

import re
from typing import Any

_COMMA = re.compile(r"[-+]?\d+,\d+")
_WITH_UNIT = re.compile(r"([-+]?\d+(?:\.\d+)?)\s*([A-Za-zµ%].*)")
_PER_CENT = 100


def meant(kind: str, value: Any, limits: dict[str, Any]) -> str:
    """Guess what a refused value was to be, such as ``write 2.5, with a point``; nothing when nobody can know.

    ``kind`` is pydantic's name of the error, ``limits`` its bounds.
    """
    if kind in ("float_parsing", "int_parsing") and isinstance(value, str):
        return _number(value.strip())
    if (
        kind == "less_than_equal"
        and limits.get("le") == 1
        and isinstance(value, int | float)
        and 1 < value <= _PER_CENT
    ):
        return f"a part of 1 is wanted, no percentage: {value / _PER_CENT:g}?"
    return ""


def _number(text: str) -> str:
    if _COMMA.fullmatch(text):
        return f"write {text.replace(',', '.')}, with a point"
    match = _WITH_UNIT.fullmatch(text)
    if match and match[2] == "%":
        return f"write {float(match[1]) / _PER_CENT:g}"
    if match:
        return "write the number alone: its unit is the end of the key's name"
    return ""
