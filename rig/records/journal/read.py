"""Read journals: check every line, guess nothing, and keep only the requested lines."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

from rig.core.errors import RecordError
from rig.core.journal.chunk import parse_all
from rig.core.journal.lines import (
    CLOCK_TIMED_KINDS,
    MAX_LINE_BYTES,
    Line,
    OtherFormatError,
    Tables,
    check_head,
    parse,
    parse_line,
    row_of,
    tells_time,
)
from rig.core.model.rows import TRIAL_TABLE
from rig.system.atomic_files import os_error_text

JOURNAL = "journal.jsonl"

_CORRECTIONS = ("correction", "reward", "footer")
"""The lines of a correction, which is appended also after a footer, and ends in another one."""

_TURNS = ("header", "footer", "correction")
"""The lines after which others are allowed than before."""

MAX_LISTED = 20
"""Maximum of damaged lines in an error: a file with more is probably not a journal."""

_BUFFER_BYTES = 1 << 18
_TAIL_BYTES = 1 << 16


@dataclass(frozen=True)
class DamagedLine:
    """One line that cannot be trusted: its number in the file, counted from 1, and why."""

    line: int
    why: str


@dataclass(frozen=True)
class PartialLine(DamagedLine):
    """Bytes after the last whole line, as a crash in the middle of an append leaves them: from where, how many."""

    start: int
    bytes: int


class JournalReader:
    """Checks the lines of one journal, one after the other, each by itself and against those before it.

    Of ``kinds`` the lines are given; of all others only sum, head and number are checked. None named is every kind.
    Raises ``OtherFormatError`` for a header of another format.
    """

    def __init__(self, *kinds: str) -> None:
        self._kinds = frozenset(kinds)
        self._number = 0
        self._expected = 0
        self._in_damage = False
        self._tables: Tables | None = None
        self._ended = False
        self._corrected = False

    def take(self, raw: bytes) -> tuple[Line | DamagedLine, ...]:
        """Read the next line, without its newline, and return it, its damage, or both."""
        self._number += 1
        try:
            place, kind = check_head(raw)
            line = self._parsed(raw, place, kind)
        except OtherFormatError:
            # A ValueError too, but no damage: the operator needs another version of the program.
            raise
        except ValueError as error:
            self._in_damage = True
            return (DamagedLine(self._number, str(error)),)
        # Damage may have swallowed several lines: the gap behind it is the same loss, and is not reported again.
        in_order = place == self._expected or self._in_damage
        gap = () if in_order else (DamagedLine(self._number, f"line {self._expected} should come here, found {place}"),)
        self._expected, self._in_damage = place + 1, False
        return (*gap, line) if line is not None and self._wanted(kind) else gap

    def take_all(self, chunk: bytes) -> list[Line | DamagedLine]:
        """Read the next lines, as `take` reads one after the other; where all are right it is quicker."""
        lines = None if self._in_damage or self._ended or self._corrected else parse_all(chunk)
        if lines is None or not self._continue(lines):
            return [found for raw in chunk.removesuffix(b"\n").split(b"\n") for found in self.take(raw)]
        self._number += len(lines)
        self._expected += len(lines)
        return [line for line in lines if line["k"] in self._kinds] if self._kinds else [*lines]

    def _continue(self, lines: Sequence[Line]) -> bool:
        """Whether these lines come after those before without a gap, and none changes what may follow it."""
        kinds = {line["k"] for line in lines}
        in_order = [line["seq"] for line in lines] == list(range(self._expected, self._expected + len(lines)))
        if not in_order or not kinds.isdisjoint(_TURNS):
            return False
        try:
            for line in lines:
                if self._tables is not None and line["k"] in ("trial", "row"):
                    self._tables.check(line["k"], line)
        except ValueError:
            return False
        return True

    def _wanted(self, kind: str) -> bool:
        return not self._kinds or kind in self._kinds

    def _parsed(self, raw: bytes, place: int, kind: str) -> Line | None:
        """Parse a line, if anybody wants it, or if it says something of those that follow. Raises ``ValueError``."""
        if (self._ended and kind != "correction") or (self._corrected and kind not in _CORRECTIONS):
            raise ValueError("it comes after the footer")
        if kind in CLOCK_TIMED_KINDS:
            raise ValueError("it is no line of a session")
        if kind not in _TURNS and not self._wanted(kind):
            return None
        if kind == "header" and (place or self._expected):
            raise ValueError("only the first line can be a header")
        line = parse(raw, kind)
        if kind == "header":
            self._tables = Tables(line)
        elif kind == "footer":
            self._ended = True
        elif kind == "correction":
            self._ended, self._corrected = False, True
        elif kind in ("trial", "row") and self._tables is not None:
            self._tables.check(kind, line)
        return line


def iter_lines(path: Path, *kinds: str) -> Iterator[Line | DamagedLine]:
    """Return a journal line by line, all kinds or only some, and what is damaged or torn; one line is kept at a time.

    Raises ``RecordError`` for one that cannot be read, or is of another format.
    """
    reader = JournalReader(*kinds)
    try:
        with _opened(path) as file:
            start = 0
            for number, (raw, size) in enumerate(_raw_lines(file), start=1):
                if not raw.endswith(b"\n"):
                    yield PartialLine(number, f"the last line is torn ({size} bytes)", start, size)
                    return
                yield from reader.take(raw[:-1])
                start += size
    except OtherFormatError as error:
        raise RecordError(f"{path}: {error}") from None
    except OSError as error:
        raise _unreadable(path, error) from error


def _opened(path: Path) -> BinaryIO:
    if not path.is_file():  # opening a pipe would block without end
        path.stat()
        raise RecordError(f"{path}: is no file")
    return path.open("rb", buffering=_BUFFER_BYTES)


def _raw_lines(file: BinaryIO) -> Iterator[tuple[bytes, int]]:
    """Yield lines and their sizes in bytes; a line that is too long is shortened to one byte above the limit."""
    # One byte more than the longest line with its newline: what fills it is too long.
    most = MAX_LINE_BYTES + 2
    while raw := file.readline(most):
        size, last = len(raw), raw
        while len(last) == most and not last.endswith(b"\n"):
            last = file.readline(most)
            size += len(last)
        # The last byte tells a line that is too long from one that is torn.
        yield (raw if size == len(raw) else raw[:-1] + last[-1:]), size


@dataclass(frozen=True)
class JournalEnds:
    """The first and the last line of a journal, as far as they are good; ``last`` is None of one that is torn.

    ``start`` is the byte at which the last line begins.
    """

    header: Line | None
    last: Line | None
    start: int

    @property
    def footer(self) -> Line | None:
        """Return the line that marks a clean end; None without one."""
        return self.last if self.last is not None and self.last["k"] == "footer" else None


def read_ends(path: Path) -> JournalEnds:
    """Read the ends of a journal and nothing between. Raises ``RecordError`` as `iter_lines` does."""
    try:
        with _opened(path) as file:
            first = _good(file.readline(MAX_LINE_BYTES + 2))
            start, raw = _last_line(file)
            last = _good(raw)
    except OtherFormatError as error:
        raise RecordError(f"{path}: {error}") from None
    except OSError as error:
        raise _unreadable(path, error) from error
    return JournalEnds(
        first if first is not None and first["k"] == "header" and not first["seq"] else None, last, start
    )


def _last_line(file: BinaryIO) -> tuple[int, bytes]:
    size = file.seek(0, os.SEEK_END)
    much = _TAIL_BYTES
    while True:
        file.seek(max(0, size - much))
        tail = file.read(much)
        before = tail.rfind(b"\n", 0, -1)
        if before >= 0 or much >= min(size, MAX_LINE_BYTES + 2):
            return size - len(tail) + before + 1, tail[before + 1 :]
        much *= 8  # what is carried on may be long


def _good(raw: bytes) -> Line | None:
    try:
        return parse_line(raw[:-1]) if raw.endswith(b"\n") else None
    except OtherFormatError:
        raise
    except ValueError:
        return None


@dataclass
class _Damage:
    """The damage of a journal that is being read: the first lines of it, their number, and a torn end."""

    lines: list[DamagedLine] = field(default_factory=list)
    count: int = 0
    torn: PartialLine | None = None

    def good_lines(self, read: Iterable[Line | DamagedLine | PartialLine]) -> Iterator[Line]:
        """Yield the good lines, and keep what is wrong with the others."""
        for line in read:
            if isinstance(line, PartialLine):
                self.torn = line
            elif isinstance(line, DamagedLine):
                self.count += 1
                self.lines += [line] if self.count <= MAX_LISTED else []
            else:
                yield line


@dataclass(frozen=True)
class JournalScan:
    """A journal as found: its good lines, its damage, and how many bytes of it end in a whole line.

    ``damage`` has the first ``MAX_LISTED`` of the ``damaged`` lines.
    """

    lines: list[Line]
    damage: list[DamagedLine]
    whole_bytes: int
    torn_bytes: int
    damaged: int = 0

    @property
    def footer(self) -> Line | None:
        """Return the line that marks a clean end; None without one."""
        return self.lines[-1] if self.lines and self.lines[-1]["k"] == "footer" else None

    @cached_property
    def end_us(self) -> int:
        """Return the time of the end, or else of the last line."""
        if self.footer is not None:
            return int(self.footer["t"])
        return max((int(line["t"]) for line in self.lines if tells_time(line)), default=0)


def scan_journal(path: Path, *kinds: str) -> JournalScan:
    """Read a journal that may be torn or damaged, all kinds of its lines or only some; see `iter_lines`."""
    damage = _Damage()
    lines = list(damage.good_lines(iter_lines(path, *kinds)))
    torn = damage.torn
    whole_bytes, torn_bytes = (path.stat().st_size, 0) if torn is None else (torn.start, torn.bytes)
    return JournalScan(lines, damage.lines, whole_bytes, torn_bytes, damage.count)


def journal_of(session: Path) -> Path:
    """Return the journal of a session's folder, or the given path if it is a journal. Raises ``RecordError``."""
    try:
        path = session / JOURNAL if session.is_dir() else session
        if path.is_file():
            return path
    except OSError as error:
        raise _unreadable(session, error) from error
    raise RecordError(f"{session}: is no session: it has no {JOURNAL}")


def _unreadable(path: Path, error: OSError) -> RecordError:
    return RecordError(f"{path}: cannot be read: {os_error_text(error)}")


def read_journal(session: Path) -> list[Line]:
    """Read an undamaged journal. Raises ``RecordError`` naming the lines that are not to be trusted."""
    return list(undamaged_lines(session))


def undamaged_lines(session: Path) -> Iterator[Line]:
    """Return the lines of an undamaged journal; one line is kept at a time.

    Raises ``RecordError``, at the latest behind the last line, naming the lines that are not to be trusted.
    """
    path = journal_of(session)
    first: Line | None = None
    last: Line | None = None
    damage = _Damage()
    for line in damage.good_lines(iter_lines(path)):
        first, last = first or line, line
        yield line
    if damage.count or damage.torn is not None:
        raise RecordError(*_damage_text(path, damage), _remedy(session, first, last))
    if first is None or first["k"] != "header":
        raise RecordError(f"{path}: has no header line: nothing can be made of it")


def _damage_text(path: Path, damage: _Damage) -> Iterator[str]:
    yield from (f"{path}:{item.line}: {item.why}" for item in damage.lines)
    if damage.count > len(damage.lines):
        yield f"{path}: and {damage.count - len(damage.lines)} more lines"
    if damage.torn is not None:
        yield f"{path}: {damage.torn.why}"


def _remedy(session: Path, first: Line | None, last: Line | None) -> str:
    if last is None:
        return "it holds no whole line of a journal: nothing can be made of it"
    if last["k"] != "footer":
        return f"run `rig recover {session}` first"
    if first is None or first["k"] != "header":
        return (
            "its header is damaged and cannot be made good: it can neither be replayed nor are tables written from it"
        )
    return "a damaged line cannot be made good; `rig recover` writes trials.csv from the others"


def of_kind(lines: Iterable[Line], kind: str) -> Iterator[Line]:
    """Return an iterator over the lines of one kind."""
    return (line for line in lines if line["k"] == kind)


def tables_of(lines: Sequence[Line], header: Line) -> dict[str, list[Line]]:
    """Return the rows of every table of a session, by the tables' names."""
    tables: dict[str, list[Line]] = {TRIAL_TABLE: rows_of(lines), **{name: [] for name in header.get("tables", ())}}
    for line in of_kind(lines, "row"):
        tables[line["table"]].append(row_of(line))
    return tables


def rows_of(lines: Iterable[Line]) -> list[Line]:
    """Return the rows of the trial table, without the journal's own fields."""
    return [row_of(line) for line in of_kind(lines, "trial")]
