"""Sessions made by hand, exported, and read again with PyNWB."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pynwb import NWBHDF5IO, NWBFile

from rig.export.nwb.general import GivenGeneral
from rig.export.nwb.subject import GivenFacts, subject_fields
from rig.export.nwb.write import write_nwb
from rig.records.recorded_session import RecordedSession, read_session
from tests.records.journals import Book, put

FACTS = GivenFacts(species="mouse", sex="female", age="P90D")
GENERAL = GivenGeneral(("Doe, Jane",), "Doe Lab", "University of Example")
START = "2025-03-01T09:00:00+01:00"


def made(folder: Path, *, columns: tuple[str, ...] = (), fill: Callable[[Book], object], **header: Any) -> Path:
    """Write a session's journal: its header, what ``fill`` adds, and its end."""
    book = Book()
    book.header(**{"subject": "M1", "start": START, "columns": columns, **header})
    fill(book)
    book.footer()
    return put(folder / "M1" / "2025-03-01" / "001", book.raw)


def session_of(folder: Path, **header: Any) -> RecordedSession:
    header.setdefault("fill", lambda book: None)
    return read_session(made(folder, **header))


def exported(session: Path, facts: GivenFacts = FACTS, general: GivenGeneral = GENERAL) -> Path:
    """Export a session beside its journal."""
    found = read_session(session)
    return write_nwb(found, subject_fields(found, facts), general, session / "out.nwb")


def read_file(path: Path, read: Callable[[NWBFile], Any]) -> Any:
    """Return what ``read`` takes of a file."""
    with NWBHDF5IO(path, "r") as file:
        return read(file.read())


def plain(value: Any) -> Any:
    """Return a value of a table as Python's own."""
    return value.tolist() if hasattr(value, "tolist") else value


def columns_of(table: Any) -> dict[str, list[Any]]:
    """Return a table's columns as Python's own values."""
    return {name: [plain(value) for value in table[name][:]] for name in table.colnames}


def as_read(value: Any, read: Any) -> bool:
    """Whether a value of the journal is the one that was read: None is NaN, an empty text, or null."""
    if value is None:
        return read is None or read == "" or read != read
    return bool(read == value)


def trials_of(path: Path) -> Mapping[str, list[Any]]:
    found: dict[str, list[Any]] = read_file(path, lambda file: {} if file.trials is None else columns_of(file.trials))
    return found
