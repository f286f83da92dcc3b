"""The journal on disk: one unbuffered append per line, and a folder that nobody else has.

A line is out of this process when ``append`` returns, so ``kill -9`` loses nothing; a helper thread syncs it to
the disk twice a second against power cuts. When the disk fills, the line that did not fit is taken back whole,
the reserve file is given up, and what it frees carries the footer.
"""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from rig.core.errors import RecordError

FREE_BYTES = 200_000_000
RESERVE_BYTES = 1_000_000
SYNC_S = 0.5

JOURNAL = "journal.jsonl"
_RESERVE = ".reserve"

_sync = getattr(os, "fdatasync", os.fsync)


def claim_folder(subject_folder: Path, date: str) -> Path:
    """Make the next free session folder ``<date>/<NNN>`` of a subject; atomic, whoever else tries."""
    day = subject_folder / date
    day.mkdir(parents=True, exist_ok=True)
    taken = [int(entry.name) for entry in day.iterdir() if entry.name.isdigit()]
    number = max(taken, default=0) + 1
    while True:
        folder = day / f"{number:03d}"
        try:
            folder.mkdir()
        except FileExistsError:
            number += 1
        else:
            return folder


def discard_folder(folder: Path) -> None:
    """Give a claimed folder back: its session never began."""
    shutil.rmtree(folder)
    with suppress(OSError):  # other sessions of the day are in it
        folder.parent.rmdir()


def check_space(folder: Path, needed: int = FREE_BYTES) -> None:
    """Refuse to start on a disk that is nearly full. Raises ``RecordError``."""
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise RecordError(
            f"{folder}: {free / 1e6:.0f} MB are free, a session needs {needed / 1e6:.0f} MB: make room or choose --data"
        )


class Recorder:
    """Appends the lines of one session; ``synced`` says whether a thread syncs them to the disk."""

    def __init__(self, folder: Path, *, synced: bool) -> None:
        self.folder = folder
        self.failed = False
        self._reserve = folder / _RESERVE
        try:
            self._fd = os.open(folder / JOURNAL, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)
            if synced:
                self._reserve.write_bytes(bytes(RESERVE_BYTES))
        except OSError as error:
            raise RecordError(f"{folder}: the journal cannot be made: {error.strerror}") from error
        self._size = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._sync_now_and_then, name="journal sync", daemon=True)
        if synced:
            self._thread.start()

    def append(self, line: bytes) -> None:
        """Write a line. Raises ``RecordError``; nothing of the line is left in the file then."""
        try:
            written = os.write(self._fd, line)
        except OSError as error:
            raise self._failure(error.strerror or "unknown error") from error
        if written != len(line):
            os.ftruncate(self._fd, self._size)
            raise self._failure("the disk is full")
        self._size += written

    def _failure(self, why: str) -> RecordError:
        self.failed = True
        self._reserve.unlink(missing_ok=True)
        return RecordError(f"{self.folder / JOURNAL}: a line could not be written: {why}")

    def _sync_now_and_then(self) -> None:
        while not self._stop.wait(SYNC_S):
            try:
                _sync(self._fd)
            except OSError:  # the next append will say it where it can be acted on
                return

    def close(self) -> None:
        """Sync and close; harmless when repeated."""
        if self._fd < 0:
            return
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
            _sync(self._fd)
        os.close(self._fd)
        self._fd = -1
        self._reserve.unlink(missing_ok=True)


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write a JSON file in one piece."""
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def copy_sources(folder: Path, sources: Sequence[Path]) -> None:
    """Copy the files that a session was configured from, before its first event."""
    target = folder / "config"
    target.mkdir()
    for source in dict.fromkeys(sources):
        place = target / source.parent.name
        place.mkdir(exist_ok=True)
        shutil.copyfile(source, place / source.name)
