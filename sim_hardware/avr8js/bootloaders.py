"""The bootloaders of Debian's ``arduino-core-avr``, and where a chip starts behind each of them."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from rig.boards.chips import AVRS
from rig.core.errors import ConfigError
from rig.platform.files import move_path
from sim_hardware.avr.build import missing
from sim_hardware.avr.firmware import FOLDER

ARDUINO = Path(os.environ.get("ARDUINO_AVR", "/usr/share/arduino/hardware/arduino/avr"))
"""Arduino's core for AVR; the variable names another folder."""


@dataclass(frozen=True)
class Bootloader:
    """One bootloader. ``board`` is the beginning of its keys in boards.txt, which name its file and its fuses."""

    name: str
    kind: str
    board: str
    is_built: bool = False
    """Whether it is built from its sources, because Debian's file cannot be flashed."""

    def hex(self) -> Path:
        """Return its Intel HEX file. Raises ``ConfigError`` with what to install."""
        path = ARDUINO / "bootloaders" / self._entries()["file"]
        if not path.exists():
            raise missing("arduino-core-avr")
        return _built(path.parent) if self.is_built else path

    @property
    def start(self) -> int:
        """Return the byte address at which a chip with its fuses starts."""
        return start_address(self.kind, int(self._entries()["high_fuses"], 16))

    def _entries(self) -> dict[str, str]:
        # A chip in Arduino's menu adds to the entries of its board.
        prefix = f"{self.board}.bootloader."
        try:
            lines = (ARDUINO / "boards.txt").read_text().splitlines()
        except OSError:
            raise missing("arduino-core-avr") from None
        return dict(line.removeprefix(prefix).split("=", 1) for line in lines if line.startswith(prefix))


BOOTLOADERS = {
    bootloader.name: bootloader
    for bootloader in (
        Bootloader("optiboot", "uno", "uno", is_built=True),
        Bootloader("atmegaboot", "uno", "nano.menu.cpu.atmega328old"),
        Bootloader("stk500v2", "mega", "mega.menu.cpu.atmega2560"),
    )
}
"""That of an Uno and a new Nano, that of an old Nano, and that of a Mega."""

# Words of the boot section by the fuse bits BOOTSZ1 and BOOTSZ0. ATmega328P datasheet, table Boot Size Configuration,
# ATmega328P; ATmega2560, the table of the same name.
_BOOT_WORDS = {"uno": (2048, 1024, 512, 256), "mega": (4096, 2048, 1024, 512)}


def start_address(kind: str, high_fuse: int) -> int:
    """Return the byte address at which a chip starts: 0, or its boot section if the fuse BOOTRST is programmed."""
    # A programmed fuse reads as zero.
    if high_fuse & 1:
        return 0
    return AVRS[kind].flash_bytes - 2 * _BOOT_WORDS[kind][(high_fuse >> 1) & 3]


# Debian's optiboot_atmega328.hex ends 20 bytes behind the flash: its compiler makes more code than Arduino's did. With
# the last four of these it has 512 bytes, which fits if its version word is left out.
_FLAGS = ["-Os", "-fno-inline-small-functions", "-fno-split-wide-types", "-mrelax"]
_SHORTER = ["-fno-caller-saves", "-fno-ivopts", "-fno-tree-scev-cprop", "-fno-move-loop-invariants"]
_SETTINGS = ["-mmcu=atmega328p", "-DF_CPU=16000000L", "-DLED_START_FLASHES=3", "-DBAUD_RATE=115200"]
_LINK = ["-Wl,--section-start=.text=0x7e00", "-Wl,--section-start=.version=0x8000", "-Wl,--relax", "-nostartfiles"]


def _built(sources: Path) -> Path:
    """Build optiboot with the settings of its Makefile's target atmega328."""
    built = FOLDER / "build" / "optiboot_atmega328.hex"
    built.parent.mkdir(exist_ok=True)
    with FileLock(built.parent / ".lock"):
        if not built.exists():
            elf, part = built.with_suffix(".elf"), built.with_suffix(".part")
            source = str(sources / "optiboot.c")
            _run("avr-gcc", "-w", *_FLAGS, *_SHORTER, *_SETTINGS, *_LINK, "-o", str(elf), source)
            _run("avr-objcopy", "-j", ".text", "-O", "ihex", str(elf), str(part))
            move_path(part, built)
    return built


def _run(*command: str) -> None:
    try:
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise missing(f"{command[0]} (gcc-avr, binutils-avr)") from None
    if ran.returncode:
        raise ConfigError(f"optiboot does not build:\n{ran.stderr.strip()}")
