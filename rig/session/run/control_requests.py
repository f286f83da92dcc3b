"""The requests that other programs may send to a running session: one JSON object on one line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from rig.system.control_socket import MAX_LINE_BYTES, MAX_TEXT_CHARS

WORD_CHARS = 100
MAX_PARAM_CHARS = 400
"""The longest ``KEY=VALUE``."""

FIELDS: Mapping[str, Mapping[str, int]] = {
    "status": {},
    "reward": {"source": WORD_CHARS},
    "note": {"text": MAX_TEXT_CHARS},
    "set": {"param": MAX_PARAM_CHARS},
    "pause": {},
    "resume": {},
    "end": {},
}
"""What can be requested, and the fields of each request: a text of at most so many characters."""


@dataclass(frozen=True, slots=True)
class ControlRequest:
    """One valid request: what to do, and its text."""

    do: str
    text: str = ""


def parse_request(line: bytes) -> ControlRequest:
    """Parse a request. Raises ``ValueError`` with one sentence for the one who sent it."""
    if len(line) > MAX_LINE_BYTES:
        raise ValueError(f"a request has at most {MAX_LINE_BYTES} bytes")
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError('this is no JSON; wanted a line such as {"do": "status"}') from None
    do = request.get("do") if isinstance(request, dict) else None
    if not isinstance(do, str) or do not in FIELDS:
        raise ValueError(f"wanted an object with do, which is one of {', '.join(FIELDS)}")
    fields = FIELDS[do]
    if unknown := [str(name) for name in request if name != "do" and name not in fields]:
        wanted = ", ".join(fields) or "no further field"
        raise ValueError(f"{do} has no field {unknown[0][:WORD_CHARS]!r}; it has {wanted}")
    return ControlRequest(do, *(_text(do, name, request.get(name), most) for name, most in fields.items()))


def _text(do: str, name: str, value: object, most: int) -> str:
    text = value.strip() if isinstance(value, str) else ""
    if not text:
        raise ValueError(f"{do} needs {name}, a text that is not empty")
    if len(text) > most:
        raise ValueError(f"{name} has {len(text)} characters, and at most {most} are possible")
    if not text.isprintable():
        raise ValueError(f"{name} holds a control character or half a character")
    return text
