"""The journal's notes and faults in words, where they are a warning to the person who watches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rig.live.format import clock, pluralize

Line = Mapping[str, Any]

_NOTES: dict[str, Callable[[Line], str]] = {
    "stuck": lambda line: f"{line['channel']} has been on since {clock(line['since_us'] / 1e6)}: dirty, or blocked?",
    "photodiode": lambda line: (
        f"{line['channel']} has not seen what the screen shows since {clock(line['since_us'] / 1e6)}: "
        "is it before its square?"
    ),
    "idle": lambda line: f"nothing has happened since {clock(line['since_us'] / 1e6)}: look at the animal",
    "reward_withheld": lambda line: f"{line['source']}: {_reward(line)} withheld, the limit is reached",
    "held_up": lambda line: (
        f"the program did not come back for {line['seconds']:g} s: "
        "did the protocol sleep for real, or the computer stand still?"
    ),
    "camera_lost": lambda line: f"{line['detail']}: positions are kept no more, and the session goes on",
    "hopper_not_entered": lambda line: (
        f"{line['hopper']}: no visit {line['times']} times in a row: is it empty or jammed, or its beam blind?"
    ),
    "control_unavailable": lambda line: (
        f"keys and `rig session` cannot reach this session ({line['detail']}); Ctrl-C stops it"
    ),
    "pellets_unseen": lambda line: (
        f"{line['feeder']}: its sensor has seen no pellet yet: is it blind, or the feeder empty? No second try is made"
    ),
    "pellet_missing": lambda line: f"{line['feeder']}: a pellet was not seen to drop, and is tried once more",
}
_FAULTS: dict[str, Callable[[Line], str]] = {
    "lease_expired": lambda line: "the computer was silent for too long: the board has switched everything off",
    "panic": lambda line: (
        f"the panic button of board {line['board']} (pin {line['pin']}) was pressed, or its wire is broken: "
        "the board has switched everything off"
    ),
    "disconnected": lambda line: (
        f"the board is lost ({line['detail']}): the session waits for it; plug its cable in, or press Ctrl-C to end"
    ),
    "overflow": lambda line: f"the board has lost {line['lost']} events",
    "refused": lambda line: f"the board has refused an order: {line['reason']}",
}
_COUNTED = {
    "refused": ("order refused", "orders refused"),
    "lease_expired": ("lease expired", "leases expired"),
    "panic": ("press of the panic button", "presses of the panic button"),
}


def warning_text(line: Line) -> str | None:
    """Return what a line warns of; None when it is no warning."""
    if line["k"] == "continued":
        return f"the session goes on after a break of {clock(line['gap_us'] / 1e6)} ({line['why'].replace('_', ' ')})"
    if line["k"] == "fault":
        return _FAULTS.get(line["what"], _default_text)(line)
    say = _NOTES.get(str(line.get("what")))
    try:
        return None if say is None else say(line)
    except (KeyError, TypeError, ValueError):  # a protocol's own note that is called as one of ours
        return None


def operator_text(line: Line) -> str:
    """Return what a person did, if a line says so: a reward by hand with its status, a note, a parameter."""
    if line["k"] == "reward" and line.get("delivered_by") == "operator":
        unit = "s" if line["unit"] == "access_s" else line["unit"]
        return f"reward at {line['source']}, {line['amount']:g} {unit}: {line['status']}"
    if line["k"] == "note" and line.get("src") == "operator":
        return f"note: {line.get('text', '')}"
    if line["k"] == "request" and str(line["what"]).startswith("set "):
        return f"{line['what']}, from the next trial on"
    return ""


def _reward(line: Line) -> str:
    if "access_s" in line:
        return f"{line['access_s']:g} s of grain were"
    return f"{pluralize(line['pellets'], 'pellet')} were" if "pellets" in line else f"a drop of {line['ul']:g} ul was"


def _default_text(line: Line) -> str:
    return f"{line['what'].replace('_', ' ')}: {line.get('detail', '')}"


def fault_counts(faults: Mapping[str, int]) -> Iterator[str]:
    """Yield the count of each kind of fault of a session in words."""
    for what, count in faults.items():
        yield pluralize(count, *_COUNTED.get(what, (what.replace("_", " "),)))
