"""Reading of sessions to analyze: folders with a journal, and CSV files of other laboratories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from rig.analysis.common.plugin import Analysis, Analyzed, S, Source
from rig.analysis.common.select_analysis import Found, formats, select
from rig.analysis.common.user_errors import located_user_errors
from rig.config.errors.errors import collect_errors
from rig.core.errors import ConfigError, RecordError
from rig.records.journal.read import JOURNAL
from rig.records.recorded_session import RecordedSession, read_session
from rig.records.session.task_version import TaskVersion
from rig.records.session.trials import TRIALS
from rig.system.delimited_text import header_of
from rig.table_files.read_table import known_names

_TABLES = (".csv", ".tsv", ".tab", ".xls", ".xlsx", ".ods")
"""How files are called that hold data: one that cannot be read is a mistake."""


def read_sessions(
    paths: Sequence[Path],
    analyses: Sequence[Found],
    given: Mapping[str, Any],
    on_left_out: Callable[[str], object] = lambda text: None,
) -> tuple[Found, Analysis[Any], list[Source[Any]]]:
    """Read sessions in the order given; return the analysis for all of them, its instance, and the sessions.

    ``given`` are the words of the options. ``on_left_out`` gets the text of each file that is passed over. Raises
    ``ConfigError`` with the mistakes of all sessions.
    """
    readable = _without_strays(paths, analyses, on_left_out)
    first = readable[0]
    mistakes = [
        f"{each.path}: is for {each.found.name}, and {first.path} for {first.found.name}: wanted one kind"
        + ("" if any(one.is_file for one in readable) else ", or --analysis sessions")
        for each in readable
        if each.found != first.found
    ]
    if mistakes:
        raise ConfigError(*mistakes)
    with located_user_errors(first.found.kind):
        analysis = first.found.kind(_values(first.found, analyses, given))
    sources = _each_once(list(collect_errors(*(partial(_read_each, each, analysis) for each in readable))))
    often = Counter(source.session.name for source in sources)
    return first.found, analysis, [_renamed(source) if often[source.session.name] > 1 else source for source in sources]


def _without_strays(
    paths: Sequence[Path], analyses: Sequence[Found], on_left_out: Callable[[str], object]
) -> list[_Readable]:
    """Return the paths that an analysis can read. Raises ``ConfigError`` for the others, unless they are strays."""
    readable: list[_Readable] = []
    unread: list[tuple[Path, ConfigError]] = []
    for path in paths:
        try:
            readable.append(_checked(path, analyses))
        except ConfigError as error:
            unread.append((path, error))
    beside = {each.path.parent for each in readable if not each.is_file}
    strays = [path for path, _ in unread if readable and _is_stray(path, beside)]
    if mistakes := [mistake for path, error in unread if path not in strays for mistake in error.mistakes]:
        raise ConfigError(*dict.fromkeys(mistakes))
    for _, skipped in unread:
        on_left_out(skipped.mistakes[0])
    return readable


def _is_stray(path: Path, beside: Collection[Path]) -> bool:
    """Whether a file that cannot be read is none of the data: no table, or one that lies beside recorded sessions."""
    if not path.is_file() or path.suffix == ".jsonl" or (path.parent / JOURNAL).is_file():
        return False
    return path.suffix.lower() not in _TABLES or path.parent in beside


def _journal_of(path: Path) -> Path:
    journal = path / JOURNAL if path.is_dir() else path
    if not journal.is_file():
        raise ConfigError(f"{path}: has no {JOURNAL}: wanted a session's folder, <data>/<subject>/<date>/<number>")
    return journal


@dataclass(frozen=True)
class _Readable:
    """A path that an analysis can read, with that analysis."""

    path: Path
    found: Found
    is_file: bool


def _checked(path: Path, analyses: Sequence[Found]) -> _Readable:
    try:
        return _select(path, analyses)
    except RecordError as error:
        raise ConfigError(str(error)) from None
    except OSError as error:
        raise ConfigError(f"{error.filename or path}: cannot be read: {error.strerror}") from None


def _select(path: Path, analyses: Sequence[Found]) -> _Readable:
    if not path.exists():
        raise ConfigError(f"{path}: does not exist: wanted a session's folder, or a CSV file of one session")
    if path.name == TRIALS and (path.parent / JOURNAL).is_file():
        raise ConfigError(f"{path}: is the table of a session: wanted its folder, {path.parent}")
    if not path.is_dir() and path.suffix != ".jsonl":
        return _Readable(path, _by_columns(f"{path}:1", analyses, _column_names(path, analyses), of_file=True), True)
    journal = _journal_of(path)
    header = read_session(journal).header
    where = f"{journal}: is a journal of {header.protocol}"
    return _Readable(path, _by_columns(where, analyses, header.columns, protocol=header.protocol), False)


def _by_columns(
    where: str, analyses: Sequence[Found], columns: Sequence[str], *, of_file: bool = False, protocol: str = ""
) -> Found:
    """Return the analysis for these columns. Raises ``ConfigError`` with the missing columns, fewest first."""
    try:
        found = select(analyses, columns, of_file=of_file, protocol=protocol)
    except ConfigError as error:
        raise ConfigError(*(f"{where}: {mistake}" for mistake in error.mistakes)) from None
    if found is not None:
        return found
    needed = [(each.name, names) for each in analyses for names in formats(each, of_file)]
    lacking = [(name, [each for each in names if each not in columns]) for name, names in needed]
    nearest = sorted(lacking, key=lambda each: len(each[1]))
    lacks = "; ".join(f"{name} also needs {', '.join(names)}" for name, names in nearest)
    if not lacks:
        names = " and ".join(each.name for each in analyses)
        raise ConfigError(f"{where}: {names} cannot read CSV files: wanted a session's folder")
    suits = "no analysis suits" if len(analyses) > 1 else f"{analyses[0].name} does not suit"
    raise ConfigError(f"{where}: {suits} these columns: {lacks}")


def _column_names(path: Path, analyses: Sequence[Found]) -> list[str]:
    try:
        first = header_of(path)
    except RecordError as error:
        raise ConfigError(f"{error}: wanted a CSV file of one session, or a session's folder") from None
    if not first:
        raise ConfigError(f"{path}: has no column names in line 1: wanted a CSV file of one session")
    return known_names(first, [name for analysis in analyses for names in formats(analysis, True) for name in names])


def _values(found: Found, analyses: Sequence[Found], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the value of every option of an analysis. Raises ``ConfigError`` for an option of another analysis."""
    own = {option.name: option for option in found.kind.options}
    for other in analyses:
        for option in other.kind.options:
            if option.name not in own and given.get(option.name):
                raise ConfigError(
                    f"{option.flag}: is an option of {other.name}, but these sessions are for {found.name}"
                )
    return {name: option.value(given.get(name)) for name, option in own.items()}


def _read_each(each: _Readable, analysis: Analysis[Any]) -> Source[Any]:
    try:
        with located_user_errors(type(analysis)):
            return _read(each, analysis)
    except RecordError as error:
        raise ConfigError(str(error)) from None
    except OSError as error:
        raise ConfigError(f"{error.filename or each.path}: cannot be read: {error.strerror}") from None


def _read(each: _Readable, analysis: Analysis[Any]) -> Source[Any]:
    if each.is_file:
        return Source(each.path, analysis.of_file(each.path))
    recorded = read_session(_journal_of(each.path))
    source = source_of(recorded, analysis)
    named = tuple(f"{recorded.full_name}: {note}" for note in (*_notes(recorded, source.session), *source.notes))
    version = TaskVersion.of(recorded.full_name, recorded.header, recorded.folder)
    return replace(source, path=each.path, notes=named, version=version)


def source_of(recorded: RecordedSession, analysis: Analysis[S]) -> Source[S]:
    """Return a recorded session as an analysis holds it. Raises ``ConfigError`` and ``RecordError``."""
    with located_user_errors(type(analysis)):
        session, notes = analysis.of_session(recorded)
    return Source(recorded.folder, session, tuple(notes), simulated=recorded.simulated)


def _notes(recorded: RecordedSession, session: Analyzed) -> Iterator[str]:
    """Yield notes on missing parts of a session, so that a part is not taken for the whole."""
    scan, footer = recorded.scan, recorded.footer
    if scan.damage:
        first = scan.damage[0]
        lines = "1 damaged line is" if scan.damaged == 1 else f"{scan.damaged} damaged lines are"
        yield f"{lines} excluded, the first is line {first.line}: {first.why}"
    if footer is None:
        yield f"has no footer (program did not end it): its {session.trials} complete trials are analyzed"
    elif footer.reason in ("crash", "fault", "panic"):
        yield f"ended by a {footer.reason}: its {session.trials} complete trials are analyzed"


def _each_once(sources: Sequence[Source[Any]]) -> list[Source[Any]]:
    """Return the sessions without repeated simulations. Raises ``ConfigError`` for other sessions given twice.

    The same session twice would count its trials as independent. Copies under other names are found too. Simulations
    with the same seed are such copies, but no mistake.
    """
    kept: dict[bytes, Source[Any]] = {}
    mistakes: list[str] = []
    for number, source in enumerate(sources):
        key = source.session.fingerprint if source.session.trials else str(number).encode()
        first = kept.setdefault(key, source)
        if first is source:
            continue
        if source.path != first.path and source.simulated and first.simulated:
            note = f"{source.path}: left out: a simulation with the same trials as {first.path}"
            kept[key] = replace(first, notes=(*first.notes, note))
        else:
            same = "is given twice" if first.path == source.path else f"has the same trials as {first.path}"
            mistakes.append(f"{source.path}: {same}: give every session once")
    if mistakes:
        raise ConfigError(*mistakes)
    return list(kept.values())


def _renamed(source: Source[Any]) -> Source[Any]:
    return replace(source, session=replace(source.session, name=str(source.path)))
