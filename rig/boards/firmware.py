"""The firmware files: built where sources and a compiler are present, otherwise the shipped ones."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rig.boards.boot2 import can_start
from rig.boards.chips import AVRS, CHIPS
from rig.boards.uf2 import MAGIC, MOST_BYTES, from_uf2
from rig.core.errors import ConfigError

COMPILER = "avr-g++"
TOOLS = "sudo apt install gcc-avr avr-libc arduino-core-avr make"
ARM_COMPILER = "arm-none-eabi-g++"
ARM_TOOLS = "sudo apt install gcc-arm-none-eabi libnewlib-arm-none-eabi make"
PACKAGE = Path(__file__).parents[1]

Run = Callable[[Sequence[str]], "subprocess.CompletedProcess[str]"]


def run_quietly(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a program and capture its output."""
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False
    )


def image_name(chip: str) -> str:
    """Return the name of the file of a chip's firmware: Intel HEX for AVRDUDE, or UF2 for the drive of a Pico."""
    return f"{chip}.hex" if chip in AVRS else f"{chip}.uf2"


def _which(program: str) -> str | None:
    return shutil.which(program)


@dataclass(frozen=True)
class FirmwareImage:
    """Firmware for one chip, and its origin."""

    chip: str
    path: Path
    origin: str

    @property
    def sha256(self) -> str:
        """Return the SHA-256 of the file."""
        return hashlib.sha256(self.path.read_bytes()).hexdigest()


@dataclass(frozen=True)
class FirmwareBuilder:
    """The folders of the firmware, and the programs that build it."""

    sources: Path = PACKAGE.parent / "firmware"
    shipped: Path = PACKAGE / "_firmware"
    which: Callable[[str], str | None] = field(default=_which)
    run: Run = field(default=run_quietly)

    def image(self, chip: str) -> FirmwareImage:
        """Return the firmware for a chip, built or shipped. Raises ``ConfigError``."""
        has_sources = (self.sources / "Makefile").is_file()
        compiler, tools = (COMPILER, TOOLS) if chip in AVRS else (ARM_COMPILER, ARM_TOOLS)
        # Sources first: in a checkout they may be newer than the shipped image.
        if has_sources and self.which(compiler) is not None:
            return self._built(chip)
        shipped = self.shipped / image_name(chip)
        if shipped.is_file():
            return FirmwareImage(chip, shipped, "shipped with this program")
        if has_sources:
            raise ConfigError(f"there is no compiler ({compiler}) for the firmware in {self.sources}: {tools}")
        raise ConfigError(f"this program was packed without firmware for the {chip}: give --hex FILE")

    def _built(self, chip: str) -> FirmwareImage:
        done = self.run(["make", "-C", str(self.sources), chip])
        path = self.sources / "build" / image_name(chip)
        if done.returncode != 0 or not path.is_file():
            output = (done.stderr or done.stdout).splitlines()[-10:]
            raise ConfigError(f"the firmware in {self.sources} cannot be built:", *output)
        return FirmwareImage(chip, path, f"built from {self.sources}")


def given_image(chip: str, path: Path) -> FirmwareImage:
    """Return a file of the user's as the firmware for a chip. Raises ``ConfigError`` for a file of another kind."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ConfigError(f"--hex {path}: is larger than any firmware ({MOST_BYTES:,} bytes)")
        data = path.read_bytes()
    except FileNotFoundError:
        raise ConfigError(f"--hex {path}: there is no such file") from None
    except OSError as error:
        raise ConfigError(f"--hex {path}: cannot be read: {error.strerror}") from None
    if chip not in AVRS:
        right = f"a {CHIPS[chip].board} takes the file {image_name(chip)} of `make -C firmware {chip}`"
        try:
            image = from_uf2(data)
        except ValueError as error:
            raise ConfigError(f"--hex {path}: {error}; {right}") from None
        if not can_start(image):
            why = "has a wrong checksum in its first 256 bytes, so that no Pico starts it"
            raise ConfigError(f"--hex {path}: {why}; {right}")
    elif not data.startswith(b":"):
        found = "a UF2 file, which is for a Pico (--chip pico)" if data.startswith(MAGIC) else "no Intel HEX file"
        raise ConfigError(f"--hex {path}: is {found}; an {CHIPS[chip].board} takes Intel HEX")
    return FirmwareImage(chip, path, "given by you")


def compiler_version(compiler: str, run: Run = run_quietly) -> str:
    """Return a compiler and its version; another version builds other bytes from the same sources."""
    return run([compiler, "--version"]).stdout.partition("\n")[0].strip()


def avrdude(image: FirmwareImage, port: str) -> list[str]:
    """Return the command that writes an image to the board on a port."""
    chip = AVRS[image.chip]
    bootloader = ("-p", chip.mcu, "-c", chip.programmer, "-P", port, "-b", str(chip.upload_baud))
    # -D as in Arduino's platform.txt: the bootloaders erase page by page, not the whole chip.
    return ["avrdude", *bootloader, "-D", "-U", f"flash:w:{image.path}:i"]


def hash_of_sources(sources: Path) -> str:
    """Return the hash of all sources of the firmware, with their names."""
    targets = sources / "targets"
    folders = (sources / "core", targets, targets / "avr", targets / "rp2040")
    files = (sources / "Makefile", sources / "firmware.ino", *(file for folder in folders for file in folder.glob("*")))
    digest = hashlib.sha256()
    # Not in the order of paths, which is another one on Windows: there capital letters do not count.
    for name, file in sorted((file.relative_to(sources).as_posix(), file) for file in files if file.is_file()):
        digest.update(f"{name}\0".encode())
        # A checkout on Windows has other line ends, and must give the same hash.
        digest.update(file.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()
