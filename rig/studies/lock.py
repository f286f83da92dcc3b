"""The lock on a study's folder of results: two runs of the same study would replace each other's sessions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from rig.core.errors import ConfigError, RecordError
from rig.system.atomic_files import os_error_text


@contextmanager
def only_run(folder: Path) -> Iterator[None]:
    """Run the block while no other run of a study is in its folder; make the folder.

    Raises ``ConfigError`` while another run is in it, and ``RecordError`` if it cannot be used.
    """
    # The system releases this lock when the process dies: no file blocks the study after `kill -9`.
    lock = FileLock(folder / ".lock", timeout=0)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise ConfigError(
            f"{folder}: another run of this study writes there: wait for its end, or name another folder with --data"
        ) from None
    except OSError as error:
        raise RecordError(
            f"{error.filename or folder}: cannot be used for results: {os_error_text(error)}: wanted a folder that you "
            "may write in; --data or $RIG_DATA names another"
        ) from error
    try:
        yield
    finally:
        lock.release()
