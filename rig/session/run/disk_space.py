"""The room that a session needs on the disk."""

from __future__ import annotations

import shutil
from pathlib import Path

from rig.core.errors import RecordError
from rig.system.atomic_files import read_errors

FREE_BYTES = 200_000_000
"""Free space with which a real session starts; see docs/decisions/durability.md."""


def check_space(folder: Path, needed: int = FREE_BYTES) -> None:
    """Check that the disk has room for a session. Raises ``RecordError``."""
    with read_errors(folder):
        free = shutil.disk_usage(folder).free
    if free < needed:
        raise RecordError(
            f"{folder}: {free / 1e6:.0f} MB are free, a session needs {needed / 1e6:.0f} MB: make room or choose --data"
        )
