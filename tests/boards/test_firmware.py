"""Which firmware is written, and with which command."""

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from rig.boards.firmware import (
    PACKAGE,
    FirmwareBuilder,
    FirmwareImage,
    avrdude,
    given_image,
    hash_of_sources,
    image_name,
)
from rig.boards.uf2 import to_uf2
from rig.core.errors import ConfigError


class Make:
    """A compiler that makes a file, or fails."""

    def __init__(self, fails: str | None = None) -> None:
        self.fails = fails
        self.commands: list[list[str]] = []

    def __call__(self, command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        self.commands.append(list(command))
        if self.fails is None:
            built = Path(command[2]) / "build" / image_name(command[3])
            built.parent.mkdir(exist_ok=True)
            built.write_text(":00000001FF\n")
        return subprocess.CompletedProcess(command, 0 if self.fails is None else 2, "", self.fails or "")


def builder(
    tmp_path: Path, *, sources: bool, compiler: bool, shipped: bool, make: Make | None = None
) -> FirmwareBuilder:
    for name in ("firmware", "_firmware"):
        (tmp_path / name).mkdir()
    if sources:
        (tmp_path / "firmware" / "Makefile").touch()
    if shipped:
        (tmp_path / "_firmware" / "uno.hex").write_text(":01\n")
    which = {name: f"/usr/bin/{name}" for name in ("avr-g++", "arm-none-eabi-g++") if compiler}.get
    return FirmwareBuilder(tmp_path / "firmware", tmp_path / "_firmware", which, make or Make())


@pytest.mark.parametrize(("chip", "file"), [("mega", "mega.hex"), ("pico", "pico.uf2")])
def test_a_checkout_with_a_compiler_builds_it(tmp_path: Path, chip: str, file: str) -> None:
    make = Make()
    image = builder(tmp_path, sources=True, compiler=True, shipped=True, make=make).image(chip)
    assert make.commands == [["make", "-C", str(tmp_path / "firmware"), chip]]
    assert (image.chip, image.path) == (chip, tmp_path / "firmware" / "build" / file)


@pytest.mark.parametrize("sources", [True, False])
def test_without_a_compiler_the_shipped_one_is_taken(tmp_path: Path, sources: bool) -> None:
    image = builder(tmp_path, sources=sources, compiler=False, shipped=True).image("uno")
    assert image.path == tmp_path / "_firmware" / "uno.hex"


@pytest.mark.parametrize(
    ("chip", "packages"),
    [
        ("uno", "gcc-avr avr-libc arduino-core-avr make"),
        ("pico", "gcc-arm-none-eabi libnewlib-arm-none-eabi make"),
    ],
)
def test_a_checkout_with_neither_says_what_to_install(tmp_path: Path, chip: str, packages: str) -> None:
    with pytest.raises(ConfigError, match=f"sudo apt install {packages}"):
        builder(tmp_path, sources=True, compiler=False, shipped=False).image(chip)


def test_a_program_packed_without_firmware_says_so(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="packed without firmware for the uno: give --hex FILE"):
        builder(tmp_path, sources=False, compiler=True, shipped=False).image("uno")


def test_what_the_compiler_says_is_shown(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot be built:\nchip.cpp:7: error"):
        builder(tmp_path, sources=True, compiler=True, shipped=True, make=Make("chip.cpp:7: error")).image("uno")


@pytest.mark.parametrize(("chip", "words"), [("uno", "-p atmega328p -c arduino"), ("mega", "-p atmega2560 -c wiring")])
def test_each_chip_has_its_bootloader(chip: str, words: str) -> None:
    command = " ".join(avrdude(FirmwareImage(chip, Path("x.hex"), ""), "/dev/ttyACM0"))
    assert command == f"avrdude {words} -P /dev/ttyACM0 -b 115200 -D -U flash:w:x.hex:i"


@pytest.mark.parametrize(
    ("chip", "data", "why"),
    [
        (
            "pico",
            b":00000001FF\n",
            "is no UF2 file; a Raspberry Pi Pico takes the file pico.uf2 of `make -C firmware pico`",
        ),
        ("pico", to_uf2(bytes(512)), "has a wrong checksum in its first 256 bytes, so that no Pico starts it; a"),
        ("uno", to_uf2(b"x"), r"is a UF2 file, which is for a Pico \(--chip pico\); an Arduino Uno takes Intel HEX"),
        ("mega", b"\x7fELF", "is no Intel HEX file; an Arduino Mega takes Intel HEX"),
        ("pico", None, "cannot be read: "),
    ],
)
def test_a_file_of_another_kind_is_refused(tmp_path: Path, chip: str, data: bytes | None, why: str) -> None:
    path = tmp_path if data is None else tmp_path / "mine"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(ConfigError, match=f"--hex {re.escape(str(path))}: {why}"):
        given_image(chip, path)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "mine"
    path.touch()
    os.truncate(path, 300_000_000)
    for chip in ("uno", "pico"):
        with pytest.raises(ConfigError, match=r"is larger than any firmware \(4,194,304 bytes\)"):
            given_image(chip, path)


@pytest.mark.parametrize("folder", ["core", "targets/avr", "targets/rp2040"])
def test_a_changed_source_changes_the_hash(tmp_path: Path, folder: str) -> None:
    source = tmp_path / folder / "board.cpp"
    source.parent.mkdir(parents=True)
    source.write_text("int a;\n")
    before = hash_of_sources(tmp_path)
    source.write_text("int b;\n")
    assert hash_of_sources(tmp_path) != before
    source.write_bytes(b"int a;\r\n")
    assert hash_of_sources(tmp_path) == before


def test_what_is_shipped_is_built_from_these_sources() -> None:
    noted = PACKAGE / "_firmware" / "sources.sha256"
    assert noted.read_text().strip() == hash_of_sources(PACKAGE.parent / "firmware"), "run: make pages"
