"""Read journals: check every line, guess nothing, and keep only the requested lines."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias, TypeVar, get_args

from rig.core.errors import RecordError
from rig.core.journal.codec import (
    MAX_LINE_BYTES,
    OtherFormatError,
    head_of,
    parse_line,
    session_line,
    unsealed,
    usual_line,
)
from rig.core.journal.header import Footer, Header
from rig.core.journal.kinds import Correction, RewardLine, RowLine, SessionLine, TrialLine
from rig.core.model.line import Line, kind_of
from rig.core.model.rows import TRIAL_TABLE
from rig.system.atomic_files import read_errors

JOURNAL = "journal.jsonl"

_CORRECTIONS = frozenset(kind_of(kind) for kind in (Correction, RewardLine, Footer))
"""The lines of a correction, which is appended also after a footer, and ends in another one."""

_TURNS = frozenset(kind_of(kind) for kind in (Header, Footer, Correction))
"""The lines after which others are allowed than before."""

_ONLY_FIRST = "only the first line can be a header"

Row: TypeAlias = dict[str, Any]
L = TypeVar("L", bound=Line)

MAX_LISTED = 20
"""Maximum of damaged lines in an error: a file with more is probably not a journal."""

_BLOCK_BYTES = 1 << 18
_TAIL_BYTES = 1 << 16


@dataclass(frozen=True)
class DamagedLine:
    """One line that cannot be trusted: its number in the file, counted from 1, and why."""

    line: int
    why: str


@dataclass(frozen=True)
class TornLine(DamagedLine):
    """Bytes after the last whole line, as a crash in the middle of an append leaves them: from where, how many."""

    start: int
    bytes: int


_PLAIN = frozenset(get_args(SessionLine)) - {Header, Footer, Correction, TrialLine, RowLine}
"""The kinds that are not checked against other lines."""


class JournalReader:
    """Checks the lines of one journal, one after the other, each by itself and against those before it.

    Of ``kinds`` the lines are given; of all others only sum, head and number are checked. None named is every kind.
    Raises ``OtherFormatError`` for a header of another format.
    """

    def __init__(self, *kinds: type[Line]) -> None:
        self._kinds = frozenset(kind_of(kind) for kind in kinds)
        self._needs_care = bool(kinds)
        """Whether some lines are not wanted or not allowed here, or lines before are lost."""
        self._number = 0
        self._expected = 0
        self._in_damage = False
        self._columns: Mapping[str, frozenset[str]] | None = None
        self._ended = False
        self._corrected = False

    @property
    def last_seq(self) -> int:
        """Return the number of the last good line; -1 without one."""
        return self._expected - 1

    def take(self, raw: bytes) -> tuple[SessionLine | DamagedLine, ...]:
        """Read the next line, without its newline, and return it, its damage, or both."""
        line = self.take_usual(raw)
        return self.take_unusual(raw) if line is None else (line,)

    def take_usual(self, raw: bytes) -> SessionLine | None:
        """Read the next line if it is spelled as the writer spells it, and expected here; else return None."""
        if self._needs_care:
            return None
        line = usual_line(raw, self._expected)
        if line is None or (type(line) not in _PLAIN and not self._is_good_row(line)):
            return None
        self._number += 1
        self._expected += 1
        return line

    def take_unusual(self, raw: bytes) -> tuple[SessionLine | DamagedLine, ...]:
        """Read the next line, one that `take_usual` did not take."""
        self._number += 1
        try:
            body = unsealed(raw)
            place, kind = head_of(body)
            line = self._checked(body, place, kind)
        except ValueError as error:
            if isinstance(error, OtherFormatError):
                if self._number == 1:  # no damage: the operator needs another version of the program
                    raise
                error = ValueError(_ONLY_FIRST)
            self._in_damage = self._needs_care = True
            return (DamagedLine(self._number, str(error)),)
        # Damage may have swallowed several lines: the gap behind it is the same loss, and is not reported again.
        is_gap = place != self._expected and not self._in_damage
        gap = (DamagedLine(self._number, f"line {self._expected} should come here, found {place}"),) if is_gap else ()
        self._expected, self._in_damage = place + 1, False
        self._needs_care = bool(self._kinds) or self._ended or self._corrected
        return gap if line is None else (*gap, line)

    def _checked(self, body: bytes, place: int, kind: str) -> SessionLine | None:
        """Return a line, if anybody wants it; check it against those before. Raises ``ValueError``."""
        if (self._ended and kind != "correction") or (self._corrected and kind not in _CORRECTIONS):
            raise ValueError("it comes after the footer")
        is_wanted = not self._kinds or kind in self._kinds
        if kind in _TURNS:
            line = session_line(body)
            self._turn(line, place)
            return line if is_wanted else None
        if not is_wanted:
            return None
        line = session_line(body)
        if isinstance(line, (TrialLine, RowLine)) and (problem := self._row_problem(line)):
            raise ValueError(problem)
        return line

    def _turn(self, line: SessionLine, place: int) -> None:
        if isinstance(line, Header):
            if place or self._expected:
                raise ValueError(_ONLY_FIRST)
            self._columns = {name: frozenset(columns) for name, columns in line.columns_by_table.items()}
        self._ended = isinstance(line, Footer)
        self._corrected = self._corrected or isinstance(line, Correction)

    def _is_good_row(self, line: SessionLine) -> bool:
        return isinstance(line, (TrialLine, RowLine)) and not self._row_problem(line)

    def _row_problem(self, line: TrialLine | RowLine) -> str:
        """Return what is wrong with a row, by the header's tables; without a header nothing is."""
        if self._columns is None:
            return ""
        name = TRIAL_TABLE if isinstance(line, TrialLine) else line.table
        columns = self._columns.get(name)
        if columns is None or (name == TRIAL_TABLE and isinstance(line, RowLine)):
            return f"its header names no table '{name:.40}'"
        if line.row.keys() != columns:
            odd = sorted(columns.symmetric_difference(line.row))
            return f"it has not the columns of its table: {', '.join(odd)[:80]}"
        return ""


def iter_lines(path: Path, *kinds: type[Line]) -> Iterator[SessionLine | DamagedLine]:
    """Return a journal line by line, all kinds or only some, and what is damaged or torn; one line is kept at a time.

    Raises ``RecordError`` for one that cannot be read, or is of another format.
    """
    return read_lines(path, JournalReader(*kinds))


def read_lines(path: Path, reader: JournalReader) -> Iterator[SessionLine | DamagedLine]:
    """Return what a reader gives of a journal, as `iter_lines` does."""
    number = start = 0
    rest = b""
    with _opened(path) as file:
        while block := file.read(_BLOCK_BYTES):
            *whole, rest = (rest + block).split(b"\n")
            rest = rest[: MAX_LINE_BYTES + 1]  # of a line that is too long no more is kept
            for raw in whole:
                line = reader.take_usual(raw)
                if line is None:
                    yield from reader.take_unusual(raw)
                else:
                    yield line
            if whole:
                number += len(whole)
                start = file.tell() - len(block) + block.rindex(b"\n") + 1
        if size := file.tell() - start:
            yield TornLine(number + 1, f"the last line is torn ({size} bytes)", start, size)


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """Open a journal. Raises ``RecordError`` for one that cannot be read, or is found to be of another format."""
    try:
        with read_errors(path):
            if not path.is_file():  # opening a pipe would block without end
                path.stat()
                raise RecordError(f"{path}: is no file")
            with path.open("rb") as file:
                yield file
    except OtherFormatError as error:
        raise RecordError(f"{path}: {error}") from None


@dataclass(frozen=True)
class JournalEnds:
    """The first and the last line of a journal, as far as they are good; ``last`` is None of one that is torn.

    ``start`` is the byte at which the last line begins, ``last_seq`` its number.
    """

    header: Header | None
    last: SessionLine | None
    last_seq: int
    start: int

    @property
    def footer(self) -> Footer | None:
        """Return the line that marks a clean end; None without one."""
        return self.last if isinstance(self.last, Footer) else None


def read_ends(path: Path) -> JournalEnds:
    """Read the ends of a journal and nothing between. Raises ``RecordError`` as `iter_lines` does."""
    with _opened(path) as file:
        place, first = _good(file.readline(MAX_LINE_BYTES + 2))
        start, raw = _last_line(file)
        last_seq, last = _good(raw)
    return JournalEnds(first if isinstance(first, Header) and not place else None, last, last_seq, start)


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


def _good(raw: bytes) -> tuple[int, SessionLine | None]:
    """Return a line and its number, if it is good."""
    try:
        return parse_line(raw[:-1]) if raw.endswith(b"\n") else (0, None)
    except OtherFormatError:
        raise
    except ValueError:
        return 0, None


@dataclass
class JournalScan:
    """A journal as read so far: its damage, its end, and its good lines if they are kept.

    ``damage`` has the first ``most_listed`` of the ``damaged`` lines, without a torn end.
    """

    lines: list[SessionLine] = field(default_factory=list)
    damage: list[DamagedLine] = field(default_factory=list)
    damaged: int = 0
    torn: TornLine | None = None
    footer: Footer | None = None
    """The line that marks a clean end; None if the last line is another one."""
    most_listed: int = MAX_LISTED
    _last_us: int = 0

    def good_lines(self, read: Iterable[SessionLine | DamagedLine]) -> Iterator[SessionLine]:
        """Yield the good lines, which are not kept; note what is wrong with the others, and the end."""
        for line in read:
            if isinstance(line, TornLine):
                self.torn = line
            elif isinstance(line, DamagedLine):
                self.count(line)
            else:
                self.footer = line if isinstance(line, Footer) else None
                if line.t_us > self._last_us and tells_time(line):
                    self._last_us = line.t_us
                yield line

    def count(self, line: DamagedLine) -> None:
        """Record a damaged line."""
        self.damaged += 1
        if self.damaged <= self.most_listed:
            self.damage.append(line)

    @property
    def torn_bytes(self) -> int:
        """Return how many bytes of a torn line end the journal."""
        return 0 if self.torn is None else self.torn.bytes

    @property
    def end_us(self) -> int:
        """Return the time of the end, or else the latest time of the lines."""
        return self._last_us if self.footer is None else self.footer.t_us


def scan_journal(path: Path, *kinds: type[Line]) -> JournalScan:
    """Read a journal that may be torn or damaged, all kinds of its lines or only some; see `iter_lines`."""
    scan = JournalScan()
    scan.lines += scan.good_lines(iter_lines(path, *kinds))
    return scan


def journal_of(session: Path) -> Path:
    """Return the journal of a session's folder, or the given path if it is a journal. Raises ``RecordError``."""
    with read_errors(session):
        path = session / JOURNAL if session.is_dir() else session
        if path.is_file():
            return path
    raise RecordError(f"{session}: is no session: it has no {JOURNAL}")


def read_journal(session: Path) -> list[SessionLine]:
    """Read an undamaged journal. Raises ``RecordError`` naming the lines that are not to be trusted."""
    return list(undamaged_lines(session))


def undamaged_lines(session: Path) -> Iterator[SessionLine]:
    """Return the lines of an undamaged journal; one line is kept at a time.

    Raises ``RecordError``, at the latest behind the last line, naming the lines that are not to be trusted.
    """
    path = journal_of(session)
    first: SessionLine | None = None
    last: SessionLine | None = None
    scan = JournalScan()
    for line in scan.good_lines(iter_lines(path)):
        first, last = first or line, line
        yield line
    if scan.damaged or scan.torn is not None:
        raise RecordError(*_damage_text(path, scan), _remedy(session, first, last))
    if not isinstance(first, Header):
        raise RecordError(f"{path}: has no header line: nothing can be made of it")


def _damage_text(path: Path, scan: JournalScan) -> Iterator[str]:
    yield from (f"{path}:{item.line}: {item.why}" for item in scan.damage)
    if scan.damaged > len(scan.damage):
        yield f"{path}: and {scan.damaged - len(scan.damage)} more lines"
    if scan.torn is not None:
        yield f"{path}: {scan.torn.why}"


def _remedy(session: Path, first: SessionLine | None, last: SessionLine | None) -> str:
    if last is None:
        return "it holds no whole line of a journal: nothing can be made of it"
    if not isinstance(last, Footer):
        return f"run `rig recover {session}` first"
    if not isinstance(first, Header):
        return (
            "its header is damaged and cannot be made good: it can neither be replayed nor are tables written from it"
        )
    return "a damaged line cannot be made good; `rig recover` writes trials.csv from the others"


def tells_time(line: Line) -> bool:
    """Whether the session had come to a line's time: an unconfirmed reward has the latest one of its delivery."""
    return not isinstance(line, RewardLine)


def of_kind(lines: Iterable[Line], kind: type[L]) -> Iterator[L]:
    """Return an iterator over the lines of one kind."""
    return (line for line in lines if isinstance(line, kind))


def tables_of(lines: Sequence[Line], header: Header) -> dict[str, list[Row]]:
    """Return the rows of every table of a session, by the tables' names."""
    tables: dict[str, list[Row]] = {TRIAL_TABLE: rows_of(lines), **{name: [] for name in header.tables}}
    for line in of_kind(lines, RowLine):
        tables[line.table].append(line.row)
    return tables


def rows_of(lines: Iterable[Line]) -> list[Row]:
    """Return the rows of the trial table."""
    return [line.row for line in of_kind(lines, TrialLine)]
