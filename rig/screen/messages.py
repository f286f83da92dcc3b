"""Messages between a session and its stimulus window: one JSON object per line, of kind ``k``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypeAlias

Message: TypeAlias = dict[str, Any]

OPEN, SHOW, CLOSE = "open", "show", "close"
"""To the window: the screen's section of the rig file, a frame and its scene, the end."""

READY, SHOWN, TOUCHED, HOVERED, TYPED, GONE = "ready", "shown", "touched", "hovered", "typed", "gone"
"""From the window: what it is, a frame that was painted, a contact, the item under the pointer, a key, why it can show
nothing any more."""

# One encoder for all messages: json.dumps with such options builds one for each call.
_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode


def line(kind: str, **fields: object) -> bytes:
    """Return the bytes of a message."""
    return _encode({"k": kind, **fields}).encode("ascii") + b"\n"


class MessageReader:
    """Splits received bytes into messages."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> Iterator[Message]:
        """Yield the messages that these bytes complete."""
        *whole, self._rest = (self._rest + data).split(b"\n")
        for text in whole:
            message: Message = json.loads(text)
            yield message
