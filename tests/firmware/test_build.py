"""The firmware compiles for both boards and leaves them room."""

import re
from pathlib import Path

import pytest

from rig.boards.chips import AVRS
from rig.boards.firmware import ARM_COMPILER, COMPILER, PACKAGE, compiler_version
from rig.boards.uf2 import from_uf2
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
        assert_shipped(program, COMPILER)


def test_that_of_a_pico_is_compiled_without_a_warning_and_is_what_is_shipped() -> None:
    needs("arm-none-eabi-g++", "make")
    make_shared("pico")
    program = FIRMWARE / "build" / "pico.uf2"
    assert_for_a_drive(program)
    assert_shipped(program, ARM_COMPILER)


def test_that_of_a_pico_with_a_uart_can_be_copied_to_its_drive() -> None:
    needs("arm-none-eabi-g++", "make")
    make_shared("pico-uart")
    assert_for_a_drive(FIRMWARE / "build" / "pico-uart.uf2")


def assert_for_a_drive(program: Path) -> None:
    """Check that a UF2 file has the content of the flash beside it."""
    image = from_uf2(program.read_bytes())
    assert image.rstrip(b"\0") == program.with_suffix(".bin").read_bytes().rstrip(b"\0")


def assert_shipped(program: Path, compiler: str) -> None:
    """Compare a program with the shipped one, if the same compiler has built it: another one makes other bytes."""
    if compiler_version(compiler) in (SHIPPED / "compiler.txt").read_text().splitlines():
        assert program.read_bytes() == (SHIPPED / program.name).read_bytes()


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
