"""After a crash: keep every whole line, put the torn one aside, and mark the end that was never written."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rig.core.errors import RecordError
from rig.core.journal import fields_of, seal, unseal
from rig.files import append_whole, why, write_whole
from rig.records.given import gifts
from rig.records.read import Damage, Line, Scan, journal_of, of_kind, rows_of, scan, tables_of
from rig.records.summary import SUMMARY, summarise, write_summary
from rig.records.trials import write_tables

CRASH = "crash"
TORN = "journal.torn"
REPORT = "recovery.json"
_RESERVE = ".reserve"


@dataclass(frozen=True)
class Recovery:
    """What was found and done."""

    lines: int
    torn_bytes: int
    damage: list[Damage]
    had_footer: bool
    reason: str
    trials: int
    unconfirmed: list[str]


def recover(session: Path) -> Recovery:
    """Make a journal readable again; nothing is thrown away, and a second time changes nothing.

    Raises ``RecordError``; what could not be finished is finished by the next time.
    """
    path = journal_of(session)
    found = scan(path)
    try:
        (path.parent / _RESERVE).unlink(missing_ok=True)  # the recorder's, which only a clean end gives back
        if not found.lines:
            raise RecordError(f"{path}: holds no whole line of a journal: nothing can be recovered; left as it is")
        return _recover(path, found)
    except OSError as error:
        raise RecordError(f"{error.filename or path}: cannot be written: {why(error)}") from error


def _recover(path: Path, found: Scan) -> Recovery:
    if found.torn_bytes:
        _put_torn_bytes_aside(path, found)
    rows = rows_of(found.lines)
    recovery = Recovery(
        lines=len(found.lines),
        torn_bytes=found.torn_bytes,
        damage=found.damage,
        had_footer=found.footer is not None,
        reason=found.footer["reason"] if found.footer is not None else CRASH,
        trials=len(rows),
        unconfirmed=unconfirmed(found.lines),
    )
    footer = found.footer or _append_footer(path, found, recovery)
    header = next(of_kind(found.lines, "header"), None)
    if header is not None:
        write_tables(path.parent, header, tables_of(found.lines, header))
        if not (path.parent / SUMMARY).exists():
            write_summary(path.parent, summarise(header, footer, rows, of_kind(found.lines, "note")))
    report = {**vars(recovery), "damage": [vars(item) for item in found.damage]}
    if not (path.parent / REPORT).exists():
        write_whole(path.parent / REPORT, json.dumps(report, indent=2) + "\n")
    return recovery


def unconfirmed(lines: list[Line]) -> list[str]:
    """List the orders whose execution the journal does not show: they may or may not have been done."""
    era = 0
    pending: dict[int, list[str]] = {}
    for line in lines:
        if line["k"] == "command" and line["era"] == era:  # one of an earlier era never reached the board
            pending[line["n"]] = line["orders"]
        elif line["k"] == "done" and "batch" in line:
            pending.pop(line["batch"], None)
        elif line["k"] == "time":
            pending = {number: orders for number, orders in pending.items() if number > line["executed"]}
        elif line["k"] == "fault" and line["what"] == "lease_expired":
            pending.clear()  # it says how many were executed, and the others never will be
            era += 1
    return [order for orders in pending.values() for order in orders]


def _put_torn_bytes_aside(path: Path, found: Scan) -> None:
    with path.open("r+b") as file:
        file.seek(found.whole_bytes)
        append_whole(path.parent / TORN, file.read())
        file.truncate(found.whole_bytes)


def _append_footer(path: Path, found: Scan, recovery: Recovery) -> Line:
    last = found.lines[-1]
    given = list(gifts(found.lines))
    fields: dict[str, Any] = {
        "reason": CRASH,
        "detail": "recovered: the session was not ended by its program",
        "counts": dict(Counter(line["k"] for line in found.lines)),
        "complete": False,
        "executed": 0,
        "last_event": max((line["number"] for line in found.lines if "number" in line), default=0),
        "unconfirmed": len(recovery.unconfirmed),
        "damaged": len(recovery.damage),
        "rewards": len(given),
        "ul": round(sum(gift.ul for gift in given), 6),
        "pellets": sum(gift.pellets for gift in given),
        "access_s": round(sum(gift.access_s for gift in given), 6),
        "trials": recovery.trials,
        "carried": {},
    }
    head = f'{{"seq":{last["seq"] + 1},"t":{last["t"]},"src":"host","k":"footer"'
    footer = seal(head + fields_of(fields))
    append_whole(path, footer)
    return unseal(footer[:-1])
