"""A table as plain Python: its columns, with what they hold, and its rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rig.core.journal.header import Header, RecordedColumn
from rig.core.model.columns import ANY
from rig.core.model.unit_names import unit_of_name
from rig.records.journal.read import Row

_TYPES: Mapping[str, tuple[type, ...]] = {"boolean": (bool,), "integer": (int,), "number": (int, float), "text": (str,)}


@dataclass(frozen=True)
class TableColumn:
    """A column: ``kind`` is one of `COLUMN_KINDS`, ``values`` are its possible texts if they are known."""

    name: str
    kind: str
    text: str = ""
    unit: str = ""
    values: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, kind: str, text: str, *values: str) -> TableColumn:
        """Return a column whose name says its unit."""
        return cls(name, kind, text, unit_of_name(name) if kind in ("integer", "number") else "", values)

    def described(self) -> dict[str, object]:
        """Return its kind, unit, text and possible values, as a journal's header has them."""
        description: dict[str, object] = {"kind": self.kind, "unit": self.unit, "text": self.text}
        return {**description, "values": list(self.values)} if self.values else description


@dataclass
class Table:
    """A table: every row has a value, or None, for each column."""

    name: str
    columns: tuple[TableColumn, ...]
    rows: list[Sequence[object]] = field(default_factory=list)
    is_recorded: bool = False
    """Whether it is a table of the protocol, which has a file of its own beside the journal."""
    times_us: list[int] = field(default_factory=list)
    """Of a table of the protocol: the session time at which each row was written."""

    def described(self) -> dict[str, dict[str, object]]:
        """Return what each column holds, by its name."""
        return {column.name: column.described() for column in self.columns}

    def row_dicts(self) -> list[Row]:
        """Return the values of each row, by column."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows]

    def column_values(self) -> list[tuple[object, ...]]:
        """Return the values of each column."""
        return list(zip(*self.rows, strict=True)) if self.rows else [() for _ in self.columns]


def recorded_tables(header: Header) -> dict[str, Table]:
    """Return the tables of a protocol without rows, with the columns that the header names and describes."""
    return {
        name: Table(name, tuple(_columns(names, header.described(name))), is_recorded=True)
        for name, names in header.columns_by_table.items()
    }


def _columns(names: Iterable[str], described: Mapping[str, RecordedColumn]) -> Iterator[TableColumn]:
    for name in names:
        recorded = described.get(name, _UNKNOWN)
        yield TableColumn(name, recorded.kind, recorded.text, recorded.unit, tuple(recorded.values))


_UNKNOWN = RecordedColumn(ANY, "", "")


def fits(value: object, kind: str) -> bool:
    """Whether a value, if there is one, is of a column's kind."""
    if value is None or kind == ANY:
        return True
    # ``True`` is an ``int`` in Python.
    return isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def json_text(value: object) -> str:
    """Return a value of any kind as JSON, for files whose cells are texts."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
