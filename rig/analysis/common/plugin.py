"""Interface of an analysis: the tables that it reads, its options, and its report.

An analysis is an entry point of ``rig.analyses``, or a class in a laboratory's file. Its module is imported for
``rig analyze --help``: put slow imports, such as NumPy, into the methods or into modules that they import.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from rig.core.errors import ConfigError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rig.analysis.common.tables import Table
    from rig.records.recorded_session import RecordedSession
    from rig.records.session.task_version import TaskVersion


class Analyzed(Protocol):
    """One session as an analysis holds it: a frozen dataclass with a field ``name``."""

    @property
    def name(self) -> str:
        """Return the name of the session."""

    @property
    def trials(self) -> int:
        """Return the number of analyzed units: trials, laps or pecks."""

    @property
    def fingerprint(self) -> bytes:
        """Return bytes that are equal for two sessions only if they are the same recording."""


S = TypeVar("S", bound=Analyzed)


@dataclass(frozen=True)
class Source(Generic[S]):
    """A session, the path it was read from, and notes for the reader."""

    path: Path
    session: S
    notes: tuple[str, ...] = ()
    simulated: bool = False
    """Whether the journal says that the subject was virtual."""
    version: TaskVersion | None = None
    """The code and the parameters of a recorded session; None for a file of another laboratory."""


@dataclass(frozen=True)
class Option:
    """An option of the command line; without ``parse`` it takes no value.

    ``parse`` converts the word that follows into a value, or raises ``ValueError`` with the accepted values.
    """

    flag: str
    help: str
    metavar: str = ""
    parse: Callable[[str], Any] | None = None
    default: Any = None
    writes: bool = False
    """Whether it names a file to write, or has the records changed: a study refuses it."""

    @property
    def name(self) -> str:
        """Return the key in ``Analysis.given``, such as ``skip_first`` for ``--skip-first``."""
        return self.flag.removeprefix("--").replace("-", "_")

    def value(self, word: str | bool | None) -> Any:
        """Return the value of a word, or the default without one. Raises ``ConfigError``."""
        if word is None or word is False:
            return self.default if self.parse else False
        if self.parse is None or isinstance(word, bool):
            return True
        try:
            return self.parse(word)
        except ValueError as error:
            raise ConfigError(f"{self.flag} {word}: wanted {error}") from None


def count(word: str) -> int:
    """Parse a whole number from 0. Raises ``ValueError``."""
    return int(_number(word, "a whole number, 0 or more", int, lambda value: value >= 0))


def at_least_zero(word: str) -> float:
    """Parse a number from 0. Raises ``ValueError``."""
    return _number(word, "0 or more", float, lambda value: value >= 0)


def above_zero(word: str) -> float:
    """Parse a number above 0. Raises ``ValueError``."""
    return _number(word, "more than 0", float, lambda value: value > 0)


def _number(word: str, wanted: str, kind: Callable[[str], float], accepts: Callable[[float], bool]) -> float:
    try:
        value = kind(word)
    except ValueError:
        raise ValueError(wanted) from None
    if not accepts(value):
        raise ValueError(wanted)
    return value


class Report(ABC):
    """Output of an analysis.

    ``notes`` are texts for the reader: sessions that were excluded, and the reasons.
    """

    notes: Sequence[str]

    @abstractmethod
    def document(self) -> Mapping[str, Any]:
        """Return the data for ``--json``; numbers that are not finite are printed as null."""

    @abstractmethod
    def tables(self) -> Iterator[Table]:
        """Yield the printed tables."""

    def figures(self) -> Iterator[tuple[str, Figure]]:
        """Yield file name and figure. Needs matplotlib."""
        yield from ()

    def write(self) -> list[str]:
        """Write the files that options ask for; return their paths. Raises ``ConfigError``."""
        return []


class Analysis(ABC, Generic[S]):
    """Analysis of the sessions of one kind of trial table.

    ``about`` completes "options of …". ``columns`` are the columns of the trial table that it needs. If a table has the
    columns of several analyses, ``rig analyze`` takes the one that needs the most. ``file_columns`` are the columns of
    a CSV file for ``of_file``; without them it reads no files. ``other_file_columns`` are those of further formats.
    ``protocols`` are the protocols whose sessions it takes before another analysis of the same columns. ``fills`` are
    columns that are known only after the session. ``answers`` are the keys of its report's document, whatever the
    sessions are; an analysis that does not name them is asked only when it has run. ``pools`` is false for an analysis
    that keeps every session apart. ``separates`` are the parameters of the protocol whose values an analysis keeps
    apart: sessions that differ in others, or in their code, are pooled only if a person asks for it.
    """

    about: ClassVar[str]
    columns: ClassVar[tuple[str, ...]]
    file_columns: ClassVar[tuple[str, ...]] = ()
    other_file_columns: ClassVar[tuple[tuple[str, ...], ...]] = ()
    protocols: ClassVar[tuple[str, ...]] = ()
    options: ClassVar[tuple[Option, ...]] = ()
    fills: ClassVar[tuple[str, ...]] = ()
    answers: ClassVar[tuple[str, ...]] = ()
    pools: ClassVar[bool] = True
    separates: ClassVar[tuple[str, ...]] = ()

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = given
        """Value of every option, by its name."""

    @abstractmethod
    def of_session(self, session: RecordedSession) -> tuple[S, Sequence[str]]:
        """Return a session that ``rig`` recorded as the analysis holds it, and notes for the reader.

        Of the sessions of a study there are header, footer, notes and the tables of the protocol; what else is asked
        for raises ``RecordError``. Raises ``ConfigError`` and ``RecordError``.
        """

    def of_file(self, path: Path) -> S:
        """Read the session of a CSV file with the ``file_columns``. Raises ``ConfigError``."""
        raise ConfigError(f"{path}: is not a session recorded by rig: wanted a session's folder")

    @abstractmethod
    def report(self, sources: Sequence[Source[S]], *, fits: bool) -> Report:
        """Return the report of sessions; ``fits`` is false without scipy. Raises ``ConfigError``."""

    def fill(self, folder: Path) -> None:
        """Write the columns of ``fills`` into ``trials.csv`` of a session that has just ended.

        Raises ``ConfigError`` and ``RecordError``.
        """
