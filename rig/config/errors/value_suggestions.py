"""Suggest what was probably meant by a value that is not a number or too large."""

from __future__ import annotations

import re

from rig.config.errors.lookalike_characters import to_ascii
from rig.config.errors.thousands import WrittenNumber, number_advice

_WITH_UNIT = re.compile(r"([-+]?\d+(?:\.\d+)?)\s*([A-Za-zµ%].*)")
_PER_CENT = 100
_LONGEST_LIST = 60
_LISTS = ("list_type", "tuple_type", "set_type", "frozen_set_type")
_CLOCK = re.compile(r"(\d+):([0-5]?\d)(?::([0-5]?\d))?")
_RANGE = re.compile(r"(\d{1,9})\s*(?:-|\.\.+|:|to)\s*(\d{1,9})")
_DASHED = re.compile(r"-[\w.]+(?:\s+-[\w.]+)+")
_NUMBERS = re.compile(r"[-+]?[\d.]+(?:\s+[-+]?[\d.]+)+")
_SECONDS = {"ms": 0.001, "s": 1.0, "min": 60.0}


def suggestion(kind: str, value: object, limits: dict[str, object], key: str = "", *, in_list: bool = False) -> str:
    """Return a guess of what a refused value should be, such as ``write 2.5, with a point``; empty without one.

    ``kind`` is pydantic's name of the error, ``limits`` its bounds, ``key`` ends with the value's unit.
    """
    if in_list and isinstance(value, str) and (numbers := _range(value)):
        return f"a range is written as a list of its numbers: {numbers}"
    if kind in ("float_parsing", "int_parsing") and isinstance(value, str):
        return _number(value.strip(), key.rpartition("_")[2], whole=kind == "int_parsing")
    if kind == "int_from_float" and isinstance(value, WrittenNumber):
        return number_advice(value.text, whole=True)
    if kind in _LISTS and isinstance(value, str | int | float) and len(str(value)) <= _LONGEST_LIST:
        return _as_list(str(value))
    if (
        kind == "less_than_equal"
        and limits.get("le") == 1
        and isinstance(value, int | float)
        and 1 < value <= _PER_CENT
    ):
        return f"write a proportion, not a percentage: did you mean {value / _PER_CENT:g}?"
    return ""


def _as_list(text: str) -> str:
    """Return how a text is written as a list: a range, or entries with commas, dashes or spaces between them."""
    if numbers := _range(text):
        return f"a range is written as a list of its numbers: {numbers}"
    if _DASHED.fullmatch(text):
        entries = [part.removeprefix("-") for part in text.split()]
        return f"write a space after each dash, or in brackets and with commas: [{', '.join(entries)}]"
    parts = text.split() if _NUMBERS.fullmatch(text) else [part.strip() for part in text.split(",")]
    return f"write it in brackets: [{', '.join(parts)}]"


def _range(text: str) -> str:
    """Return the list of a range such as ``1-15``, shortened; empty for another text."""
    match = _RANGE.fullmatch(text.strip())
    if match is None or not int(match[1]) < int(match[2]):
        return ""
    first, last = int(match[1]), int(match[2])
    numbers = [str(number) for number in (first, first + 1, first + 2) if number < last]
    return f"[{', '.join([*numbers, '...'] if last > first + len(numbers) else numbers)}, {last}]"


def _number(written: str, unit: str, *, whole: bool) -> str:
    text = to_ascii(written)
    clock = _CLOCK.fullmatch(text)
    if clock:
        return _from_clock(clock, unit)
    if advice := number_advice(text, whole=whole):
        return advice
    match = _WITH_UNIT.fullmatch(text)
    if match and match[2] == "%":
        return f"write {float(match[1]) / _PER_CENT:g}"
    if match:
        return "write only the number: the key's name ends with the unit"
    return ""


def _from_clock(clock: re.Match[str], unit: str) -> str:
    """Return how a time with colons is written as one number, in the unit of its key."""
    if unit not in _SECONDS:
        return "write one number, without colons"
    high, middle, low = (int(part or 0) for part in clock.groups())
    seconds = 3600 * high + 60 * middle + low if clock[3] else 60 * high + middle
    parts = "hours, minutes and seconds" if clock[3] else "minutes and seconds"
    return f"write one number in {unit}: {seconds / _SECONDS[unit]:g} if these are {parts}"
