"""What an analysis is: which tables it reads, its options, and what it answers.

An analysis is an entry point of ``rig.analyses``, or a class in a laboratory's file. Its module is imported for
``rig analyze --help``: what is slow to import, such as NumPy, belongs into the modules that its methods import.
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

    from rig.analysis.common.record import Record
    from rig.analysis.common.tables import Table


class Analyzed(Protocol):
    """One session as an analysis keeps it: a frozen dataclass with a field ``name``."""

    @property
    def name(self) -> str:
        """Return its name."""

    @property
    def trials(self) -> int:
        """Count what is analyzed of it: trials, laps, pecks."""

    @property
    def fingerprint(self) -> bytes:
        """Return what two sessions have in common only when they are the same one."""


S = TypeVar("S", bound=Analyzed)


@dataclass(frozen=True)
class Source(Generic[S]):
    """A session, where it was read, and what the reader must know of it."""

    path: Path
    session: S
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Option:
    """An option of the command line; without ``parse`` it takes no value.

    ``parse`` turns the word that follows into a value, and raises ``ValueError`` saying what was wanted.
    """

    flag: str
    help: str
    metavar: str = ""
    parse: Callable[[str], Any] | None = None
    default: Any = None

    @property
    def name(self) -> str:
        """Return its key in ``Analysis.given``, such as ``skip_first`` for ``--skip-first``."""
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
    """The answer of an analysis.

    ``notes`` are what the reader must know: sessions that were left out, and why.
    """

    notes: Sequence[str]

    @abstractmethod
    def document(self) -> Mapping[str, Any]:
        """Return what ``--json`` prints: plain data; numbers that are not finite are printed as null."""

    @abstractmethod
    def tables(self) -> Iterator[Table]:
        """Yield the tables that a person reads."""

    def figures(self) -> Iterator[tuple[str, Figure]]:
        """Yield figures by the names of their files. Needs matplotlib."""
        yield from ()

    def write(self) -> list[str]:
        """Write the files that options ask for; return their paths. Raises ``ConfigError``."""
        return []


class Analysis(ABC, Generic[S]):
    """What can be asked of the sessions of one kind of table.

    ``about`` completes "options of …". ``columns`` are those of the trial table that it needs: of the analyses that a
    table suits, ``rig analyze`` takes the one that needs the most columns. ``file_columns`` are those of a CSV file
    that ``of_file`` reads; without them it reads none. ``lines`` are kinds of journal lines that it reads beside
    header, trials and footer. ``fills`` are columns that are known only when the session is over.
    """

    about: ClassVar[str]
    columns: ClassVar[tuple[str, ...]]
    file_columns: ClassVar[tuple[str, ...]] = ()
    options: ClassVar[tuple[Option, ...]] = ()
    lines: ClassVar[tuple[str, ...]] = ()
    fills: ClassVar[tuple[str, ...]] = ()

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = given
        """The value of every option, by its name."""

    @abstractmethod
    def of_record(self, record: Record) -> tuple[S, Sequence[str]]:
        """Return a session of our own, and what the reader must know of it.

        Raises ``ConfigError`` and ``RecordError``.
        """

    def of_file(self, path: Path) -> S:
        """Return the session of a CSV file that has the ``file_columns``. Raises ``ConfigError``."""
        raise ConfigError(f"{path}: is no session of our own: wanted a session's folder")

    @abstractmethod
    def report(self, sources: Sequence[Source[S]], *, fits: bool) -> Report:
        """Analyze sessions; without scipy ``fits`` is false. Raises ``ConfigError``."""

    def fill(self, folder: Path) -> None:
        """Write the columns that it ``fills`` into ``trials.csv`` of a session that has just ended.

        Raises ``ConfigError`` and ``RecordError``.
        """
