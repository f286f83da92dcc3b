"""The file of a subject's facts and events, ``<data>/<subject>/events.jsonl``: append to it, read it.

Several programs may append at once. Each takes the lock, adds its lines in one write with ``O_APPEND``, and waits until
they are on the disk. Only then is the event acknowledged. A crash may leave a torn last line, which was never
acknowledged. The next append ends that line and marks it with a ``torn`` line, so no byte is removed.
"""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TypeVar

from filelock import FileLock, Timeout
from msgspec import convert, to_builtins
from msgspec.structs import replace

from rig.core.errors import ConfigError, RecordError
from rig.core.journal.cells import escape_surrogates
from rig.core.journal.codec import parse_event, subject_bytes
from rig.core.journal.kinds import HandGiven, SubjectEvent, SubjectLine, Torn, Voided
from rig.core.model.line import kind_of
from rig.system.atomic_files import append_atomic, os_error_text, read_errors, write_atomic, write_errors
from rig.system.file_stamp import Stamp, stamp_of

EVENTS = "events.jsonl"
LONGEST_BYTES = 1 << 14
"""A longer event is refused: the tail of the file is read to find the last line."""
_LOCK = ".events.lock"
_LOCK_S, _POLL_S = 30.0, 0.002
"""An append takes milliseconds, so a lock is free long before ``_LOCK_S``."""
_TAIL_BYTES = 1 << 16
_HEAD = re.compile(rb'\{"k":"([a-z_]+)","t":-?\d+,"seq":\d+,')

Moment = datetime.datetime
E = TypeVar("E", bound=SubjectEvent)


@dataclass(frozen=True)
class EventScan:
    """A subject's events as found: the good lines, what is wrong with the others, and what of that concerns amounts.

    A torn last line of another kind than ``given`` does not concern them.
    """

    lines: tuple[SubjectLine, ...] = ()
    damage: tuple[str, ...] = ()
    amounts_damage: tuple[str, ...] = ()

    def of_kind(self, *kinds: type[E]) -> Iterator[E]:
        """Yield the events of some kinds that are not voided, in their order."""
        return (line for line in self.lines if isinstance(line, kinds) and line.seq not in self.voids)

    @cached_property
    def voids(self) -> Mapping[int, Voided]:
        """Return the lines that void an entry, by the number of that entry."""
        return {line.entry: line for line in self.lines if isinstance(line, Voided)}


def append_events(folder: Path, events: Sequence[SubjectEvent], by: str, at: Moment) -> int:
    """Write events of a subject, all or none, to the disk; return the number of the first. Raises ``RecordError``.

    They get their numbers here, the author ``by``, and the time ``at`` at which they are written. An event without a
    time (``t_us`` is 0) happens then.
    """
    return append_copies(folder, (), events, by, at)


def append_copies(
    folder: Path, lines: Sequence[SubjectEvent], events: Sequence[SubjectEvent], by: str, at: Moment
) -> int:
    """Write copies of another subject's events, with their times and authors, before new events, all or none.

    Returns the number of the first. Raises ``RecordError``.
    """
    path = folder / EVENTS
    with events_locked(folder), write_errors(path):
        end = _end_of(path, at)
        copies = renumbered(lines, end.number)
        first = end.number + len(copies)
        raw = end.mark + b"".join(
            (*copies, *(event_line(first + index, event, by, at) for index, event in enumerate(events)))
        )
        if not end.exists:
            # An empty file has lost what it held, so the file appears together with its first line.
            write_atomic(path, raw, synced=True)
        else:
            append_atomic(path, raw, synced=True)
    return end.number


def event_line(number: int, event: SubjectEvent, by: str, at: Moment) -> bytes:
    """Return the line of an event with its number, author and times. Raises ``ConfigError`` if it is too long."""
    t_us = event.t_us or time_us(at)
    return _bytes_of(replace(event, seq=number, t_us=t_us, by=by, at=at.isoformat(timespec="seconds")))


def time_us(at: Moment) -> int:
    """Return a moment as the time of an event."""
    return round(at.timestamp() * 1e6)


def renumbered(lines: Iterable[SubjectEvent], first: int) -> list[bytes]:
    """Return events as lines with new numbers; a void follows its entry, and is left out if that is missing."""
    numbers: dict[int, int] = {}
    numbered: list[bytes] = []
    for line in lines:
        if isinstance(line, Voided):
            if line.entry not in numbers:
                continue
            line = replace(line, entry=numbers[line.entry])
        number = numbers[line.seq] = first + len(numbered)
        numbered.append(_bytes_of(replace(line, seq=number)))
    return numbered


def _bytes_of(event: SubjectEvent) -> bytes:
    try:
        raw = subject_bytes(event)
    except UnicodeEncodeError:  # half a character, as a terminal may hand it over
        raw = subject_bytes(convert(escape_surrogates(to_builtins(event)), type(event)))
    if len(raw) > LONGEST_BYTES:
        raise ConfigError(f"an event has {len(raw)} bytes: wanted at most {LONGEST_BYTES}: say it in fewer words")
    return raw


@contextmanager
def events_locked(folder: Path) -> Iterator[None]:
    """Wait for the lock of a subject's events, and hold it. Raises ``RecordError``."""
    lock = FileLock(folder / _LOCK, timeout=_LOCK_S)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire(poll_interval=_POLL_S)
    except Timeout:
        raise RecordError(f"{folder / EVENTS}: is being written by another program") from None
    except OSError as error:
        raise RecordError(f"{folder}: cannot be written: {os_error_text(error)}") from error
    try:
        yield
    finally:
        with suppress(OSError):  # the system takes it back when the program ends; what was written is written
            lock.release()


def day_of(line: SubjectEvent) -> datetime.date:
    """Return the local day on which an event happened."""
    return Moment.fromtimestamp(line.t_us / 1e6).date()


# --- the end of the file --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _End:
    """Where the next event goes: its number, and the bytes that first end a torn line."""

    exists: bool
    number: int
    mark: bytes = b""


def _end_of(path: Path, at: Moment) -> _End:
    """Read the end of the file; only its tail, because the file grows for years. Raises ``OSError``."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - _TAIL_BYTES))
            tail = file.read()
    except FileNotFoundError:
        # Asked a second time: a new file would take the place of one that is there and was not found.
        if path.name in os.listdir(path.parent):
            raise
        return _End(False, 0)
    whole, newline, torn = tail.rpartition(b"\n")
    last = _number_of(whole.rpartition(b"\n")[2])
    # The count of lines is not the number of one when lines are lost; behind damage a reader accepts any number.
    number = last + 1 if last is not None else _count_lines(path) if newline or size > len(tail) else 0
    if not torn and size:
        return _End(True, number)
    if (own := _number_of(torn)) is not None:
        return _End(True, own + 1, b"\n")
    head = _HEAD.match(torn)
    mark = Torn(bytes=len(torn), kind=head[1].decode() if head else None)
    return _End(True, number + 2, b"\n" * bool(torn) + event_line(number + 1, mark, "", at))


def _number_of(raw: bytes) -> int | None:
    try:
        return parse_event(raw).seq
    except ValueError:
        return None


def _count_lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for _ in file)


# --- reading --------------------------------------------------------------------------------------------------


def read_events(folder: Path) -> EventScan:
    """Read a subject's events; a subject without a file has none. Raises ``RecordError``."""
    path = folder / EVENTS
    scan = _scan(path)
    if not scan.damage:
        return scan
    # Another program may be in the middle of its write: behind the lock there is none.
    with suppress(RecordError), events_locked(folder):
        return _scan(path)
    return scan


def _scan(path: Path) -> EventScan:
    with read_errors(path), suppress(FileNotFoundError):
        if path.parent.is_dir():
            stamp = stamp_of(path)
            if not path.is_file():  # opening a pipe would block without end
                raise RecordError(f"{path}: cannot be read: it is no file")
            return _parsed(path, stamp)
    return EventScan()


@lru_cache(maxsize=256)
def _parsed(path: Path, stamp: Stamp) -> EventScan:
    """Read a file of this size, time and inode once: a day is asked for what was given several times."""
    return parse_events(path.read_bytes())


def parse_events(raw: bytes) -> EventScan:
    """Parse the content of a file of events."""
    reader = _EventReader()
    if not raw:
        reader.refuse("it is empty")
    for line in raw.splitlines(keepends=True):
        reader.take(line)
    return EventScan(tuple(reader.lines), tuple(reader.damage), tuple(reader.amounts_damage))


class _EventReader:
    """Checks the lines one after the other; behind a damaged line any number is accepted."""

    def __init__(self) -> None:
        self.lines: list[SubjectLine] = []
        self.damage: list[str] = []
        self.amounts_damage: list[str] = []
        self._row = 0
        self._expected = 0
        self._in_damage = False
        self._torn: int | None = None
        """The size of the line before, if it may be one that a crash tore."""

    def take(self, raw: bytes) -> None:
        """Read one line with its newline."""
        self._row += 1
        body = raw.removesuffix(b"\n")
        try:
            line = parse_event(body)
            _check_time(line)
        except ValueError as error:
            self._damaged(body, str(error) if raw.endswith(b"\n") else "it is torn")
            return
        self._check_number(line)
        self._torn, self._in_damage = None, False
        self._expected = line.seq + 1
        self.lines.append(line)

    def refuse(self, why: str) -> None:
        """Add damage that may have held amounts."""
        self.damage.append(why)
        self.amounts_damage.append(why)

    def _damaged(self, body: bytes, why: str) -> None:
        text = f"line {self._row}: {why}"
        self.damage.append(text)
        head = _HEAD.match(body)
        if b"\0" in body or why != "it is torn" or head is None or head[1] == b"given":
            self.amounts_damage.append(text)
        self._torn = len(body)
        self._in_damage = True

    def _check_number(self, line: SubjectLine) -> None:
        if isinstance(line, Torn) and self._torn == line.bytes and line.kind not in (None, kind_of(HandGiven)):
            # The crash tore an event that holds no amount and was never acknowledged.
            excused = self.damage.pop()
            self.amounts_damage = [text for text in self.amounts_damage if text != excused]
        elif line.seq != self._expected and not self._in_damage:
            self.refuse(f"line {self._row}: line {self._expected} should come here, found {line.seq}")


def _check_time(line: SubjectLine) -> None:
    """Check that the time of an event exists. Raises ``ValueError``."""
    try:
        Moment.fromtimestamp(line.t_us / 1e6, datetime.UTC)
    except (OverflowError, OSError, ValueError) as error:
        raise ValueError(f"no time is {line.t_us}") from error
