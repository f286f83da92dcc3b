"""Lines of a journal, as tests say them: their kind, their time, and the fields that matter."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import convert

from rig.core.journal.codec import encode, line_bytes, parse_line, sealed
from rig.core.journal.header import FORMAT
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import SessionLine, SubjectLine

HEADER: dict[str, Any] = {
    "format": FORMAT,
    "protocol": "p",
    "simulated": False,
    "seed": 1,
    "params": {},
    "stop": {"min_trials": 1},
    "rig": {"name": "none", "board": {}, "devices": {}, "calibrations": {}},
    "carry_over": {},
    "remaining_today": {},
    "columns": [],
}
"""The least that the first line of a journal says."""

FOOTER: dict[str, Any] = {
    "reason": "time_limit",
    "detail": "",
    "counts": {},
    "complete": True,
    **dict.fromkeys(("executed", "last_event", "unconfirmed_rewards", "rewards", "pellets", "trials"), 0),
    **dict.fromkeys(("ul", "access_s"), 0.0),
    "given": [],
    "digest": "00000000",
    "carry_over": {},
}
"""The least that the last line of a journal says."""

_FREE = {"trial": "row", "row": "row", "note": "fields"}
"""The field with a protocol's own values, of the kinds that have one."""


def made(kind: str, t_us: int = 0, /, **fields: Any) -> SessionLine:
    """Make a line: ``made("state", 5, name="ready")``; the values of rows and notes stand beside the other fields."""
    if kind in _FREE:
        named = {name: fields.pop(name) for name in ("what", "table") if name in fields}
        fields = {**named, _FREE[kind]: fields}
    return convert({"k": kind, "t": t_us, **fields}, SessionLine)


def event(kind: str, t_us: int = 0, /, **fields: Any) -> SubjectLine:
    """Make an event of a subject."""
    return convert({"k": kind, "t": t_us, "seq": 0, "at": "", **fields}, SubjectLine)


def journal_of(lines: Iterable[SessionLine], first: int = 0) -> list[bytes]:
    """Return lines as a journal holds them."""
    return [line_bytes(first + index, encode(line)) for index, line in enumerate(lines)]


def journal_file(path: Path) -> Journal:
    """Return a journal that appends each line to a file at once."""

    def append(raw: bytes) -> None:
        with path.open("ab") as file:
            file.write(raw)

    return Journal(append)


def read_line(raw: bytes) -> SessionLine:
    """Return the line that a journal holds."""
    return parse_line(raw.removesuffix(b"\n"))[1]


def as_json(line: SessionLine | SubjectLine) -> dict[str, Any]:
    """Return a line as another program reads it, without number and checksum."""
    fields: dict[str, Any] = json.loads(encode(line))
    return fields


def sealed_json(fields: Mapping[str, Any]) -> bytes:
    """Return any object as a line with a right checksum, which the reader may refuse for other reasons."""
    return sealed(json.dumps(fields, separators=(",", ":"))[:-1].encode())


def channels_of(devices: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """What a header says of the channels of such devices: ports, feeders and circles."""
    channels: dict[str, dict[str, Any]] = {}
    for name, device in devices.items():
        parts = {"beam": "beam", "radius_cm": "zone", "light": "light", "valve": "valve", "sensor": "sensor"}
        for part in (part for key, part in parts.items() if key in device):
            channels[f"{name}.{part}"] = {"is": "output" if part in ("light", "valve") else "input"}
            channels[f"{name}.{part}"] |= {"machine": True} if part == "sensor" else {}
        if device.get("kind") == "feeder":
            channels[f"{name}.feeder"] = {"is": "output"}
    return channels
