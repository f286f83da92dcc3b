"""Tables of subjects: one row a subject, one column for each thing that is known of it, such as sex or grades."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from rig.core.errors import ConfigError
from rig.importers.tables import Row, read_table

SUBJECT = "subject"

_EXAMPLE = "P7,f,3.4,waited"


def read_people(path: Path) -> dict[str, Mapping[str, str]]:
    """Read the traits of every subject, by its name and their columns; an empty cell is what is not known.

    Raises ``ConfigError`` naming every line that is no subject, and subjects that are there twice.
    """
    rows = read_table(path, (SUBJECT,), _person, "subject", _EXAMPLE)
    often = Counter(name for name, _ in rows)
    if twice := [name for name, count in often.items() if count > 1]:
        raise ConfigError(*(f"{path}: {name} is there twice: wanted one row a subject" for name in twice))
    return dict(rows)


def _person(row: Row) -> tuple[str, Mapping[str, str]]:
    name = row[SUBJECT].strip()
    traits = {column: value for column, value in row.items() if column != SUBJECT}
    if not name:
        raise ValueError("has no subject")
    if not traits:
        raise ValueError("has no column beside that of the subject")
    if None in traits.values():
        raise ValueError("has too few columns")
    return name, {column: value.strip() for column, value in traits.items()}
