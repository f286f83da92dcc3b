"""The journal: every event, order and decision of a session, one line each, in one order.

A line is a JSON object in ASCII: ``seq`` (contiguous), ``t`` (integer microseconds of the session), ``src``, ``k``, the
kind's own fields, and ``crc`` last: CRC-32 of the bytes before ``,"crc"``. Frequent lines are formatted directly,
because a general JSON encoder costs as much as everything else a line needs.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rig.core.errors import TaskError
from rig.core.journal.cells import escape_surrogates
from rig.core.journal.lines import (
    MAX_FLAT_CHARS,
    MAX_ORDERS_CHARS,
    RESERVED_FIELDS,
    add_crc,
    check_note,
    is_flat,
)
from rig.core.journal.order_json import order_json
from rig.core.model.actions import Order
from rig.core.model.board import BoardInfo, KeptOpening
from rig.core.model.events import (
    BoardTime,
    Continued,
    Edge,
    Event,
    Fault,
    Flood,
    FrameShown,
    Hover,
    Key,
    LeaseExpired,
    Overflow,
    Panic,
    Refused,
    Request,
    SequenceStarted,
    Touch,
    ZoneEvent,
)
from rig.core.model.reward import Reward

REPLAYED_INPUTS = frozenset(
    {
        "edge",
        "touch",
        "key",
        "hover",
        "frame_shown",
        "zone",
        "request",
        "sequence_started",
        "time",
        "fault",
        "continued",
    }
)
"""The kinds that a replay feeds to the protocol; all its decisions follow from them."""

# Without notes, which are free text, and allowances, which depend on a disk: see docs/decisions/replay-compares.md.
REPLAYED_OUTPUTS = frozenset({"state", "trial", "row", "command", "reward", "pause", "resume", "params"})
"""The kinds that a replay must write again, byte for byte."""

MAX_BREAKS = 3
"""So many breaks a session survives, each with a line ``continued``."""

OPERATOR_NOTE = "operator_note"
"""The note of a person, typed while the session ran."""

_DONE_KINDS = {"batch": "batch_done", "all_off": "all_off_done"}
"""What the board finished; everything else is an output's action."""

_quote = json.encoder.encode_basestring_ascii
_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode


def fields_of(values: Mapping[str, Any]) -> str:
    """Return a kind's own fields as JSON text, with a leading comma where there are any. Raises ``TaskError``."""
    for name in RESERVED_FIELDS:
        if name in values:
            raise TaskError(f"'{name}' is one of the journal's own fields: give the column or the note another name")
    try:
        text = _encode(values)
        # Lone surrogates, as in file names of Linux, are valid JSON escapes but no Unicode; other readers would refuse
        # the line.
        if "\\ud" in text:
            text = _encode(escape_surrogates(json.loads(text)))
    except (TypeError, ValueError, RecursionError) as error:
        raise TaskError(f"{_brief(values)} cannot be written in the journal: {error}") from None
    return "," + text[1:-1] if values else ""


def _note_fields(kind: str, fields: Mapping[str, Any]) -> str:
    text = fields_of(fields)
    if is_flat(fields) and len(text) <= MAX_FLAT_CHARS and (kind != "note" or type(fields.get("what", "")) is str):
        return text
    try:
        check_note(kind, text)
    except ValueError as error:
        raise TaskError(f"{_brief(fields)} cannot be written in the journal: {error}") from None
    return text


def check_fields(fields: Mapping[str, Any]) -> None:
    """Check that a line can hold these fields. Raises ``TaskError``."""
    _note_fields("", fields)


def _brief(values: Mapping[str, Any]) -> str:
    try:
        return f"{dict(values)}"[:200]
    except (Exception, SystemExit):  # too deep, or the mistake of an object that is asked for its text
        return f"a value in {', '.join(map(str, values))}"[:200]


def openings_json(kept: Sequence[KeptOpening]) -> list[dict[str, Any]]:
    """Return kept openings as the journal holds them."""
    return [asdict(opening) for opening in kept]


class Journal:
    """A writer that numbers, checksums and passes on the lines of one session.

    ``sink`` takes the bytes of a line and returns when they have left this process, or raises ``RecordError``.
    ``on_note`` is called with the fields of every note after its line was written. ``secure`` returns when that many
    lines would survive a power cut, or raises ``RecordError``.
    """

    def __init__(
        self,
        sink: Callable[[bytes], object],
        on_note: Callable[[Mapping[str, Any]], object] = lambda fields: None,
        secure: Callable[[int], object] = lambda lines: None,
    ) -> None:
        self.seq = 0
        self.counts: Counter[str] = Counter()
        self._crc = 0
        self._sink = sink
        self._on_note = on_note
        self.wait_synced = secure

    def _line(self, t_us: int, src: str, kind: str, fields: str) -> None:
        line = add_crc(f'{{"seq":{self.seq},"t":{t_us},"src":"{src}","k":"{kind}"{fields}')
        # Counted only after the sink: a line that could not be written is not part of the journal.
        self._sink(line)
        self._crc = zlib.crc32(line, self._crc)
        self.seq += 1
        self.counts[kind] += 1

    @property
    def digest(self) -> str:
        """Return the checksum of all bytes written: eight hex digits of CRC-32."""
        return f"{self._crc:08x}"

    # Positional-only: the note of a protocol may have a field ``kind`` or ``t_us``.
    def note(self, t_us: int, kind: str, /, **fields: Any) -> None:
        """Write a line of any kind. Raises ``TaskError`` for one that a reader would refuse."""
        self._line(t_us, "host", kind, _note_fields(kind, fields))
        if kind == "note":
            self._on_note(fields)

    def operator_note(self, t_us: int, text: str, raw_us: int, uncertainty_us: int) -> None:
        """Write what a person notes during the session; the stamps are those of a request."""
        fields = {"what": OPERATOR_NOTE, "text": text, "raw_us": raw_us, "uncertainty_us": uncertainty_us}
        self._line(t_us, "operator", "note", fields_of(fields))

    def event(self, event: Event) -> None:
        """Write the line of an event that the task can read."""
        # Edges are most of a journal, so they skip the general path.
        if type(event) is Edge:
            channel, level, t_us, fired, number = event
            named = f',"channel":"{channel}","level":{level},"fired":{fired},"number":{number}'
            self._line(t_us, "board", "edge", named)
        else:
            self._line(event.t_us, *_source_kind_fields(event))

    def pause(self, t_us: int) -> None:
        """Write that task time stands still from here."""
        self._line(t_us, "host", "pause", "")

    def resume(self, t_us: int, paused_us: int) -> None:
        """Write that task time goes on; ``paused_us`` is the length of the pause."""
        self._line(t_us, "host", "resume", f',"paused_us":{paused_us}')

    def params(self, t_us: int, trial: int, changed: Mapping[str, Any]) -> None:
        """Write which parameters have other values from a trial on."""
        self._line(t_us, "host", "params", fields_of({"trial": trial, "changed": dict(changed)}))

    def state(self, t_us: int, name: str) -> None:
        """Write that the task entered a state."""
        self._line(t_us, "host", "state", f',"name":{_quote(name)}')

    def command(self, t_us: int, epoch: int, number: int, seen: int, orders: Sequence[Order]) -> None:
        """Write a batch of orders, before its bytes are sent."""
        listed = ",".join(map(order_json, orders))
        # Bounded here, because a line longer than a reader accepts would make the whole session unreadable.
        if len(listed) > MAX_ORDERS_CHARS:
            raise TaskError(f"{len(orders)} orders at one time are more than any board takes")
        self._line(
            t_us, "host", "command", f',"epoch":{epoch},"batch":{number},"last_event":{seen},"orders":[{listed}]'
        )

    def reward(self, reward: Reward) -> None:
        """Write the status of a reward."""
        unit = reward.unit
        references = "".join(f',"{name}":{value}' for name, value in reward.references.items())
        self._line(
            reward.t_us,
            "host",
            "reward",
            f',"id":{reward.number},"source":{_quote(reward.source)},"amount":{getattr(reward.amount, unit)}'
            f',"unit":"{unit}","delivered_by":"{reward.delivered_by}","status":"{reward.status}"'
            f',"cause":"{reward.cause}"{references}',
        )

    def openings(self, opened: BoardInfo, channels: Sequence[str], t_us: int = 0) -> None:
        """Write which openings the board has kept, and where the session's ``t_us`` is on its clock."""
        log = opened.openings
        if log is not None:
            fields = {
                "uid": opened.uid,
                "power_ons": log.power_ons,
                "epoch": log.epoch,
                "stamp": log.stamp,
                "tick_ns": log.tick_ns,
                "channels": list(channels),
                "kept": openings_json(log.kept),
            }
            self._line(t_us, "board", "openings", fields_of(fields))

    def done(self, t_us: int, what: str, which: str | int) -> None:
        """Write that the board finished a batch, an output's action, or all-off after its last event."""
        named = which if isinstance(which, int) else f'"{which}"'
        field = "last_event" if what == "all_off" else what
        self._line(t_us, "board", _DONE_KINDS.get(what, "output_done"), f',"{field}":{named}')


def _touch_fields(touch: Touch) -> str:
    _, phase, contact, x_cm, y_cm, x_px, y_px, frame, on, in_margin, peck, raw_us, uncertainty_us = touch
    return (
        f',"phase":"{phase}","contact":{contact},"x_cm":{x_cm},"y_cm":{y_cm},"x_px":{x_px},"y_px":{y_px}'
        f',"frame":{frame},"on":{_quote(on)},"in_margin":{_BOOL[in_margin]},"peck":{_BOOL[peck]}'
        f',"raw_us":{raw_us},"uncertainty_us":{uncertainty_us}'
    )


_BOOL = ("false", "true")


def _source_kind_fields(event: Event) -> tuple[str, str, str]:
    if type(event) is BoardTime:
        return "board", "time", f',"executed":{event.executed},"number":{event.number}'
    if type(event) is Touch:
        return "touch", "touch", _touch_fields(event)
    if type(event) is SequenceStarted:
        return "board", "sequence_started", f',"sequence":{event.sequence},"number":{event.number}'
    fields = {key: value for key, value in event._asdict().items() if key != "t_us"}
    if type(event) in _AT_SCREEN:
        return "host", _AT_SCREEN[type(event)], fields_of(fields)
    if isinstance(event, Request):
        return "operator", "request", fields_of(fields)
    if isinstance(event, ZoneEvent):
        return "camera", "zone", fields_of(fields)
    if isinstance(event, Continued):
        return "host", "continued", fields_of(fields)
    if isinstance(event, Fault):
        return "host", "fault", fields_of(fields)
    return "board", "fault", fields_of({"what": _BOARD_FAULTS[type(event)], **fields})


_AT_SCREEN: dict[type[Any], str] = {Key: "key", FrameShown: "frame_shown", Hover: "hover"}
_BY_FIELDS: dict[str, type[Any]] = {
    "touch": Touch,
    "continued": Continued,
    **{name: kind for kind, name in _AT_SCREEN.items()},
}
_BOARD_FAULTS: dict[type[Any], str] = {
    Flood: "flood",
    LeaseExpired: "lease_expired",
    Overflow: "overflow",
    Panic: "panic",
    Refused: "refused",
}
_FROM_NAME = {name: kind for kind, name in _BOARD_FAULTS.items()}


def event_of(line: Mapping[str, Any]) -> Event | None:
    """Return the event that a line records; None when the line is no input."""
    kind, t_us = line["k"], line["t"]
    if kind == "edge":
        return Edge(line["channel"], line["level"], t_us, line["fired"], line["number"])
    if kind == "time":
        return BoardTime(t_us, line["executed"], line["number"])
    if kind == "sequence_started":
        return SequenceStarted(t_us, line["sequence"], line["number"])
    if kind == "zone":
        return ZoneEvent(line["channel"], line["level"], t_us, line["raw_us"], line["uncertainty_us"])
    if kind == "request":
        return Request(t_us, line["what"], line["raw_us"], line["uncertainty_us"])
    if kind in _BY_FIELDS:
        return _read(_BY_FIELDS[kind], line)
    if kind != "fault":
        return None
    event = _FROM_NAME.get(line["what"])
    return Fault(t_us, line["what"], line["detail"]) if event is None else _read(event, line)


def _read(event: type[Any], line: Mapping[str, Any]) -> Event:
    made: Event = event(line["t"], *(line[name] for name in event._fields if name != "t_us"))
    return made
