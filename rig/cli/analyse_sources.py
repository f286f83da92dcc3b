"""Sessions to analyse: folders with a journal, and files in the public format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from rig.analysis.sessions import NEEDED, Session, of_decisions, of_rows
from rig.config.decisions import read_decisions
from rig.config.mistakes import collect
from rig.core.errors import ConfigError, RecordError
from rig.records.read import JOURNAL, Scan, rows_of, scan
from rig.records.trials import TRIALS


class Source(NamedTuple):
    """A session, where it was read, and what the reader must know of it."""

    path: Path
    session: Session
    notes: tuple[str, ...] = ()


def read_sessions(names: Sequence[str]) -> list[Source]:
    """Read sessions in the order given. Raises ``ConfigError`` with the mistakes of all of them."""
    sources = list(collect(*(partial(_readable, Path(name)) for name in names)))
    mistakes = list(_twice(sources))
    if mistakes:
        raise ConfigError(*mistakes)
    often = Counter(source.session.name for source in sources)
    return [_renamed(source) if often[source.session.name] > 1 else source for source in sources]


def _readable(path: Path) -> Source:
    try:
        return _read(path)
    except RecordError as error:
        raise ConfigError(str(error)) from None
    except OSError as error:
        raise ConfigError(f"{error.filename or path}: cannot be read: {error.strerror}") from None


def _read(path: Path) -> Source:
    if not path.exists():
        raise ConfigError(f"{path}: is not there: wanted a session's folder, or a CSV in the public format")
    if path.name == TRIALS and (path.parent / JOURNAL).is_file():
        raise ConfigError(f"{path}: is the table of a session: wanted its folder, {path.parent}")
    if path.is_dir() or path.suffix == ".jsonl":
        return _read_journal(path)
    name = path.stem
    return Source(path, of_decisions(name, name.partition("_")[0], read_decisions(path)))


def _read_journal(path: Path) -> Source:
    journal = path / JOURNAL if path.is_dir() else path
    if not journal.is_file():
        raise ConfigError(f"{path}: has no {JOURNAL}: wanted a session's folder, <data>/<subject>/<date>/<number>")
    found = scan(journal)
    if not found.lines or found.lines[0]["k"] != "header":
        raise ConfigError(f"{journal}: does not begin with a header: wanted the journal of a session")
    header = found.lines[0]
    missing = [name for name in NEEDED if name not in header.get("columns", ())]
    if missing:
        raise ConfigError(
            f"{journal}: is a journal of {header.get('protocol', 'no protocol')}, whose trials have no "
            f"{', '.join(missing)}: wanted one of a two-armed bandit"
        )
    folder = journal.resolve().parent
    name = "/".join(folder.parts[-3:])
    session = of_rows(name, str(header.get("subject") or folder.parts[-3]), rows_of(found.lines))
    return Source(path, session, tuple(f"{name}: {note}" for note in _notes(found, session)))


def _notes(found: Scan, session: Session) -> Iterator[str]:
    """Say what is missing of a session, so that nobody takes a part for the whole."""
    if found.damage:
        first = found.damage[0]
        yield f"{len(found.damage)} damaged lines are left out, the first is line {first.line}: {first.why}"
    if found.footer is None:
        yield f"was not ended by its program: its {session.trials} whole completed trials are analysed"
    elif found.footer.get("reason") in ("crash", "fault"):
        reason = found.footer["reason"]
        yield f"ended by a {reason}: its {session.trials} whole completed trials are analysed"


def _twice(sources: Sequence[Source]) -> Iterator[str]:
    seen: dict[bytes, Path] = {}
    for path, session, _ in sources:
        first = seen.setdefault(session.fingerprint, path) if session.trials else path
        if first is not path:
            same = "is given twice" if first == path else f"holds the same trials as {first}"
            yield f"{path}: {same}: wanted every session once"


def _renamed(source: Source) -> Source:
    return source._replace(session=replace(source.session, name=str(source.path)))
