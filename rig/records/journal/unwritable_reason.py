"""Why a session ended whose journal could not be written: on a full disk no line has room, and neither has a new file.

The file is written in full before the session begins. Its bytes are then replaced in place, which needs no free space.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

NAME = ".ending"
_BYTES = 1024


def prepare(folder: Path) -> None:
    """Write the empty file. Raises ``OSError``."""
    (folder / NAME).write_bytes(b" " * _BYTES)


def write_detail(folder: Path, detail: str) -> None:
    """Write why the journal cannot be written; a session without the file keeps nothing."""
    raw = detail.encode("utf-8", "replace")[:_BYTES].ljust(_BYTES)
    with suppress(OSError), (folder / NAME).open("r+b", buffering=0) as file:
        file.write(raw)
        os.fsync(file.fileno())


def read_detail(folder: Path) -> str:
    """Return why the journal could not be written; empty if that is not known."""
    with suppress(OSError):
        path = folder / NAME
        if path.is_file():
            with path.open("rb") as file:
                text = file.read(_BYTES).decode("utf-8", "replace").strip()
            return "".join(char for char in text if char.isprintable())
    return ""


def remove(folder: Path) -> None:
    """Remove the file, if it is there."""
    with suppress(OSError):
        (folder / NAME).unlink(missing_ok=True)
