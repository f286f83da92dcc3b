"""Reading journals: every line checked, nothing guessed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rig.core.errors import RecordError
from rig.core.journal import FORMAT, row_of, unseal
from rig.core.rows import TRIAL_TABLE

JOURNAL = "journal.jsonl"
Line = dict[str, Any]

MOST_SAID = 20
"""No more damaged lines are listed: what has so many is another kind of file."""


@dataclass(frozen=True)
class Damage:
    """One line that cannot be trusted: its number in the file, counted from 1, and why."""

    line: int
    why: str


@dataclass(frozen=True)
class Scan:
    """A journal as found: its good lines, its damage, and how many bytes of it end in a whole line."""

    lines: list[Line]
    damage: list[Damage]
    whole_bytes: int
    torn_bytes: int

    @property
    def footer(self) -> Line | None:
        """The line that marks a clean end."""
        return self.lines[-1] if self.lines and self.lines[-1]["k"] == "footer" else None


def journal_of(session: Path) -> Path:
    """Find the journal of a session's folder, or take the path of a journal itself. Raises ``RecordError``."""
    try:
        path = session / JOURNAL if session.is_dir() else session
        if path.is_file():
            return path
    except OSError as error:
        raise _unreadable(session, error) from error
    raise RecordError(f"{session}: is no session: it has no {JOURNAL}")


def scan(path: Path) -> Scan:
    """Read a journal that may be torn or damaged. Raises ``RecordError`` for one that is not ours to read."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from error
    found = _scanned(data)
    check_format(path, next(of_kind(found.lines[:1], "header"), {}))
    return found


def check_format(path: Path, header: Line) -> None:
    """Refuse a journal of another version. Raises ``RecordError``."""
    if header.get("format", FORMAT) != FORMAT:
        raise RecordError(
            f"{path}: the journal's format is {header['format']}, this program reads {FORMAT}: "
            "use the version that wrote it, which environment.json names"
        )


def _unreadable(path: Path, error: OSError) -> RecordError:
    return RecordError(f"{path}: cannot be read: {error.strerror}")


def _scanned(data: bytes) -> Scan:
    whole = data.rfind(b"\n") + 1
    lines: list[Line] = []
    damage: list[Damage] = []
    expected = 0
    for number, raw in enumerate(data[:whole].split(b"\n")[:-1], start=1):
        try:
            line = unseal(raw)
        except ValueError as error:
            damage.append(Damage(number, str(error)))
            continue
        if line["seq"] != expected and not (damage and damage[-1].line == number - 1):
            damage.append(Damage(number, f"line {expected} should come here, found {line['seq']}"))
        expected = line["seq"] + 1
        lines.append(line)
    return Scan(lines, damage, whole, len(data) - whole)


def read(session: Path) -> list[Line]:
    """Read an undamaged journal. Raises ``RecordError`` naming the lines that are not to be trusted."""
    path = journal_of(session)
    found = scan(path)
    if found.damage or found.torn_bytes:
        raise RecordError("\n".join(_damage_said(path, session, found)))
    if not found.lines or found.lines[0]["k"] != "header":
        raise RecordError(f"{path}: has no header line: nothing can be made of it")
    return found.lines


def _damage_said(path: Path, session: Path, found: Scan) -> Iterator[str]:
    yield from (f"{path}:{item.line}: {item.why}" for item in found.damage[:MOST_SAID])
    if len(found.damage) > MOST_SAID:
        yield f"{path}: and {len(found.damage) - MOST_SAID} more lines"
    if found.torn_bytes:
        yield f"{path}: the last line is torn ({found.torn_bytes} bytes)"
    if not found.lines:
        yield "it holds no whole line of a journal: nothing can be made of it"
    elif found.footer is None:
        yield f"run `rig recover {session}` first"
    else:
        yield "a damaged line cannot be made good; `rig recover` writes trials.csv from the others"


def of_kind(lines: Iterable[Line], kind: str) -> Iterator[Line]:
    """Pick the lines of one kind."""
    return (line for line in lines if line["k"] == kind)


def tables_of(lines: Sequence[Line], header: Line) -> dict[str, list[Line]]:
    """Give the rows of every table of a session, by the tables' names."""
    tables: dict[str, list[Line]] = {TRIAL_TABLE: rows_of(lines), **{name: [] for name in header.get("tables", ())}}
    for line in of_kind(lines, "row"):
        tables[line["table"]].append(row_of(line))
    return tables


def rows_of(lines: Iterable[Line]) -> list[Line]:
    """Give the rows of the trial table, without the journal's own fields."""
    return [row_of(line) for line in of_kind(lines, "trial")]
