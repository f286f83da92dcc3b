"""The sessions that a person names by their own folders, or by those of days, subjects or all data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from rig.core.errors import ConfigError, RecordError
from rig.records.journal.read import JOURNAL
from rig.records.session.find import find_sessions
from rig.records.session.never_began import never_began
from rig.records.session.summary import SUMMARY
from rig.records.session.trials import TRIALS
from rig.system.atomic_files import read_errors
from rig.system.config_paths import SIMULATED

_RECORDS = (TRIALS, SUMMARY, "environment.json")
"""A folder that holds one of these was a session's: its journal is lost."""


def choose_sessions(names: Sequence[str], on_left_out: Callable[[str], object]) -> list[Path]:
    """Return the paths of sessions and of files; the folder of a day, a subject or all data stands for its sessions.

    ``on_left_out`` gets the text of each folder that is passed over beside others: one without sessions, and one of
    simulated sessions beside real ones, which ``data/*/*/*`` matches too. Raises ``ConfigError``.
    """
    chosen: list[tuple[Path, list[Path]]] = []
    left_out: list[str] = []
    for path in map(Path, names):
        if own := _sessions_of(path):
            chosen.append((path, own))
        else:
            left_out.append(_nothing_in(path))
    if not chosen:
        raise ConfigError(*left_out)
    has_real = any(path.is_dir() and not _is_simulated(path) for path, _ in chosen)
    simulated = [path for path, own in chosen if has_real and own != [path] and _is_simulated(path)]
    left_out += [f"{path}: has simulated sessions, and others are real: analyze it alone" for path in simulated]
    for text in left_out:
        on_left_out(text)
    return list(_each_once([(path, own) for path, own in chosen if path not in simulated]))


def _sessions_of(path: Path) -> list[Path]:
    """Return the sessions that a path stands for; none of an empty folder. Raises ``ConfigError``."""
    if _is_session(path) or not path.is_dir():
        return [] if _never_began(path) else [path]
    if lost := [name for name in _RECORDS if (path / name).exists()]:
        raise ConfigError(f"{path}: has {lost[0]} and no {JOURNAL}: the journal of this session is lost")
    try:
        return [journal.parent for journal in find_sessions(path)]
    except RecordError:
        return []


def _nothing_in(path: Path) -> str:
    if (path / SIMULATED).is_dir():
        return f"{path}: has no real session: its simulated ones are in {path / SIMULATED}"
    return f"{path}: has no session: wanted a folder with {JOURNAL}, or one above such folders"


def _each_once(chosen: Sequence[tuple[Path, list[Path]]]) -> Iterator[Path]:
    """Yield the sessions; one of a folder that was named before, or is named by itself, is not repeated."""
    seen = {path.resolve() for path, own in chosen if own == [path]}
    for path, own in chosen:
        if own == [path]:  # named twice: the reader of the sessions says so
            yield path
            continue
        for session in own:
            if session.resolve() not in seen:
                seen.add(session.resolve())
                yield session


def _is_session(path: Path) -> bool:
    with read_errors(path):
        return (path / JOURNAL).is_file()


def _never_began(path: Path) -> bool:
    with suppress(OSError):
        return path.is_dir() and never_began(path)
    return False


def _is_simulated(path: Path) -> bool:
    """Whether a path is the folder of simulated subjects, or lies in it: a subject, a day or a session."""
    return SIMULATED in (path.name, *(above.name for above in [*path.parents][:3]))
