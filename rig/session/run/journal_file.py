"""Write the journal to disk: one unbuffered append per line, in a folder of one session.

The operating system has a line when ``append`` returns, so ``kill -9`` loses nothing. A thread syncs the file twice
a second against power cuts; ``secure`` syncs at once before a reward that the synced lines do not cover. A real session
also has a reserve file. When the disk is full, the recorder removes the torn line from the journal, deletes the
reserve file, and writes the line again. The freed space is large enough for all further lines, up to the footer.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from rig.core.errors import RecordError
from rig.platform.files import BINARY, MOVES_OPEN_FILES, longest_path, move_path, sync_data, sync_folder
from rig.records.journal import unwritable_reason
from rig.records.session.never_began import CONFIG
from rig.records.session.summary import SUMMARY
from rig.system.atomic_files import os_error_text, write_atomic

RESERVE_BYTES = 1_000_000
# A power cut takes at most so much of the journal. A sync of each line would put up to 30 ms between a poke and the
# order that answers it: see docs/decisions/durability.md.
SYNC_S = 0.5

JOURNAL = "journal.jsonl"
INNER_LENGTH = 100
"""Characters for the number of a session and the path of a file in its folder, such as a copy of a protocol."""
_NEXT = ".journal.next"
_RESERVE = ".reserve"

# O_EXCL: no journal is ever written over. BINARY: Windows would change line ends, and no checksum would fit.
_APPEND = os.O_WRONLY | os.O_APPEND | BINARY
_NEW = _APPEND | os.O_CREAT | os.O_EXCL


def claim_folder(subject_folder: Path, date: str, *, synced: bool = False) -> Path:
    """Build the next free session folder ``<date>/<NNN>`` of a subject; two processes never get the same one.

    ``synced`` waits until the folder would survive a power cut. Raises ``RecordError`` if it cannot be made.
    """
    day = subject_folder / date
    _check_length(day)
    try:
        day.mkdir(parents=True, exist_ok=True)
        # isascii: Python takes '²' for a digit, and int() refuses it.
        taken = [int(entry.name) for entry in day.iterdir() if entry.name.isascii() and entry.name.isdigit()]
        # Behind the highest number: that of a removed session must not name another one.
        folder = _make_next(day, max(taken, default=0) + 1)
        # Before the journal: an empty journal without it has lost its lines. See `never_began`.
        (folder / CONFIG).mkdir()
        # A new folder survives a power cut only when the folder that lists it is synced.
        if synced:
            for parent in (day, subject_folder, subject_folder.parent):
                sync_folder(parent)
            with suppress(PermissionError):  # the data folder may be in one that this user cannot read
                sync_folder(subject_folder.parent.parent)
        return folder
    except OSError as error:
        raise RecordError(f"{day}: cannot hold a session: {os_error_text(error)}") from error


def _check_length(day: Path) -> None:
    limit, length = longest_path(), len(str(day.absolute())) + INNER_LENGTH
    if limit is not None and length > limit:
        raise RecordError(
            f"{day}: files of a session in it can have paths of {length} characters, and Windows allows {limit}: "
            "choose a shorter --data, or have an administrator switch on LongPathsEnabled of Windows"
        )


def _make_next(day: Path, number: int) -> Path:
    while True:
        folder = day / f"{number:03d}"
        try:
            folder.mkdir()
        except FileExistsError:
            number += 1
        else:
            return folder


def discard_folder(folder: Path) -> None:
    """Remove the folder of a session that never began; its journal is removed last, since it records that."""
    # What cannot be removed is left: the caller reports why the session never began, not this.
    with suppress(OSError):
        # A folder with sources and no journal would make the day's total unknown.
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name == JOURNAL):
            if entry.is_dir():
                shutil.rmtree(entry)
            else:
                entry.unlink()
        folder.rmdir()
        folder.parent.rmdir()  # fails if the day has other sessions


class Recorder:
    """Writer of the journal lines of one session; with ``synced`` a thread syncs them to the disk.

    ``on_full`` is called with the error when a line needed the space of the reserve file: the session must end.
    ``kept`` are the first bytes of the journal of a session that goes on: they and all further lines are in a file
    beside the journal, until `publish` puts it in its place.
    """

    def __init__(
        self,
        folder: Path,
        *,
        synced: bool,
        on_full: Callable[[RecordError], object] = lambda error: None,
        kept: bytes | None = None,
    ) -> None:
        self.folder = folder
        self._path = folder / (JOURNAL if kept is None else _NEXT)
        self._synced = synced
        self.failed = False
        self._is_whole = True
        self._on_full = on_full
        self._reserve = folder / _RESERVE
        self._lost: OSError | None = None
        self._size = 0
        self._lines = self._safe_lines = 0
        self._syncing = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._fd = -1
        try:
            if kept is not None:
                self._path.unlink(missing_ok=True)  # left by a resumption that was killed
            self._fd = os.open(self._path, _NEW, 0o644)
            if kept is not None:
                self._copy(kept)
            if synced:
                # Written in full: a file with a hole reserves nothing.
                self._reserve.write_bytes(bytes(RESERVE_BYTES))
                unwritable_reason.prepare(folder)
                sync_folder(folder)
        except OSError as error:
            self.close()
            raise RecordError(f"{folder}: the journal cannot be made: {os_error_text(error)}") from error
        if synced:
            self._thread = threading.Thread(target=self._sync_now_and_then, name="journal sync", daemon=True)
            self._thread.start()

    def _copy(self, kept: bytes) -> None:
        with open(self._fd, "wb", buffering=0, closefd=False) as file:
            file.write(kept)
        if os.fstat(self._fd).st_size != len(kept):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._size, self._lines = len(kept), kept.count(b"\n")

    def publish(self) -> None:
        """Move the file of a session that goes on to the place of its journal; the journal so far stays beside it.

        A crash at any moment leaves one of the two as the journal. Raises ``RecordError``.
        """
        journal = self.folder / JOURNAL
        try:
            if self._synced:
                sync_data(self._fd)
            # The summary is proof of an end, which the journal is about to lose.
            (self.folder / SUMMARY).unlink(missing_ok=True)
            _keep_beside(journal)
            self._move_to(journal)
            if self._synced:
                sync_folder(self.folder)
        except OSError as error:
            raise RecordError(f"{journal}: cannot be replaced: {os_error_text(error)}") from error

    def _move_to(self, journal: Path) -> None:
        if MOVES_OPEN_FILES:
            move_path(self._path, journal)
            self._path = journal
            return
        with self._syncing:  # the thread must not sync a descriptor that is closed
            os.close(self._fd)
            self._fd = -1
            try:
                move_path(self._path, journal)
                self._path = journal
            finally:
                self._fd = os.open(self._path, _APPEND)

    def discard(self) -> None:
        """Remove the file of a session that does not go on, unless it is the journal already."""
        if self._path.name == _NEXT:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)

    def append(self, line: bytes) -> None:
        """Write a line. Raises ``RecordError``, and leaves nothing of the line in the file."""
        try:
            if self._lost is not None:
                raise self._lost
            written = os.write(self._fd, line)
            # A disk that fills may take the first bytes of a line without an error.
            if written != len(line):
                self._take_back()
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            self._size += written
            self._lines += 1
        except OSError as error:
            self._rescue(line, error)

    def _rescue(self, line: bytes, error: OSError) -> None:
        """Remove the reserve file, write a line into the freed space, and report the full disk."""
        self.failed = True
        failure = RecordError(f"{self.folder / JOURNAL}: a line could not be written: {error.strerror}")
        try:
            if self._lost is not None:
                raise error
            self._reserve.unlink()  # raises where it was used up
        except OSError:
            unwritable_reason.write_detail(self.folder, str(failure))
            self._is_whole = False
            raise failure from error
        # The line first: the report ends the session, and further lines follow.
        self.append(line)
        self._on_full(failure)

    def _take_back(self) -> None:
        try:
            os.ftruncate(self._fd, self._size)
        except OSError as error:  # a line after half a line would make both unreadable
            self._lost = error
            raise

    def _sync_now_and_then(self) -> None:
        while not self._stop.wait(SYNC_S):
            try:
                self._sync()
            except OSError:  # the next append raises it where the session can end
                return

    def _sync(self) -> None:
        # Linux reports a failed write to one sync of a descriptor only, and the next one succeeds. With the lock the
        # next one starts only after the error is recorded, also if it is the sync of another thread.
        with self._syncing:
            if self._lost is not None:
                raise self._lost
            # Counted before the sync: a line that is written meanwhile may miss it.
            lines = self._lines
            try:
                sync_data(self._fd)
            except OSError as error:
                self._lost = error
                raise
            self._safe_lines = lines

    def secure(self, lines: int) -> None:
        """Wait until ``lines`` lines are on the disk; unsynced sessions return at once. Raises ``RecordError``."""
        if self._thread is None or self._safe_lines >= lines:
            return
        try:
            self._sync()
        except OSError as error:
            raise RecordError(f"{self.folder / JOURNAL}: may not be whole: {error.strerror}") from error

    def close(self) -> None:
        """Close the journal after a last sync; a second call does nothing. Raises ``RecordError`` if a sync failed."""
        if self._fd < 0:
            return
        try:
            if self._thread is not None:
                self._stop.set()
                self._thread.join()
                self._sync()
        except OSError as error:
            raise RecordError(f"{self.folder / JOURNAL}: may not be whole: {error.strerror}") from error
        finally:
            with suppress(OSError):  # the sync above has succeeded, or its error is raised
                os.close(self._fd)
            self._fd = -1
            # A reserve that stays costs 1 MB; `rig recover` removes it.
            with suppress(OSError):
                self._reserve.unlink(missing_ok=True)
            if self._is_whole:
                unwritable_reason.remove(self.folder)


def _keep_beside(journal: Path) -> None:
    """Write a journal also under a free name: ``journal.part1.jsonl``. Raises ``OSError``."""
    for part in range(1, 100):
        beside = journal.with_name(f"journal.part{part}.jsonl")
        try:
            os.link(journal, beside)
        except FileExistsError:
            if not beside.samefile(journal):
                continue
        except OSError:  # a disk without links
            write_atomic(beside, journal.read_bytes(), synced=True)
        return
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(journal))


def write_json(path: Path, value: Mapping[str, object], *, synced: bool = False) -> None:
    """Write a JSON file atomically. Raises ``RecordError``."""
    write_atomic(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n", synced=synced)


def copy_sources(folder: Path, sources: Sequence[Path], *, synced: bool = False) -> None:
    """Write copies of the files that configured a session, before its first event. Raises ``RecordError``."""
    try:
        # Several files may extend the same one: it is copied once.
        for source in dict.fromkeys(sources):
            place = (
                folder / CONFIG / Path(os.path.abspath(source)).parent.name
            )  # links are kept: names must be those of the configuration
            place.mkdir(parents=True, exist_ok=True)
            write_atomic(_free(place, source), source.read_bytes(), synced=synced)
        if synced and sources:
            sync_folder(folder / CONFIG)
            sync_folder(folder)
    except OSError as error:
        raise RecordError(f"{error.filename}: cannot be copied to {folder}: {error.strerror}") from error


def _free(place: Path, source: Path) -> Path:
    """Return a free path for a source: a file may extend another of the same name."""
    names = (f"{source.stem}{suffix}{source.suffix}" for suffix in ("", *(f".{n}" for n in range(2, 100))))
    return next(path for path in map(place.joinpath, names) if not path.exists())
