"""What a person did in a session, and how many faults there were, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rig.core.journal.kinds import OperatorNote, RewardLine
from rig.core.model.events import Request
from rig.core.model.line import Line
from rig.terminal.format import pluralize

_COUNTED = {
    "refused": ("order refused", "orders refused"),
    "entry_refused": ("entry of a sequence refused", "entries of sequences refused"),
    "lease_expired": ("lease expired", "leases expired"),
    "flood": ("flood of edges", "floods of edges"),
    "disconnected": ("loss of the board", "losses of the board"),
    "panic": ("press of the panic button", "presses of the panic button"),
}


def operator_text(line: Line) -> str:
    """Return what a person did, if a line says so: a reward by hand with its status, a note, a parameter."""
    match line:
        case RewardLine(delivered_by="operator", source=source, amount=amount, unit=unit, status=status):
            return f"reward at {source}, {amount:g} {'s' if unit == 'access_s' else unit}: {status}"
        case OperatorNote(text=text):
            return f"note: {text}"
        case Request(what=what) if what.startswith("set "):
            return f"{what}, from the next trial on"
    return ""


def lost_board_text(left_s: float) -> str:
    """Return that the board is lost, and how long the session still waits for it."""
    return f"BOARD LOST: plug it in within {left_s:.0f} s"


def fault_counts(faults: Mapping[str, int]) -> Iterator[str]:
    """Yield the count of each kind of fault of a session in words."""
    for what, count in faults.items():
        yield pluralize(count, *_COUNTED.get(what, (what.replace("_", " "),)))
