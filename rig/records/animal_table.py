"""Read a table of animals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rig.config.errors.closest_names import unknown_name
from rig.config.subject_facts import SubjectFacts
from rig.core.errors import ConfigError, RecordError
from rig.system.delimited_text import UNREADABLE, form_of, rows_of

NAME = "subject"


COLUMNS = (NAME, *SubjectFacts.model_fields)


@dataclass(frozen=True)
class Row:
    """One animal of a table; ``words`` are its facts as typed, by their names, without empty cells."""

    where: str
    """File and line."""
    name: str
    words: Mapping[str, str]


def read_table(path: Path) -> tuple[list[Row], list[str]]:
    """Return the animals of a table, and the mistakes of its form. Raises ``ConfigError`` for one without a header."""
    try:
        lines = [(f"{path}:{number}", cells) for number, cells in rows_of(path, form_of(path), comments=True)]
    except RecordError as error:
        raise ConfigError(str(error)) from None
    if any(UNREADABLE in cell for _, cells in lines for cell in cells):
        raise ConfigError(f"{path}: is not in UTF-8: save it as 'CSV UTF-8'")
    if not lines:
        raise ConfigError(f"{path}: is empty: `rig subject import --template` prints the header of such a table")
    where, cells = lines[0]
    header = [cell.lower().removeprefix("--").replace("-", "_") for cell in cells]
    if wrong := list(_header_mistakes(header)):
        raise ConfigError(*(f"{where}: {mistake}" for mistake in wrong))
    rows: list[Row] = []
    mistakes: list[str] = []
    for where, cells in lines[1:]:
        words = dict(zip(header, cells, strict=False))
        name = words.pop(NAME, "")
        if len(cells) != len(header):
            mistakes.append(f"{where}: has {len(cells)} cells, and the header has {len(header)}")
        elif not name:
            mistakes.append(f"{where}: {NAME}: the name of the animal is missing")
        else:
            rows.append(Row(where, name, {key: word for key, word in words.items() if word}))
    return rows, mistakes + list(_repeated(rows))


def _header_mistakes(header: Sequence[str]) -> Iterator[str]:
    for column in header:
        if column not in COLUMNS:
            yield unknown_name(f"no column is called '{column}'", column, COLUMNS)
    yield from (f"column '{column}' is there twice" for column, count in Counter(header).items() if count > 1)
    if NAME not in header:
        yield f"has no column '{NAME}' with the names of the animals"


def _repeated(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a mistake for each name that an earlier row has, in whatever letters."""
    first: dict[str, Row] = {}
    for row in rows:
        other = first.setdefault(row.name.lower(), row)
        if other is not row:
            yield f"{row.where}: {NAME}: {row.name} is in line {other.where.rpartition(':')[2]} already"
