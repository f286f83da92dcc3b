"""Suggest what was probably meant by a value that is not a number or too large."""

from __future__ import annotations

import re
from typing import Any

from rig.config.errors.lookalikes import to_ascii

_COMMA = re.compile(r"[-+]?\d+,\d+")
_WITH_UNIT = re.compile(r"([-+]?\d+(?:\.\d+)?)\s*([A-Za-zµ%].*)")
_PER_CENT = 100
_CLOCK = re.compile(r"(\d+):([0-5]?\d)(?::([0-5]?\d))?")
_SECONDS = {"ms": 0.001, "s": 1.0, "min": 60.0}


def suggestion(kind: str, value: Any, limits: dict[str, Any], key: str = "") -> str:
    """Guess what a refused value was to be, such as ``write 2.5, with a point``; empty without a guess.

    ``kind`` is pydantic's name of the error, ``limits`` its bounds, ``key`` ends with the value's unit.
    """
    if kind in ("float_parsing", "int_parsing") and isinstance(value, str):
        return _number(value.strip(), key.rpartition("_")[2])
    if (
        kind == "less_than_equal"
        and limits.get("le") == 1
        and isinstance(value, int | float)
        and 1 < value <= _PER_CENT
    ):
        return f"a part of 1 is wanted, no percentage: {value / _PER_CENT:g}?"
    return ""


def _number(written: str, unit: str) -> str:
    text = to_ascii(written)
    clock = _CLOCK.fullmatch(text)
    if clock:
        return _from_clock(clock, unit)
    if _COMMA.fullmatch(text):
        return f"write {text.replace(',', '.')}, with a point"
    match = _WITH_UNIT.fullmatch(text)
    if match and match[2] == "%":
        return f"write {float(match[1]) / _PER_CENT:g}"
    if match:
        return "write the number alone: its unit is the end of the key's name"
    return ""


def _from_clock(clock: re.Match[str], unit: str) -> str:
    """Return how a time with colons is written as one number, in the unit of its key."""
    if unit not in _SECONDS:
        return "one number is wanted, without colons"
    high, middle, low = (int(part or 0) for part in clock.groups())
    seconds = 3600 * high + 60 * middle + low if clock[3] else 60 * high + middle
    said = "hours, minutes and seconds" if clock[3] else "minutes and seconds"
    return f"one number is wanted, in {unit}: write {seconds / _SECONDS[unit]:g}, if these are {said}"
