"""The drive of a Raspberry Pi Pico that waits for its firmware: find it, and write a file to it.

A Pico is a drive while its flash is empty, or when its button BOOTSEL was held while it was plugged in. Its boot ROM
writes the blocks of a UF2 file into the flash. After the last one it starts the program, and the drive is gone. Source:
RP2040 datasheet, 2.8.4 (USB Mass Storage Interface).
"""

from __future__ import annotations

import errno
import os
import re
import string
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rig.core.errors import BoardError
from rig.platform.ports import is_removable
from rig.platform.system import SYSTEM

INFO = "INFO_UF2.TXT"
PICO = "RPI-RP2"
"""The Board-ID in `INFO`, and the name of the drive. Those of an RP2350 are RP2350."""
HOLD_BOOTSEL = "hold the button BOOTSEL while you plug the Pico in, then type the same line again"

_INFO_BYTES = 4_096
_NAMES = (PICO, "RP2350")
_READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)


@dataclass(frozen=True)
class BootDrive:
    """A drive that takes UF2 files, or the device of such a drive that is not mounted."""

    path: Path
    board_id: str
    is_mounted: bool = True

    @property
    def is_pico(self) -> bool:
        """Whether it is that of an RP2040."""
        return self.board_id == PICO

    @property
    def mount_command(self) -> str:
        """Return the command that mounts it."""
        return f"udisksctl mount -b {self.path}"

    @property
    def flash_command(self) -> str:
        """Return the commands that write the firmware to it."""
        return "rig board flash" if self.is_mounted else f"{self.mount_command}, then rig board flash"

    def write(self, data: bytes) -> OSError | None:
        """Write a UF2 file. Raises ``BoardError``.

        Return the error that came when the system had all bytes, but perhaps not the Pico: either the cable was pulled,
        or the Pico has started its program early.
        """
        sent = 0
        try:
            with open(self.path / "firmware.uf2", "wb", buffering=0) as file:
                while sent < len(data):
                    sent += file.write(data[sent:])
                os.fsync(file.fileno())
        except OSError as error:
            if sent < len(data) or error.errno in (*_READ_ONLY, errno.ENOSPC):
                raise BoardError(f"{self.path}: {_why(error)}; {HOLD_BOOTSEL}") from error
            return error
        return None


def _why(error: OSError) -> str:
    if error.errno == errno.ENOSPC:
        return "is full, which the drive of a Pico that waits never is"
    if error.errno in _READ_ONLY:
        return f"cannot be written ({error.strerror}): is it mounted for another user, or only for reading?"
    return f"took only a part of the firmware ({error.strerror}): was the cable pulled? This cannot damage a Pico"


def boot_drives(folders: Callable[[], Iterable[Path]] | None = None, root: Path = Path("/")) -> list[BootDrive]:
    """Return the drives that take UF2 files, sorted by name; last, a Pico's that Linux has not mounted."""
    ids = ((folder, _board_id(folder)) for folder in (folders or mounted_folders)())
    found = sorted((BootDrive(folder, name) for folder, name in ids if name is not None), key=lambda drive: drive.path)
    device = root / "dev/disk/by-label" / PICO
    if any(drive.is_pico for drive in found) or not device.exists():
        return found
    return [*found, BootDrive(device, PICO, is_mounted=False)]


def drive_at(folder: Path) -> BootDrive | None:
    """Return the drive at a folder; None for a folder that is no such drive."""
    board_id = _board_id(folder)
    return None if board_id is None else BootDrive(folder, board_id)


def _board_id(folder: Path) -> str | None:
    info = folder / INFO
    try:
        # Any drive may have a file of this name: the reading of a FIFO would not end.
        if not info.is_file():
            return None
        with info.open("rb") as file:
            text = file.read(_INFO_BYTES).decode("ascii", "replace")
    except OSError:
        return None
    found = re.search(r"^Board-ID:\s*(\S+)", text, re.MULTILINE)
    return None if found is None else found[1]


def mounted_folders(
    system: str = SYSTEM, root: Path = Path("/"), is_removable: Callable[[str], bool] = is_removable
) -> Iterator[Path]:
    """Yield the folders at which drives such as a Pico's are mounted; no other drive, as one of a network may hang."""
    if system == "win32":
        drives = (f"{letter}:\\" for letter in string.ascii_uppercase)
        yield from (Path(drive) for drive in drives if is_removable(drive))
    elif system == "linux":
        for line in _lines(root / "proc/mounts"):
            _, folder, kind, *_ = line.split()
            if kind == "vfat":
                yield root / re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), folder).lstrip("/")
    else:
        yield from sorted(folder for name in _NAMES for folder in (root / "Volumes").glob(f"{name}*"))


def _lines(path: Path) -> list[str]:
    with suppress(OSError):
        return path.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    return []
