"""A row of the wire's description: a code, its fields, and their byte layout."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

CannotPack = struct.error
"""Raised when a value does not fit its field."""

NAME_BYTES = 8

_FORMATS = {"u8": "B", "u16": "H", "i16": "h", "u32": "I", f"char{NAME_BYTES}": f"{NAME_BYTES}s"}

Layout = tuple[tuple[str, str], ...]


class Kind(NamedTuple):
    """One row of the description; ``pack(*values)`` raises ``CannotPack`` when a value does not fit its field."""

    code: int
    name: str
    layout: Layout
    size: struct.Struct
    pack: Callable[..., bytes]
    doc: str


def describe(code: int, name: str, doc: str, *layout: tuple[str, str]) -> Kind:
    """Build the description of a message or an order: ``layout`` gives each field a name and a type.

    A code above 0xFF is two bytes on the wire: the code that says that there are more, and which one it is.
    """
    # '<' also means no padding, as in the packed structs of the firmware.
    size = struct.Struct(("<B" if code <= 0xFF else "<H") + "".join(_FORMATS[field] for _, field in layout))
    # A partial runs in C; a method would be one more Python call for each message.
    return Kind(code, name, layout, size, partial(size.pack, code), doc)
