"""A file's stamp, which tells whether it is the file that was read before."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

Stamp: TypeAlias = tuple[int, int, int]
"""Size, time and inode."""


def stamp_of(path: Path) -> Stamp:
    """Return the stamp of a file. Raises ``OSError``."""
    status = path.stat()
    # The inode too: another file may have the same size and time.
    return status.st_size, status.st_mtime_ns, status.st_ino
