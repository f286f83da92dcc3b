"""The events of a session, one table for each kind: inputs, outputs, rewards, what the screen reported, and the log."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

import numpy as np

from rig.core.journal.lines import RESERVED_FIELDS, Line
from rig.core.model.reward import RewardStatus
from rig.core.model.units import to_s
from rig.export.nwb.columns import TableColumn, column_of
from rig.export.nwb.flat import flat_items
from rig.export.nwb.other_clocks import with_other_clocks
from rig.export.nwb.session import Session
from rig.export.other_clocks import NumberedFrames
from rig.records.outputs.lanes import OPEN, Lane, Lanes

TIMESTAMP, DURATION = "timestamp", "duration"
_GIVEN = (RewardStatus.DELIVERED, RewardStatus.UNCONFIRMED, RewardStatus.PENDING)
_LOGGED = ("note", "fault", "request", "pause", "resume", "continued", "params")

Row = Mapping[str, Any]


@dataclass(frozen=True)
class EventTable:
    """A table of events in the order of their times, in seconds from the start of the session."""

    name: str
    description: str
    columns: Sequence[TableColumn]


def event_tables(session: Session) -> list[EventTable]:
    """Return the tables that have rows."""
    lanes = Lanes()
    for line in session.lines:
        lanes.take(line)
    of_kind = _by_kind(session.lines, ("reward", "touch", "key", "hover", "frame_shown"))
    tables = [
        _table("inputs", _INPUTS, _SPAN, _spans(lanes.inputs)),
        _table("outputs", _OUTPUTS, _SPAN, _spans(lanes.outputs)),
        _table("rewards", _REWARDS, _REWARD, _rewards(of_kind["reward"])),
        _table("touches", _TOUCHES, _TOUCH, _timed(of_kind["touch"])),
        _table("keys", "Keys that were pressed.", {"key": "the key", **_UNCERTAIN}, _timed(of_kind["key"])),
        _table("hovers", "Items under the pointer of the mouse.", _HOVER, _timed(of_kind["hover"])),
        _table("frames_shown", "Pictures that appeared on the screen.", _FRAME, _timed(of_kind["frame_shown"])),
        _table("log", _LOG, _LOG_COLUMNS, _log(session)),
        *(_frames(numbered) for numbered in session.clocks.frames),
    ]
    return [_on_other_clocks(session, table) for table in tables if table is not None]


def _on_other_clocks(session: Session, table: EventTable) -> EventTable:
    times = [column for column in table.columns if column.name == TIMESTAMP]
    return replace(table, columns=with_other_clocks(session, table.columns, times))


_BY_BOARD = "The board stamped the times; zones of a tracker and what the host reads have the host's stamps."
_INPUTS = f"Spans in which inputs were on: from one edge to the next. {_BY_BOARD}"
_OUTPUTS = (
    "Spans in which outputs were on. They follow from the orders, from what the board reported as executed, and from "
    "the ends that it reported."
)
_REWARDS = (
    "Rewards that were delivered, or that count as given because their delivery is not confirmed. The time is that of "
    "the order, of the edge that fired the reflex, or of the start of the sequence."
)
_TOUCHES = "Contacts with the screen. The host stamped them and converted the times to the board's clock."
_LOG = (
    "What else happened: begin and end, pauses, requests and notes of a person, notes of the protocol, changes of "
    "parameters, and faults."
)
_SPAN = {
    DURATION: "how long the channel was on, in seconds; NaN if it was on until the end of the records",
    "channel": "the channel: its device and its part, such as left.beam",
}
_REWARD = {
    "source": "the device that gave the reward",
    "amount": "how much was given, in the unit of this row",
    "unit": "the unit of the amount: ul, pellets, or access_s (seconds of access to grain)",
    "delivered_by": "who gave it: board (a reflex or a sequence), host (an order of the task) or operator",
    "status": "delivered; unconfirmed or pending: its delivery was not confirmed, and it counts as given",
    "cause": "what caused it: order, reflex or sequence",
}
_UNCERTAIN = {"uncertainty_s": "the largest possible error of the time, in s"}
_TOUCH = {
    "phase": "down, move or up",
    "contact": "number of the contact",
    "x_cm": "horizontal position, from the left edge of the screen, in cm",
    "y_cm": "vertical position, from the lower edge of the screen, in cm",
    "on": "the item of the picture at this point; empty beside all items",
    "in_margin": "whether the point was beside the item, within its margin",
    "peck": "whether it counted as a peck: a down that is no bounce",
    **_UNCERTAIN,
}
_HOVER = {
    "on": "the item under the pointer; empty beside all items",
    "x_cm": "horizontal position, from the left edge of the screen, in cm",
    "y_cm": "vertical position, from the lower edge of the screen, in cm",
    "frame": "number of the picture",
    **_UNCERTAIN,
}
_FRAME_COLUMNS = {
    "frame": "the camera's number of the frame",
    "edge": "whether the journal has the edge of the frame; if not, the time is between those of its neighbors",
}
_FRAME = {"frame": "number of the picture", "scene": "id of the scene that it shows", **_UNCERTAIN}
_LOG_COLUMNS = {
    "kind": "kind of the event",
    "what": "which note, fault or request it was; empty for others",
    "source": "who reported it: board, host, operator, camera or touch",
    "details": "further facts, each as name=value; values as JSON",
}


def _by_kind(lines: Iterable[Line], kinds: Sequence[str]) -> dict[str, list[Line]]:
    by_kind: dict[str, list[Line]] = {kind: [] for kind in kinds}
    for line in lines:
        if line["k"] in by_kind:
            by_kind[line["k"]].append(line)
    return by_kind


def _table(name: str, description: str, texts: Mapping[str, str], rows: Iterable[Row]) -> EventTable | None:
    ordered = sorted(rows, key=itemgetter(TIMESTAMP))
    if not ordered:
        return None
    times = TableColumn(TIMESTAMP, _TIMES, np.array([row[TIMESTAMP] for row in ordered]))
    columns = (column_of(column, text, [row[column] for row in ordered]) for column, text in texts.items())
    return EventTable(name, description, [times, *(column for column in columns if column is not None)])


_TIMES = "time of the event, in seconds from the start of the session"


def _spans(lanes: Mapping[str, Lane]) -> Iterator[Row]:
    for channel, lane in lanes.items():
        for start_us, end_us in zip(lane.starts, lane.ends, strict=True):
            duration_s = None if end_us == OPEN else to_s(end_us - start_us)
            yield {TIMESTAMP: to_s(start_us), DURATION: duration_s, "channel": channel}


def _rewards(lines: Iterable[Line]) -> list[Row]:
    """Return the rewards that count; of all lines with one number the last one holds."""
    last = {line["id"]: line for line in lines}
    return [_timed_row(line) for line in last.values() if line["status"] in _GIVEN]


def _timed(lines: Iterable[Line]) -> list[Row]:
    return [{**_timed_row(line), "uncertainty_s": to_s(line["uncertainty_us"])} for line in lines]


def _timed_row(line: Line) -> Row:
    return {**line, TIMESTAMP: to_s(line["t"])}


def _frames(numbered: NumberedFrames) -> EventTable | None:
    """Return the frames of a camera that have a time."""
    timed = [
        {TIMESTAMP: to_s(frame.t_us), "frame": frame.number, "edge": frame.edge}
        for frame in numbered.frames
        if frame.t_us is not None
    ]
    left_out = len(numbered.frames) - len(timed)
    text = f"Frames of a camera, whose exposures went to {numbered.channel}."
    if left_out:
        text += f" Left out are {left_out} before the first and after the last edge: their times are not known."
    return _table(numbered.name, text, _FRAME_COLUMNS, timed)


# --- the log --------------------------------------------------------------------------------------------------------


def _log(session: Session) -> Iterator[Row]:
    yield {TIMESTAMP: 0.0, "kind": "begin", "what": "", "source": "host", "details": ""}
    for line in session.lines:
        if line["k"] in _LOGGED:
            yield {
                TIMESTAMP: to_s(line["t"]),
                "kind": line["k"],
                "what": str(line.get("what", "")),
                "source": line["src"],
                "details": _details(line),
            }
    end = {"reason": "no end recorded"} if session.footer is None else session.footer
    reason = "; ".join(str(end[name]) for name in ("reason", "detail") if end.get(name))
    yield {TIMESTAMP: to_s(session.end_us), "kind": "end", "what": reason, "source": "host", "details": ""}


def _details(line: Line) -> str:
    fields = {name: value for name, value in line.items() if name not in RESERVED_FIELDS and name != "what"}
    return "; ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in flat_items(fields))
