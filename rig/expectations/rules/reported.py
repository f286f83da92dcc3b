"""What the session itself reports as unusual: its faults, its breaks, and some of its notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from rig.expectations.finding import Finding, Severity
from rig.expectations.rule import Line, Rule
from rig.terminal.format import clock, pluralize

NOTE, SUSPICIOUS, BAD = Severity.NOTE, Severity.SUSPICIOUS, Severity.BAD


class _Report(NamedTuple):
    severity: Severity
    text: Callable[[Line], str]
    about: str = ""
    """The field of the line that names the channel or device."""


_NOTES = {
    "stuck": _Report(
        SUSPICIOUS,
        lambda line: f"{line['channel']} has been on since {clock(line['since_us'] / 1e6)}: dirty, or blocked?",
        "channel",
    ),
    "photodiode": _Report(
        SUSPICIOUS,
        lambda line: (
            f"{line['channel']} has not seen what the screen shows since {clock(line['since_us'] / 1e6)}: "
            "is it before its square?"
        ),
        "channel",
    ),
    "idle": _Report(
        SUSPICIOUS, lambda line: f"nothing has happened since {clock(line['since_us'] / 1e6)}: look at the animal"
    ),
    "reward_withheld": _Report(
        NOTE, lambda line: f"{line['source']}: {_reward(line)} withheld, the limit is reached", "source"
    ),
    "held_up": _Report(
        SUSPICIOUS,
        lambda line: (
            f"the program did not come back for {line['seconds']:g} s: "
            "did the protocol sleep for real, or the computer stand still?"
        ),
    ),
    "camera_lost": _Report(BAD, lambda line: f"{line['detail']}: positions are kept no more, and the session goes on"),
    "wrong_cell": _Report(
        SUSPICIOUS,
        lambda line: (
            f"column {line['column']} is {line['detail']}: the row is kept as it is, and the session goes on; "
            "correct the protocol"
        ),
    ),
    "wrong_cells": _Report(
        NOTE,
        lambda line: (
            "wrong cells: "
            + ", ".join(f"{column} in {pluralize(rows, 'row')}" for column, rows in line["cells"].items())
        ),
    ),
    "trial_out_of_order": _Report(
        SUSPICIOUS, lambda line: f"{line['detail']}; every row is kept, and the session goes on; correct the protocol"
    ),
    "hopper_not_entered": _Report(
        SUSPICIOUS,
        lambda line: (
            f"{line['hopper']}: no visit {line['times']} times in a row: is it empty or jammed, or its beam blind?"
        ),
        "hopper",
    ),
    "control_unavailable": _Report(
        NOTE, lambda line: f"keys and `rig session` cannot reach this session ({line['detail']}); Ctrl-C stops it"
    ),
    "pellets_unseen": _Report(
        SUSPICIOUS,
        lambda line: (
            f"{line['feeder']}: its sensor has seen no pellet yet: is it blind, or the feeder empty? "
            "No second try is made"
        ),
        "feeder",
    ),
    "pellet_missing": _Report(
        NOTE, lambda line: f"{line['feeder']}: a pellet was not seen to drop, and is tried once more", "feeder"
    ),
}
_FAULTS = {
    "lease_expired": _Report(
        SUSPICIOUS, lambda line: "the computer was silent for too long: the board has switched everything off"
    ),
    "panic": _Report(
        BAD,
        lambda line: (
            f"the panic button of board {line['board']} (pin {line['pin']}) was pressed, or its wire is broken: "
            "the board has switched everything off"
        ),
    ),
    "disconnected": _Report(
        SUSPICIOUS,
        lambda line: (
            f"the board is lost ({line['detail']}): the session waits for it; plug its cable in, or press Ctrl-C to end"
        ),
    ),
    "overflow": _Report(
        BAD, lambda line: f"the board has lost {line['lost']}{' or more' if line['lost'] == 255 else ''} events"
    ),
    "flood": _Report(
        SUSPICIOUS,
        lambda line: (
            f"input {line['channel']}: {line['edges_per_s']:,} edges in 1 s, muted until it is quiet: "
            "a loose plug, or noise?"
        ),
        "channel",
    ),
    # Two kinds of refusals are normal; the footer counts the others.
    "refused": _Report(NOTE, lambda line: f"the board has refused an order: {line['reason']}"),
}
_FLOOD_OVER = _Report(NOTE, lambda line: f"input {line['channel']} is quiet again, and counts again", "channel")
_OTHER_FAULT = _Report(BAD, lambda line: f"{line['what'].replace('_', ' ')}: {line.get('detail', '')}")
_CONTINUED = _Report(
    SUSPICIOUS,
    lambda line: (
        f"the session goes on after a break of {clock(line['gap_us'] / 1e6)} ({line['why'].replace('_', ' ')})"
    ),
)


class Reported(Rule):
    """The faults, breaks and notes of a session that are a warning to the person who watches it."""

    name = "reported"
    kinds = ("note", "fault", "continued")

    def take(self, line: Line) -> Iterator[Finding]:
        """Yield what a line reports; the rule of the finding is the word of the note or the fault."""
        report, what = _report(line)
        if report is None:
            return
        try:
            text, about = report.text(line), str(line.get(report.about, ""))
        except (AttributeError, KeyError, TypeError, ValueError):  # a protocol's own note that is called as one of ours
            return
        yield Finding(line["t"], what, text, report.severity, about)


def _report(line: Line) -> tuple[_Report | None, str]:
    if line["k"] == "continued":
        return _CONTINUED, "continued"
    what = str(line.get("what"))
    if line["k"] == "fault" and what == "flood" and line.get("edges_per_s") == 0:
        return _FLOOD_OVER, what
    return (_FAULTS.get(what, _OTHER_FAULT) if line["k"] == "fault" else _NOTES.get(what)), what


def _reward(line: Line) -> str:
    if "access_s" in line:
        return f"{line['access_s']:g} s of grain were"
    return f"{pluralize(line['pellets'], 'pellet')} were" if "pellets" in line else f"a drop of {line['ul']:g} ul was"
