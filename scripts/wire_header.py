"""The wire's description as the firmware needs it, and examples of everything that travels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from textwrap import wrap
from typing import Any

from rig.boards.wire import frame, go_back_n
from rig.boards.wire import messages as wire

FIRMWARE = Path(__file__).parents[1] / "firmware"

_TYPES = {"u8": "uint8_t", "u16": "uint16_t", "i16": "int16_t", "u32": "uint32_t", "i32": "int32_t"}
# All bits set: the top of each range, and -1 in a signed field.
_MOST = {"u8": 0xFF, "u16": 0xFFFF, "i16": -1, "u32": 0xFFFF_FFFF, "i32": -1}
_CODES = {"": {**wire.TO_BOARD, **wire.TO_HOST}, "ORDER_": wire.ORDERS}

_LIMITS: tuple[tuple[str, int, str], ...] = (
    ("VERSION", wire.VERSION, "Raised whenever a byte changes its meaning."),
    ("LONGEST_PAYLOAD", frame.LONGEST_PAYLOAD, "No payload is longer."),
    ("LONGEST_FRAME", frame.LONGEST_FRAME, "No frame is longer; its delimiter is not counted."),
    ("CRC_START", 0xFFFF, "CRC-16: polynomial 0x1021, high bit first, starts with this,"),
    ("CRC_XOR", 0xFFFF, "ends with this, and follows the payload, little-endian."),
    ("WINDOW_BYTES", go_back_n.WINDOW_BYTES, "The most bytes of batches that the host leaves unacknowledged,"),
    ("WINDOW_FRAMES", go_back_n.WINDOW_FRAMES, "and the most frames: the board keeps its answers to the last ones."),
    ("ROOM_BYTES", go_back_n.ROOM_BYTES, "The most that the orders of one frame take."),
    ("MORE", wire.MORE, "The first byte of orders of the second table; their codes have it as their low byte."),
    ("NAME_BYTES", wire.NAME_BYTES, "A board's name, filled up with zeros."),
    ("FIRST_EVENT", wire.FIRST_EVENT, "Messages from here on are events: numbered, and repeated until EVENT_ACK."),
    ("LAST_EVENT", wire.EVENTS[-1].code, "The largest code of an event."),
)

_TOP = """\
// SPDX-License-Identifier: BSD-3-Clause
//
// Generated from rig/boards/wire/messages.py by make pages: do not edit.
//
"""

_START = """
#pragma once

#include <stdint.h>

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "these structs lie in memory as they travel only where numbers are little-endian"
#endif

namespace wire {

"""


def header() -> str:
    """Write the C++ header."""
    text = [_TOP, *_comment(_about()), _START]
    text += [f"{_number(name, value)}  // {doc}\n" for name, value, doc in _LIMITS]
    text += ["\n", *(_number(name, value) + "\n" for name, value in wire.CONSTANTS.items())]
    text += ["\n// --- host to board ---\n", *map(_struct, wire.TO_BOARD.values())]
    text += ["\n// --- board to host ---\n", *map(_struct, wire.TO_HOST.values())]
    text += ["\n// --- orders, in a BATCH ---\n", *(_struct(kind, "ORDER_") for kind in wire.ORDERS.values())]
    text += [
        _sizes("message_size", "a message (of BATCH, SAMPLES and COUNTS: its head)", ""),
        _sizes("order_size", "an order", "ORDER_"),
    ]
    return "".join(text) + "\n}  // namespace wire\n"


def _about() -> str:
    first, _, rest = (wire.__doc__ or "").partition(" All numbers ")
    return f"{first.splitlines()[0]}\n\nAll numbers {rest}"


def _comment(text: str) -> Iterator[str]:
    for place, paragraph in enumerate(text.strip().split("\n\n")):
        if place:
            yield "//\n"
        for line in wrap(paragraph.replace("``", ""), 110):
            yield f"// {line}\n"


def _number(name: str, value: int) -> str:
    size = "uint8_t" if value <= 0xFF else "uint16_t"
    return f"constexpr {size} {name} = {value if value < 0x80 else f'0x{value:02X}'};"


def _struct(kind: wire.Kind, prefix: str = "") -> str:
    name = _name(kind, prefix)
    fields = "".join(f"  {_field(field, form)};\n" for field, form in kind.layout)
    code = "uint8_t" if kind.code <= 0xFF else "uint16_t"
    return (
        f"\n{''.join(_comment(kind.doc))}"
        f"constexpr {code} {prefix or 'CODE_'}{kind.name} = 0x{kind.code:02X};\n"
        f"struct __attribute__((packed)) {name} {{\n  {code} code;\n{fields}}};\n"
        f'static_assert(sizeof({name}) == {kind.size.size}, "{name} lies in memory as it travels");\n'
    )


def _field(name: str, form: str) -> str:
    return f"{_TYPES[form]} {name}" if form in _TYPES else f"char {name}[NAME_BYTES]"


def _name(kind: wire.Kind, prefix: str) -> str:
    return "".join(word.capitalize() for word in f"{prefix}{kind.name}".split("_"))


def _sizes(function: str, what: str, prefix: str) -> str:
    # One expression: in C++11, which avr-gcc 5.4 compiles, a constexpr function has a single return statement.
    cases = "\n         : ".join(
        f"code == {prefix or 'CODE_'}{kind.name} ? sizeof({_name(kind, prefix)})" for kind in _CODES[prefix].values()
    )
    return (
        f"\n// The bytes of {what} with this code, 0 when there is none.\n"
        f"constexpr uint8_t {function}({_code_type(prefix)} code) {{\n  return {cases}\n         : 0;\n}}\n"
    )


def _code_type(prefix: str) -> str:
    return "uint8_t" if max(_CODES[prefix]) <= 0xFF else "uint16_t"


def vectors() -> str:
    """Write the examples: what travels, its fields, its payload, its frame."""
    head = "# Generated by make pages: do not edit.\n# name fields payload frame\n"
    return head + "".join(f"{line}\n" for line in _vectors())


def _vectors() -> Iterator[str]:
    for kind in _CODES[""].values():
        for values in _examples(kind):
            yield _example(kind, values)
    for kind in _CODES["ORDER_"].values():
        for values in _examples(kind):
            yield _vector(f"BATCH/{kind.name}", values, _batch(kind.pack(*values)))
    yield _vector("BATCH/LOAD", (7, 2), _batch(_LOAD))
    yield _vector("BATCH/ARM", (1, 1, 0x01020304, 3), _batch(_ARM))
    disarm, light = wire.ORDER_DISARM.pack(9), wire.ORDER_SET.pack(2 | wire.LEVEL)
    yield _vector("BATCH/MEMBERS", (1, 3), _batch(wire.ORDER_MEMBERS.pack(1, 3) + _MEMBERS))
    yield _vector("BATCH/ENTRIES", (7, 2), _batch(wire.ORDER_ENTRIES.pack(7, 2) + _ENTRIES))
    yield _vector("BATCH/SET", (2,), _batch(wire.ORDER_SET.pack(2), more=wire.MORE_FRAMES))
    yield _vector("BATCH/DISARM/ARM/SET", (9, 1, 1, 0x01020304, 3, 2 | wire.LEVEL), _batch(disarm, _ARM, light))


def _example(kind: wire.Kind, fields: tuple[Any, ...]) -> str:
    """Return the example of a message; in a block two values take the place of their number."""
    if not kind.values:
        return _vector(kind.name, fields, kind.pack(*fields))
    values = _MOST[kind.values], 1000
    return _vector(kind.name, (*fields[:-1], *values), kind.pack_values(*fields[:-1], values=values))


_PULSE = wire.ORDER_PULSE.pack(4, 30_000)
_MEMBERS = b"".join(
    (
        bytes((0 | wire.LEVEL,)) + _PULSE,
        bytes((1 | wire.LEVEL,)) + wire.ORDER_SET.pack(2),
        bytes((1,)) + wire.ORDER_NOTHING.pack(),
    )
)
_ARM = wire.ORDER_ARM.pack(1, 1, 0x01020304, 3) + _MEMBERS
_ENTRIES = b"".join(
    (
        bytes(4) + _PULSE,
        (1_000_000).to_bytes(4, "little") + wire.ORDER_SET.pack(5),
    )
)


_LOAD = wire.ORDER_LOAD.pack(7, 2) + _ENTRIES


def _batch(*orders: bytes, more: int = 0) -> bytes:
    return wire.BATCH.pack(1, 2, 3, 0x0400, len(orders) | more) + b"".join(orders)


def _examples(kind: wire.Kind) -> Iterable[tuple[Any, ...]]:
    """Return a kind's fields all zero, all at the top of their range, and all different."""
    # But by nothing here: their count is 0.
    followed = kind in (wire.BATCH, wire.ORDER_LOAD, wire.ORDER_ARM, wire.ORDER_MEMBERS, wire.ORDER_ENTRIES)
    # Without duplicates: a message without fields has one example, not three.
    return dict.fromkeys(
        tuple(
            0 if followed and name == "count" else _value(form, place, step)
            for place, (name, form) in enumerate(kind.layout, 1)
        )
        for step in range(3)
    )


def _value(form: str, place: int, step: int) -> object:
    if form in _TYPES:
        # Multiples differ from field to field, so swapped fields fail; bit 15 is cleared for the signed type.
        return (0, _MOST[form], 0x3039 * place & 0x7FFF & _MOST[form])[step]
    return (b"", b"longname", b"uno")[step]


def _vector(name: str, values: Iterable[object], payload: bytes) -> str:
    fields = ",".join(f'"{value.decode()}"' if isinstance(value, bytes) else str(value) for value in values)
    return f"{name} {fields or '-'} {payload.hex()} {frame.encode(payload).hex()}"


def pages() -> Mapping[Path, str]:
    """Return both files."""
    return {FIRMWARE / "core" / "messages.h": header(), FIRMWARE / "test" / "vectors.txt": vectors()}
