"""One table of several sessions, whose protocols may differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rig.core.model.columns import ANY
from rig.records.tables.table import Table, TableColumn


def merge_tables(name: str, tables: Sequence[Table]) -> Table:
    """Return the rows of all tables below the columns of all; a row has None in a column that its table lacks."""
    columns: dict[str, TableColumn] = {}
    for column in (column for table in tables for column in table.columns):
        known = columns.get(column.name)
        columns[column.name] = column if known is None else _common(known, column)
    merged = Table(name, tuple(columns.values()))
    for table in tables:
        place = {column.name: number for number, column in enumerate(table.columns)}
        places = [place.get(column) for column in columns]
        merged.rows += [[None if at is None else row[at] for at in places] for row in table.rows]
    return merged


def _common(one: TableColumn, other: TableColumn) -> TableColumn:
    kinds = {one.kind, other.kind}
    kind = one.kind if len(kinds) == 1 else "number" if kinds == {"integer", "number"} else ANY
    values = _union(one.values, other.values) if one.values and other.values else ()
    unit = one.unit if one.unit == other.unit else ""
    return replace(one, kind=kind, unit=unit, values=values)


def _union(one: Iterable[str], other: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one, *other)))
