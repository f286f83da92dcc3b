"""Owners, rights and syncs of files."""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from threading import Event

PRIVATE = 0o700
"""The mode of a folder that only its user may open."""

if sys.platform == "win32":
    import ctypes

    BINARY = os.O_BINARY
    NO_FOLLOW = 0
    MOVES_OPEN_FILES = False
    PERMISSION_HINT = ": is it open in another program, or not yours?"

    _ATTEMPTS = 20
    _PAUSE_S = 0.05

    sync_data = os.fsync

    def longest_path() -> int | None:
        """Return the number of characters that a path may have, None where long paths are switched on."""
        are_enabled = getattr(ctypes.WinDLL("ntdll"), "RtlAreLongPathsEnabled", None)  # Windows 10 has it
        return None if are_enabled is not None and are_enabled() else 259

    def move_path(source: Path, target: Path) -> None:
        """Move a file or a folder, and wait about 1 s for other programs to close it. Raises ``OSError``."""
        # A virus scanner, a cloud drive or a reader that has a file open makes Windows refuse.
        for _ in range(_ATTEMPTS):
            with suppress(PermissionError):
                os.replace(source, target)
                return
            Event().wait(_PAUSE_S)
        os.replace(source, target)

    def sync_folder(folder: Path) -> None:
        """Return at once: NTFS keeps the names of files that are on the disk in a journal of its own."""

    def is_private(folder: Path) -> bool:
        """Whether a folder is there, and is no link. The profile, in which it lies, is closed to other users."""
        try:
            status = folder.lstat()
        except OSError:
            return False
        return stat.S_ISDIR(status.st_mode) and not status.st_file_attributes & stat.FILE_ATTRIBUTE_REPARSE_POINT

    def close_to_others(folder: Path) -> None:
        """Return at once: a folder in the profile inherits the rights of the profile."""
else:
    BINARY = 0
    """The flag of ``os.open`` without which line ends are changed."""
    NO_FOLLOW = os.O_NOFOLLOW
    """The flag of ``os.open`` that refuses a link."""
    MOVES_OPEN_FILES = True
    """Whether a file that a program has open can be moved, and the folder in which it lies."""
    PERMISSION_HINT = ": is it yours?"
    """What a person can check when the system refuses a file."""

    if sys.platform == "darwin":  # it has no fdatasync
        sync_data = os.fsync
    else:
        sync_data = os.fdatasync
    """Wait until what was written to a descriptor would survive a power cut. Raises ``OSError``."""

    def longest_path() -> int | None:
        """Return None: the system refuses a path that is too long with a sentence that says so."""
        return None

    def move_path(source: Path, target: Path) -> None:
        """Move a file or a folder; a file takes the place of another one. Raises ``OSError``."""
        os.replace(source, target)

    def sync_folder(folder: Path) -> None:
        """Wait until what a folder lists would survive a power cut. Raises ``OSError``.

        File systems that cannot be asked for it see to it by themselves.
        """
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOTSUP):
                raise
        finally:
            os.close(descriptor)

    def is_private(folder: Path) -> bool:
        """Whether a folder is there, is no link, is this user's, and is closed to all others."""
        try:
            status = folder.lstat()
        except OSError:
            return False
        is_ours = stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
        return is_ours and not stat.S_IMODE(status.st_mode) & 0o077

    def close_to_others(folder: Path) -> None:
        """Set the mode of a folder of this user that an earlier mask, or a person, has opened. Raises ``OSError``."""
        status = folder.lstat()
        if stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and stat.S_IMODE(status.st_mode) != PRIVATE:
            folder.chmod(PRIVATE)
