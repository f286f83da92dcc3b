"""Write files and append to them atomically: all bytes or none."""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rig.core.errors import RecordError
from rig.platform.files import NO_FOLLOW, PERMISSION_HINT, move_path, sync_folder


def write_atomic(
    path: Path, content: bytes | str, *, synced: bool = False, shared: bool = False, private: bool = False
) -> Path:
    """Write a file atomically: a reader finds the old content or all of the new.

    Text is written as UTF-8. ``synced`` waits until it would survive a power cut. ``shared`` says that another program
    may write the same file meanwhile, such as a second export. Other users cannot read a ``private`` file. Raises
    ``RecordError``, and leaves nothing behind then.
    """
    raw = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    temporary = path.with_name(new_name(path.name)) if shared else temporary_of(path)
    try:
        try:
            temporary.unlink(missing_ok=True)
            if private:
                temporary.touch(0o600, exist_ok=False)
            with temporary.open("r+b" if private else "xb") as file:  # never through a link that lies there
                file.write(raw)
                if synced:
                    file.flush()
                    os.fsync(file.fileno())
            move_path(temporary, path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
        if synced:  # a rename is safe when its folder is on disk
            sync_folder(path.parent)
    except OSError as error:
        raise RecordError(f"{path}: cannot be written: {os_error_text(error)}") from error
    return path


def temporary_of(path: Path) -> Path:
    """Return the file in which the content of a file may be left by a program that was killed while it wrote it."""
    return path.with_name(f".{path.name}.new")


def new_name(name: str) -> str:
    """Return the name under which this program writes a file or a folder before it takes its place."""
    return f".{name}.{os.getpid()}.new"


def write_new(path: Path, content: str) -> bool:
    """Write a new file in one step, synced; return False, and change nothing, if the name is taken.

    Raises ``RecordError`` when it cannot be written.
    """
    temporary = temporary_of(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(temporary, content, synced=True)
        try:
            # A rename would replace a file that another program has written meanwhile; a second name does not.
            os.link(temporary, path)
        except FileExistsError:
            return False
        except (OSError, AttributeError):  # a file system without second names
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        finally:
            temporary.unlink(missing_ok=True)
        sync_folder(path.parent)
    except FileExistsError:
        return False
    except OSError as error:
        raise RecordError(f"{path}: cannot be written: {os_error_text(error)}") from error
    return True


def append_atomic(path: Path, raw: bytes, *, synced: bool = False) -> None:
    """Add all bytes to a file or none: on a full disk a second try finds what the first one found. Raises ``OSError``.

    ``synced`` waits until it would survive a power cut.
    """
    new = not path.exists()
    with io.open(path, "ab", buffering=0, opener=_open_no_follow) as file:  # noqa: UP020
        size = file.tell()
        try:
            if file.write(raw) != len(raw):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
            if synced:
                os.fsync(file.fileno())
        except OSError:
            file.truncate(size)
            if new:
                file.close()  # Windows removes no open file
                with suppress(OSError):
                    path.unlink()
            raise
    if new and synced:
        sync_folder(path.parent)


def _open_no_follow(path: str, flags: int) -> int:
    return os.open(path, flags | NO_FOLLOW, 0o666)


@contextmanager
def read_errors(path: Path) -> Iterator[None]:
    """Convert errors of the system into ``RecordError`` with the file or folder that it refuses to read."""
    try:
        yield
    except OSError as error:
        raise RecordError(f"{error.filename or path}: cannot be read: {os_error_text(error)}") from error


@contextmanager
def write_errors(path: Path) -> Iterator[None]:
    """Convert errors of the system into ``RecordError`` with the file or folder that it refuses to write."""
    try:
        yield
    except OSError as error:
        raise RecordError(f"{error.filename or path}: cannot be written: {os_error_text(error)}") from error


def os_error_text(error: OSError) -> str:
    """Return why the system refuses, and what helps."""
    reason = error.strerror or str(error)
    if isinstance(error, PermissionError):
        return reason + PERMISSION_HINT
    return reason
