"""Files, and what is added to them, that are there whole or not at all."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

from rig.core.errors import RecordError


def write_whole(path: Path, content: bytes | str, *, synced: bool = False) -> Path:
    """Write a file in one step: who reads it finds what was there before, or all that is new.

    Text is written as UTF-8. ``synced`` waits until it would survive a power cut. Raises ``RecordError``, and leaves
    nothing behind then.
    """
    raw = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    temporary = path.with_name(f".{path.name}.new")
    try:
        try:
            with temporary.open("wb") as file:
                file.write(raw)
                if synced:
                    file.flush()
                    os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
        if synced and os.name == "posix":  # a rename is safe when its folder is on disk
            _sync_folder(path.parent)
    except OSError as error:
        raise RecordError(f"{path}: cannot be written: {why(error)}") from error
    return path


def append_whole(path: Path, raw: bytes) -> None:
    """Append all or nothing: on a full disk a second try finds what the first one found. Raises ``OSError``."""
    with path.open("ab", buffering=0) as file:
        size = file.tell()
        try:
            if file.write(raw) != len(raw):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        except OSError:
            file.truncate(size)
            raise


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def why(error: OSError) -> str:
    """Say why the system refuses, and what helps."""
    reason = error.strerror or str(error)
    if isinstance(error, PermissionError):
        hint = ": is it open in another program, or not yours?" if os.name == "nt" else ": is it yours?"
        return reason + hint
    return reason
