"""The firmware's binary, built from its sources when it is older than they are; without them, the shipped one."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from filelock import FileLock

from rig.boards.chips import AVRS
from rig.boards.firmware import FirmwareBuilder, image_name
from rig.core.errors import ConfigError
from sim_hardware.avr.build import APT, NoSimulatorError
from sim_hardware.checkout import checkout_folder

FOLDER = checkout_folder("firmware")


def firmware(kind: str) -> Path:
    """Return the firmware for a kind of chip. Raises ``ConfigError`` with what to install."""
    _need_sources(kind)
    elf = FOLDER / "build" / f"{kind}.elf"
    return elf if _current(elf) else _built(kind, elf)


def firmware_hex(kind: str) -> Path:
    """Return the same program as an Intel HEX file; where nothing can build it, the shipped one.

    Raises ``ConfigError`` with what to install.
    """
    if not _has_sources() or shutil.which(_AVR_COMPILER) is None:
        return FirmwareBuilder().shipped / image_name(kind)
    # It is written after the other one and not at once, so its presence does not show that it is complete.
    return _built(kind, firmware(kind).with_suffix(".hex"))


def firmware_image(image: str = "pico") -> Path:
    """Return the content of a Pico's flash with the firmware: ``pico`` or ``pico-uart``, by its port.

    Raises ``ConfigError`` with what to install.
    """
    return _built(image, firmware(image).with_suffix(".bin"))


def _need_sources(kind: str) -> None:
    if not _has_sources():
        text = "the firmware's sources are not part of the wheel; install this program from a checkout"
        raise NoSimulatorError(f"--board {_driver(kind)}: {text}")


def _has_sources() -> bool:
    return (FOLDER / "Makefile").exists()


def _built(kind: str, path: Path) -> Path:
    path.parent.mkdir(exist_ok=True)
    with FileLock(path.parent / ".lock"):
        # Another process may have built it while this one waited for the lock.
        if not _current(path):
            _make(kind)
    return path


def _current(path: Path) -> bool:
    return path.exists() and all(source.stat().st_mtime <= path.stat().st_mtime for source in _sources())


def _sources() -> list[Path]:
    return [FOLDER / "Makefile", *FOLDER.glob("*.ino"), *FOLDER.glob("core/*"), *FOLDER.glob("targets/**/*")]


_AVR_COMPILER = "avr-gcc"
_PICO_APT = "sudo apt-get install -y --no-install-recommends make gcc-arm-none-eabi libnewlib-arm-none-eabi"


def _driver(kind: str) -> str:
    return "avr" if kind in AVRS else "pico"


def need_tools(kind: str) -> None:
    """Check that the firmware for a kind of chip can be built. Raises ``NoSimulatorError`` with what to install."""
    _need_sources(kind)
    avr, arm = (_AVR_COMPILER, "the compiler for AVR (gcc-avr)"), ("arm-none-eabi-g++", "the compiler for its chip")
    for tool, word in (avr if kind in AVRS else arm, ("make", "make")):
        if shutil.which(tool) is None:
            text = f"{word} is not installed. On Debian and Ubuntu: {_install(kind)}"
            raise NoSimulatorError(f"--board {_driver(kind)}: {text}")


def _install(kind: str) -> str:
    return APT if kind in AVRS else _PICO_APT


def _make(kind: str) -> None:
    need_tools(kind)
    # Flags and job server of a make that runs this program are not meant for this make.
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
    ran = subprocess.run(
        ["make", "-C", str(FOLDER), kind], capture_output=True, text=True, check=False, env=environment
    )
    if ran.returncode:
        text = f"the firmware does not build; is all of this installed? {_install(kind)}\n{ran.stderr.strip()}"
        raise ConfigError(f"--board {_driver(kind)}: {text}")
