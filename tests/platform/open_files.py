"""The rule of Windows for files of this program: what it has open can be neither moved nor removed."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from rig.cli.subject import identity
from rig.session.run import journal_file

DESCRIPTORS = Path("/proc/self/fd")
CALLS = ("replace", "rename", "unlink", "remove", "rmdir")


def open_files() -> set[Path]:
    """Return the files that this program has open."""
    found = set()
    for descriptor in DESCRIPTORS.iterdir():
        with suppress(OSError):
            found.add(descriptor.readlink())
    return found


def keep_open_files_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set this program to refuse, as Windows does, moves and removals of what it has open or of folders around it."""
    for name in CALLS:
        monkeypatch.setattr(os, name, _guarded(getattr(os, name)))
    for module in (identity, journal_file):
        monkeypatch.setattr(module, "MOVES_OPEN_FILES", False)


def _guarded(call: Callable[..., None]) -> Callable[..., None]:
    def guarded(*paths: Any, **options: Any) -> None:
        touched = [] if options.get("dir_fd") is not None else [Path(path).absolute() for path in paths]
        for file in open_files():
            if any(file.is_relative_to(path) for path in touched):
                raise PermissionError(13, "The process cannot access the file because it is being used", str(file))
        call(*paths, **options)

    return guarded
