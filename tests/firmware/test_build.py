"""The firmware compiles for both boards and leaves them room."""

import re

import pytest

from rig.boards.chips import AVRS
from rig.boards.firmware import PACKAGE, compiler
from tests.firmware.tools import FIRMWARE, make_shared, needs

SHIPPED = PACKAGE / "_firmware"
MOST_FLASH, MOST_RAM = 92.0, 88.0
"""Percent; the rest of the memory is the stack's."""

LIMITS = FIRMWARE / "targets" / "avr"


def test_it_is_compiled_without_a_warning_fits_and_is_what_is_shipped() -> None:
    needs("avr-gcc", "avr-g++", "avr-size", "make")
    for board in AVRS:
        printed = make_shared(board)
        shares = re.search(rf"{board}: flash \d+ of \d+ bytes \((.*) %\), RAM \d+ of \d+ bytes \((.*) %\)", printed)
        assert shares, printed
        flash, ram = map(float, shares.groups())
        assert flash <= MOST_FLASH
        assert ram <= MOST_RAM
        program = FIRMWARE / "build" / f"{board}.hex"
        assert program.stat().st_size > 10_000
        if compiler() == (SHIPPED / "compiler.txt").read_text().strip():  # another one makes other bytes
            assert program.read_bytes() == (SHIPPED / f"{board}.hex").read_bytes()


@pytest.mark.parametrize("board", AVRS)
def test_it_holds_what_the_rig_knows_beforehand(board: str) -> None:
    part = (LIMITS / f"limits_{board}.h").read_text()
    numbers = {name: int(value) for name, value in re.findall(r"([A-Z_]+) = (\d+)", part)}
    chip = AVRS[board]
    held = tuple(numbers[name] for name in ("CHANNELS", "REFLEXES", "ENTRIES", "EVENTS", "OPENINGS"))
    assert held == (chip.channels, chip.reflexes, chip.entries, chip.events, chip.openings)


def test_the_core_knows_no_arduino_and_no_processor() -> None:
    for path in (FIRMWARE / "core").iterdir():
        assert not re.search(r"#include <(Arduino|avr/|util/)|__AVR", path.read_text()), path.name


def test_every_file_is_short() -> None:
    for path in FIRMWARE.rglob("*"):
        if path.suffix in {".cpp", ".h", ".ino"} and path.name != "messages.h" and "build" not in path.parts:
            lines = path.read_text().splitlines()
            most = 400 if "test" in path.parts else 300
            assert len(lines) <= most, path.name
            assert all(len(line) <= 120 for line in lines), path.name
