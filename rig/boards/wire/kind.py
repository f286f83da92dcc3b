"""A row of the wire's description: a code, its fields, and their byte layout."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

CannotPack = struct.error
"""Raised when a value does not fit its field."""

NAME_BYTES = 8

_FORMATS = {"u8": "B", "u16": "H", "i16": "h", "u32": "I", "i32": "i", f"char{NAME_BYTES}": f"{NAME_BYTES}s"}

Layout = tuple[tuple[str, str], ...]


class Kind(NamedTuple):
    """One row of the description; ``pack(*values)`` raises ``CannotPack`` when a value does not fit its field."""

    code: int
    name: str
    layout: Layout
    size: struct.Struct
    pack: Callable[..., bytes]
    doc: str
    values: str = ""
    """The type of the values that follow the fields, as many as the last field says; empty where none follow."""

    @property
    def value_bytes(self) -> int:
        """Return the size of a value that follows the fields."""
        return struct.calcsize(_FORMATS[self.values])

    def pack_values(self, *fields: int, values: Sequence[int]) -> bytes:
        """Return the bytes of the fields but the last, of the number of values, and of the values.

        Raises ``CannotPack``.
        """
        return self.pack(*fields, len(values)) + struct.pack(f"<{len(values)}{_FORMATS[self.values]}", *values)

    def unpack_values(self, payload: bytes) -> tuple[Any, ...] | None:
        """Return the code, the fields but the last, and a tuple of the values; None if the length is wrong."""
        start = self.size.size
        if len(payload) < start:
            return None
        *head, count = self.size.unpack_from(payload)
        # A block without values says nothing, and its stamp would be that of none.
        if not count or len(payload) - start != count * self.value_bytes:
            return None
        return (*head, struct.unpack_from(f"<{count}{_FORMATS[self.values]}", payload, start))


def describe(code: int, name: str, doc: str, *layout: tuple[str, str], values: str = "") -> Kind:
    """Build the description of a message or an order: ``layout`` gives each field a name and a type.

    A code above 0xFF is two bytes on the wire: the code that says that there are more, and which one it is. ``values``
    is the type of the values that follow the fields.
    """
    # '<' also means no padding, as in the packed structs of the firmware.
    size = struct.Struct(("<B" if code <= 0xFF else "<H") + "".join(_FORMATS[field] for _, field in layout))
    # A partial runs in C; a method would be one more Python call for each message.
    return Kind(code, name, layout, size, partial(size.pack, code), doc, values)
