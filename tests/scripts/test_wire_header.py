import shutil
import subprocess
from pathlib import Path

import pytest

from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.boards.wire.orders import read_orders
from scripts import wire_header as header

KINDS = [(kind, "CODE_") for kind in (*wire.TO_BOARD.values(), *wire.TO_HOST.values())]
KINDS += [(kind, "ORDER_") for kind in wire.ORDERS.values()]


# --- the header ---------------------------------------------------------------------------------------------


def test_it_says_what_it_is():
    lines = header.header().splitlines()
    assert lines[0] == "// SPDX-License-Identifier: BSD-3-Clause"
    assert "do not edit" in lines[2]
    assert "#pragma once" in lines
    assert max(map(len, lines)) <= 120


def test_everything_that_both_sides_must_agree_on_is_in_it():
    text = header.header()
    for kind, prefix in KINDS:
        code_type = "uint8_t" if kind.code <= 0xFF else "uint16_t"
        assert f"constexpr {code_type} {prefix}{kind.name} = 0x{kind.code:02X};" in text
        assert kind.doc.split()[0] in text
    for name in (*wire.CONSTANTS, "VERSION", "LONGEST_PAYLOAD", "WINDOW_BYTES", "ROOM_BYTES", "WINDOW_FRAMES"):
        assert f" {name} = " in text


def struct_name(kind: wire.Kind, prefix: str) -> str:
    name = kind.name if prefix == "CODE_" else prefix + kind.name
    return "".join(word.capitalize() for word in name.split("_"))


def program() -> tuple[str, list[str]]:
    """A program that reads an example of every struct, and what it must say."""
    lines, expected = [f'#include "{name}"' for name in ("messages.h", "messages.h", "stdio.h", "string.h")], []
    lines.append("int main() {")
    for kind, prefix in KINDS:
        values = [example(form, place) for place, (_, form) in enumerate(kind.layout, 1)]
        payload = kind.pack(*values)
        name, size = struct_name(kind, prefix), "message_size" if prefix == "CODE_" else "order_size"
        lines.append(f"{{ const unsigned char bytes[] = {{{','.join(map(str, payload))}}};")
        lines.append(f"  wire::{name} it; memcpy(&it, bytes, sizeof it);")
        lines.append(f'  printf("{kind.name} %d %d", it.code, wire::{size}(wire::{prefix}{kind.name}));')
        for field, form in kind.layout:
            form = '%s", it.' if form.startswith("char") else '%ld", (long)it.'
            lines.append(f'  printf(" {form}{field});')
        lines.append('  printf("\\n"); }')
        told = [value.decode() if isinstance(value, bytes) else str(value) for value in values]
        expected.append(" ".join([kind.name, str(kind.code), str(kind.size.size), *told]))
    lines.append('printf("%d %d\\n", wire::message_size(0x9F), wire::order_size(0xFF)); }')
    return "\n".join(lines) + "\n", [*expected, "0 0"]


def example(form: str, place: int) -> int | bytes:
    return b"uno" if form.startswith("char") else 0x11 * place if form == "u8" else 0x1122 + place


@pytest.fixture(params=["g++", "clang++"])
def compiler(request):
    if shutil.which(request.param) is None:
        pytest.skip(f"there is no {request.param} here")
    return request.param


def test_a_compiler_reads_every_field_where_python_wrote_it(compiler, tmp_path):
    (tmp_path / "messages.h").write_text(header.header())
    source, expected = program()
    (tmp_path / "main.cpp").write_text(source)
    strict = ["-std=c++11", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-pedantic", "-Werror"]
    built = subprocess.run(
        [compiler, *strict, "-o", tmp_path / "main", tmp_path / "main.cpp"], capture_output=True, text=True
    )
    assert built.returncode == 0, built.stderr
    said = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True).stdout
    assert said.splitlines() == expected


def test_a_microcontroller_compiler_takes_it(tmp_path):
    if shutil.which("avr-g++") is None:
        pytest.skip("there is no avr-g++ here")
    source = Path(tmp_path / "main.cpp")
    (tmp_path / "messages.h").write_text(header.header())
    source.write_text('#include "messages.h"\nint main() { return wire::message_size(wire::CODE_EDGE); }\n')
    command = ["avr-g++", "-mmcu=atmega328p", "-std=c++11", "-Os", "-Wall", "-Werror", "-c", source, "-o", "/dev/null"]
    built = subprocess.run(command, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr


# --- the examples -------------------------------------------------------------------------------------------


def vectors() -> list[tuple[str, str, bytes, bytes]]:
    lines = [line.split(" ") for line in header.vectors().splitlines() if not line.startswith("#")]
    return [(name, fields, bytes.fromhex(payload), bytes.fromhex(framed)) for name, fields, payload, framed in lines]


def test_every_example_is_a_frame_that_both_sides_understand():
    for name, _, payload, framed in vectors():
        assert frame.Deframer().feed(framed) == [payload], name
        message = wire.unpack(payload, {**wire.TO_BOARD, **wire.TO_HOST})
        assert message is not None, name
        assert name.split("/")[0] == {**wire.TO_BOARD, **wire.TO_HOST}[message[0]].name
        if message[0] == wire.BATCH.code:
            assert read_orders(payload, wire.BATCH.size.size, message[5] & ~wire.MORE_FRAMES) is not None, name


def test_there_is_an_example_of_everything():
    named = {part for name, *_ in vectors() for part in name.split("/")}
    assert named == {kind.name for kind, _ in KINDS}


def test_the_fields_of_an_example_are_those_of_its_payload():
    kinds = {**wire.TO_BOARD, **wire.TO_HOST}
    for name, fields, payload, _ in vectors():
        if "/" not in name:
            _, *values = wire.unpack(payload, kinds)
            values[-1:] = values[-1] if kinds[payload[0]].values else values[-1:]
            told = [f'"{v.rstrip(bytes(1)).decode()}"' if isinstance(v, bytes) else str(v) for v in values]
            assert fields == (",".join(told) or "-"), name
