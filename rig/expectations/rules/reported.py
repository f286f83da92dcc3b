"""What the session itself reports as unusual: its faults, its breaks, and some of its notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, TypeAlias

from rig.core.journal.kinds import FAULTS, FaultLine, Note, fault_word
from rig.core.model.events import Continued, EntryRefused, Fault, Flood, LeaseExpired, Overflow, Panic, Refused
from rig.core.model.line import Line
from rig.expectations.finding import Finding, Severity
from rig.expectations.rule import Rule
from rig.terminal.format import clock, pluralize

NOTE, SUSPICIOUS, BAD = Severity.NOTE, Severity.SUSPICIOUS, Severity.BAD
Fields: TypeAlias = Mapping[str, Any]


class _Report(NamedTuple):
    severity: Severity
    text: Callable[[Fields], str]
    about: str = ""
    """The field of the note that names the channel or device."""


_NOTES = {
    "stuck": _Report(
        SUSPICIOUS,
        lambda fields: f"{fields['channel']} has been on since {clock(fields['since_us'] / 1e6)}: dirty, or blocked?",
        "channel",
    ),
    "photodiode": _Report(
        SUSPICIOUS,
        lambda fields: (
            f"{fields['channel']} has not seen what the screen shows since {clock(fields['since_us'] / 1e6)}: "
            "is it before its square?"
        ),
        "channel",
    ),
    "idle": _Report(
        SUSPICIOUS, lambda fields: f"nothing has happened since {clock(fields['since_us'] / 1e6)}: look at the animal"
    ),
    "reward_withheld": _Report(
        NOTE, lambda fields: f"{fields['source']}: {_reward(fields)} withheld, the limit is reached", "source"
    ),
    "held_up": _Report(
        SUSPICIOUS,
        lambda fields: (
            f"the program did not come back for {fields['seconds']:g} s: "
            "did the protocol sleep for real, or the computer stand still?"
        ),
    ),
    "camera_lost": _Report(
        BAD, lambda fields: f"{fields['detail']}: positions are kept no more, and the session goes on"
    ),
    "wrong_cell": _Report(
        SUSPICIOUS,
        lambda fields: (
            f"column {fields['column']} is {fields['detail']}: the row is kept as it is, and the session goes on; "
            "correct the protocol"
        ),
    ),
    "wrong_cells": _Report(
        NOTE,
        lambda fields: (
            "wrong cells: "
            + ", ".join(f"{column} in {pluralize(rows, 'row')}" for column, rows in fields["cells"].items())
        ),
    ),
    "trial_out_of_order": _Report(
        SUSPICIOUS,
        lambda fields: f"{fields['detail']}; every row is kept, and the session goes on; correct the protocol",
    ),
    "hopper_not_entered": _Report(
        SUSPICIOUS,
        lambda fields: (
            f"{fields['hopper']}: no visit {fields['times']} times in a row: is it empty or jammed, or its beam blind?"
        ),
        "hopper",
    ),
    "control_unavailable": _Report(
        NOTE, lambda fields: f"keys and `rig session` cannot reach this session ({fields['detail']}); Ctrl-C stops it"
    ),
    "pellets_unseen": _Report(
        SUSPICIOUS,
        lambda fields: (
            f"{fields['feeder']}: its sensor has seen no pellet yet: is it blind, or the feeder empty? "
            "No second try is made"
        ),
        "feeder",
    ),
    "pellet_missing": _Report(
        NOTE, lambda fields: f"{fields['feeder']}: a pellet was not seen to drop, and is tried once more", "feeder"
    ),
}


class Reported(Rule[Note | FaultLine | Continued]):
    """The faults, breaks and notes of a session that are a warning to the person who watches it."""

    name = "reported"
    kinds = (Note, *FAULTS, Continued)

    def take(self, line: Line) -> Iterator[Finding]:
        """Yield what a line reports; the rule of the finding is the word of the note or the fault."""
        match line:
            case Note(what=what, fields=fields) if what in _NOTES:
                report = _NOTES[what]
                # A protocol's own note may be called as one of ours.
                with suppress(AttributeError, KeyError, TypeError, ValueError):
                    about = str(fields.get(report.about, ""))
                    yield Finding(line.t_us, what, report.text(fields), report.severity, about)
            case Continued(gap_us=gap_us, why=why):
                text = f"the session goes on after a break of {clock(gap_us / 1e6)} ({why.replace('_', ' ')})"
                yield Finding(line.t_us, "continued", text)
            case _ if isinstance(line, FAULTS):
                severity, text = _fault_text(line)
                about = line.channel if isinstance(line, Flood) else ""
                yield Finding(line.t_us, fault_word(line), text, severity, about)


def _fault_text(fault: FaultLine) -> tuple[Severity, str]:
    match fault:
        case LeaseExpired():
            return SUSPICIOUS, "the computer was silent for too long: the board has switched everything off"
        case Panic(board=board, pin=pin):
            return BAD, (
                f"the panic button of board {board} (pin {pin}) was pressed, or its wire is broken: "
                "the board has switched everything off"
            )
        case Overflow(lost=lost):
            return BAD, f"the board has lost {lost}{' or more' if lost == 255 else ''} events"
        case Flood(channel=channel, edges_per_s=0):
            return NOTE, f"input {channel} is quiet again, and counts again"
        case Flood(channel=channel, edges_per_s=rate):
            muted = f"input {channel}: {rate:,} edges in 1 s, muted until it is quiet"
            return SUSPICIOUS, f"{muted}: a loose plug, or noise?"
        # Two kinds of refusals are normal; the footer counts the others.
        case Refused(reason=reason) | EntryRefused(reason=reason):
            return NOTE, f"the board has refused an order: {reason}"
        case Fault(what="disconnected", detail=detail):
            lost_board = f"the board is lost ({detail}): the session waits for it"
            return SUSPICIOUS, f"{lost_board}; plug its cable in, or press Ctrl-C to end"
        case Fault(what=what, detail=detail):
            return BAD, f"{what.replace('_', ' ')}: {detail}"


def _reward(fields: Fields) -> str:
    if "access_s" in fields:
        return f"{fields['access_s']:g} s of grain were"
    if "pellets" in fields:
        return f"{pluralize(fields['pellets'], 'pellet')} were"
    return f"a drop of {fields['ul']:g} ul was"
