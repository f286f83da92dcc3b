"""What a row of the wire's description is: a code, its fields, and how they lie in bytes."""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

CannotPack = struct.error
"""Raised when a value does not fit its field."""

NAME_BYTES = 8

_FORMATS = {"u8": "B", "u16": "H", "i16": "h", "u32": "I", f"char{NAME_BYTES}": f"{NAME_BYTES}s"}

Layout = tuple[tuple[str, str], ...]


class Kind(NamedTuple):
    """One row of the description."""

    code: int
    name: str
    layout: Layout
    size: struct.Struct
    doc: str


def describe(code: int, name: str, doc: str, *layout: tuple[str, str]) -> Kind:
    """Describe a message or an order: ``layout`` gives each field a name and a type."""
    return Kind(code, name, layout, struct.Struct("<B" + "".join(_FORMATS[field] for _, field in layout)), doc)


def pack(kind: Kind, *values: Any) -> bytes:
    """Write a message or an order. Raises ``CannotPack`` when a value does not fit its field."""
    return kind.size.pack(kind.code, *values)
