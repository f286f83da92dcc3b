"""A folder for the sockets of a test."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def private_folder() -> Iterator[Path]:
    """A folder with a short path, as a socket needs."""
    folder = Path(tempfile.mkdtemp(prefix="rig"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)
