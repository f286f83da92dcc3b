"""Sessions to analyse: folders with a journal, and CSV files of decisions, of laps or of pecks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from rig.analysis import sessions as bandit
from rig.analysis.disks import pecks as disks
from rig.analysis.disks.assignments import of_journal
from rig.analysis.disks.pecks import Visit
from rig.analysis.maze import laps as maze
from rig.analysis.maze.laps import Laps
from rig.analysis.maze.track import Operator
from rig.analysis.sessions import Session
from rig.cli.analyse_tracks import tracked_by_file, tracked_by_journal
from rig.config import laps as lap_files
from rig.config import pecks as peck_files
from rig.config.decisions import read_decisions
from rig.config.mistakes import collect
from rig.core.errors import ConfigError, RecordError
from rig.records.positions import KIND
from rig.records.read import JOURNAL, Scan, rows_of, scan
from rig.records.trials import TRIALS

S = TypeVar("S", Session, Laps, Visit)


READ = ("header", "trial", "note", KIND, "footer")
"""The lines of a journal that are looked at here; all others are only checked."""


class Source(NamedTuple, Generic[S]):
    """A session, its protocol, where it was read, and what the reader must know of it."""

    path: Path
    protocol: str
    session: S
    notes: tuple[str, ...] = ()


class Kind(NamedTuple):
    """How sessions of one protocol are told, by the columns of its trial table, and made from its rows."""

    needed: Sequence[str]
    of_rows: Callable[[str, str, Iterable[Mapping[str, Any]]], Session | Laps | Visit]


KINDS = {
    "two_armed_bandit": Kind(bandit.NEEDED, bandit.of_rows),
    "delay_discounting": Kind(lap_files.NEEDED, maze.of_rows),
    "disk_bandit": Kind(peck_files.NEEDED, disks.of_rows),
}


def read_sessions(names: Sequence[str], operator: Operator) -> tuple[str, list[Source[Any]]]:
    """Read sessions in the order given, all of one protocol, which is returned with them.

    Raises ``ConfigError`` with the mistakes of all of them.
    """
    sources = list(collect(*(partial(_readable, Path(name), operator) for name in names)))
    mistakes = [*_of_another_protocol(sources), *_twice(sources)]
    if mistakes:
        raise ConfigError(*mistakes)
    often = Counter(source.session.name for source in sources)
    return sources[0].protocol, [_renamed(source) if often[source.session.name] > 1 else source for source in sources]


def _readable(path: Path, operator: Operator) -> Source[Any]:
    try:
        return _read(path, operator)
    except RecordError as error:
        raise ConfigError(str(error)) from None
    except OSError as error:
        raise ConfigError(f"{error.filename or path}: cannot be read: {error.strerror}") from None


def _read(path: Path, operator: Operator) -> Source[Any]:
    if not path.exists():
        raise ConfigError(f"{path}: is not there: wanted a session's folder, or a CSV in the public format")
    if path.name == TRIALS and (path.parent / JOURNAL).is_file():
        raise ConfigError(f"{path}: is the table of a session: wanted its folder, {path.parent}")
    if path.is_dir() or path.suffix == ".jsonl":
        return _read_journal(path, operator)
    subject = path.stem.partition("_")[0]
    if peck_files.is_peck_file(path):
        return Source(path, "disk_bandit", disks.of_rows(path.stem, subject, peck_files.read_pecks(path)))
    if lap_files.is_lap_file(path):
        laps = maze.of_rows(path.stem, subject, lap_files.read_laps(path))
        return Source(path, "delay_discounting", tracked_by_file(laps, path, operator))
    return Source(path, "two_armed_bandit", bandit.of_decisions(path.stem, subject, read_decisions(path)))


def _read_journal(path: Path, operator: Operator) -> Source[Any]:
    journal = path / JOURNAL if path.is_dir() else path
    if not journal.is_file():
        raise ConfigError(f"{path}: has no {JOURNAL}: wanted a session's folder, <data>/<subject>/<date>/<number>")
    found = scan(journal, *READ)
    if not found.lines or found.lines[0]["k"] != "header":
        raise ConfigError(f"{journal}: does not begin with a header: wanted the journal of a session")
    header = found.lines[0]
    protocol = _protocol(journal, header)
    folder = journal.resolve().parent
    name = "/".join(folder.parts[-3:])
    subject = str(header.get("subject") or folder.parts[-3])
    session = KINDS[protocol].of_rows(name, subject, rows_of(found.lines))
    if isinstance(session, Visit):
        session = of_journal(session, found.lines)
    notes = list(_notes(found, session))
    if isinstance(session, Laps):
        session, more = tracked_by_journal(session, folder, found.lines, operator)
        notes += more
    return Source(path, protocol, session, tuple(f"{name}: {note}" for note in notes))


def _protocol(journal: Path, header: Mapping[str, Any]) -> str:
    columns = header.get("columns", ())
    missing = {name: [each for each in kind.needed if each not in columns] for name, kind in KINDS.items()}
    for name, columns_missing in missing.items():
        if not columns_missing:
            return name
    lacks = ", and no ".join(f"{', '.join(names)} as {protocol} has" for protocol, names in missing.items())
    raise ConfigError(
        f"{journal}: is a journal of {header.get('protocol', 'no protocol')}, whose trials have no {lacks}: "
        f"wanted one of {' or '.join(KINDS)}"
    )


def _notes(found: Scan, session: Session | Laps | Visit) -> Iterator[str]:
    """Say what is missing of a session, so that nobody takes a part for the whole."""
    if found.damage:
        first = found.damage[0]
        yield f"{len(found.damage)} damaged lines are left out, the first is line {first.line}: {first.why}"
    if found.footer is None:
        yield f"was not ended by its program: its {session.trials} whole completed trials are analysed"
    elif found.footer.get("reason") in ("crash", "fault"):
        reason = found.footer["reason"]
        yield f"ended by a {reason}: its {session.trials} whole completed trials are analysed"


def _of_another_protocol(sources: Sequence[Source[Any]]) -> Iterator[str]:
    first = sources[0]
    for each in sources:
        if each.protocol != first.protocol:
            yield f"{each.path}: is of {each.protocol}, and {first.path} of {first.protocol}: wanted one protocol"


def _twice(sources: Sequence[Source[Any]]) -> Iterator[str]:
    seen: dict[bytes, Path] = {}
    for path, _, session, _ in sources:
        first = seen.setdefault(session.fingerprint, path) if session.trials else path
        if first is not path:
            same = "is given twice" if first == path else f"holds the same trials as {first}"
            yield f"{path}: {same}: wanted every session once"


def _renamed(source: Source[Any]) -> Source[Any]:
    return source._replace(session=replace(source.session, name=str(source.path)))
