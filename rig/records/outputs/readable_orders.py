"""Orders of a journal that a reader can follow: with the fields that their words need, within a board's bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rig.core.journal.lines import AMOUNT, LONGEST_US
from rig.core.model.reward import UNITS
from rig.core.model.sync_code import MAX_BITS

Order = Mapping[str, Any]

MAX_COUNT = (1 << 16) - 1
"""The most pulses of a train and tones of a ramp: the wire has two bytes for them."""
MAX_ENTRIES = 255
"""The most entries of a sequence and members of a reflex: the wire has one byte for them."""
SHORTEST_SIGNAL_US = 1_000
"""The shortest period or bit of a sync signal: the wire has milliseconds."""
_NOTHING: Order = {"do": "nothing"}


def _is_whole(value: Any) -> bool:
    return type(value) is int and value >= 0


def _is_time(value: Any) -> bool:
    return _is_whole(value) and value <= LONGEST_US


def _is_length(value: Any) -> bool:
    return _is_time(value) and value > 0


def _is_count(value: Any) -> bool:
    return _is_length(value) and value <= MAX_COUNT


def _is_signal_time(value: Any) -> bool:
    return _is_time(value) and value >= SHORTEST_SIGNAL_US


def _is_text(value: Any) -> bool:
    return type(value) is str


def _is_level(value: Any) -> bool:
    return value in (0, 1)


def _are_entries(value: Any) -> bool:
    return _are_actions(value) and all(_is_time(entry.get("at_us")) for entry in value)


def _are_members(value: Any) -> bool:
    return _are_actions(value) and all(_is_text(each.get("channel")) and _is_level(each.get("level")) for each in value)


def _are_actions(value: Any) -> bool:
    return (
        type(value) is list
        and len(value) <= MAX_ENTRIES
        and all(type(each) is dict and _is_sound(each) and each["do"] not in ("arm", "load", "code") for each in value)
    )


_FIELDS: Mapping[str, Mapping[str, Callable[[Any], bool]]] = {
    "set": {"output": _is_text, "on": lambda value: type(value) is bool},
    "pulse": {"output": _is_text, "us": _is_length},
    "train": {"output": _is_text, "on_us": _is_length, "period_us": _is_length, "count": _is_count},
    "tone": {"output": _is_text, "us": _is_length},
    "ramp": {"output": _is_text, "tone_us": _is_length, "period_us": _is_length, "count": _is_count},
    "code": {
        "output": _is_text,
        "period_us": _is_signal_time,
        "bit_us": _is_signal_time,
        "bits": lambda value: _is_whole(value) and value <= MAX_BITS,
        "seed": _is_whole,
        "first": _is_whole,
    },
    "start": {"sequence": _is_whole},
    "stop": {"sequence": _is_whole},
    "load": {"sequence": _is_whole, "entries": _are_entries},
    "arm": {"group": _is_whole, "members": _are_members},
}


def _is_sound(order: Order) -> bool:
    do = order.get("do")
    if type(do) is not str:
        return False
    for name, accepts in _FIELDS.get(do, {}).items():  # quicker than `all`: a journal has more orders than trials
        if not accepts(order.get(name)):
            return False
    if "source" not in order:
        return True
    # One that gives a reward names its device and its amount.
    amounts = [order[unit] for unit in UNITS if unit in order]
    return _is_text(order["source"]) and all(map(AMOUNT.accepts, amounts))


def sound_orders(orders: Iterable[Order]) -> list[Order]:
    """Return the orders of a line in their places; one that lacks what its word needs becomes ``nothing``."""
    return [order if _is_sound(order) else _NOTHING for order in orders]
