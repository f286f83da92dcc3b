"""Tables as Parquet files: typed columns, each with its unit and its description as metadata of the field."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from rig.core.journal.cells import escape_surrogates
from rig.records.tables.table import Table, TableColumn, fits, json_text
from rig.system.atomic_files import write_atomic

_TYPES = {"boolean": pa.bool_(), "integer": pa.int64(), "number": pa.float64(), "text": pa.string()}


def write_parquet(path: Path, table: Table, session: Mapping[str, object]) -> None:
    """Write a table; ``session`` is kept as JSON in the metadata of the schema. Raises ``RecordError``."""
    made = arrow_table(table).replace_schema_metadata({"session": json_text(escape_surrogates(session))})
    file = io.BytesIO()
    pq.write_table(made, file)
    write_atomic(path, file.getvalue())


def arrow_table(table: Table) -> pa.Table:
    """Return a table of Arrow, with the description of each column as metadata of its field.

    Values of any kind, and of columns in which a value is not of the column's kind, are JSON.
    """
    columns = list(zip(table.columns, table.column_values(), strict=True))
    made = [_array(column, values) for column, values in columns]
    fields = [
        pa.field(column.name, array.type, metadata=_metadata(column, is_json))
        for (column, _), (array, is_json) in zip(columns, made, strict=True)
    ]
    return pa.Table.from_arrays([array for array, _ in made], schema=pa.schema(fields))


def arrow_type(kind: str) -> pa.DataType:
    """Return the type of a column whose values are all of a kind; values of any kind are JSON."""
    return _TYPES.get(kind, pa.string())


def _array(column: TableColumn, values: Sequence[object]) -> tuple[pa.Array, bool]:
    """Return the values of a column, and whether they are JSON."""
    if column.kind not in _TYPES or not all(fits(value, column.kind) for value in values):
        texts = [None if value is None else json_text(escape_surrogates(value)) for value in values]
        return pa.array(texts, pa.string()), True
    if column.kind == "text":
        array = pa.array([escape_surrogates(value) for value in values], pa.string())
        return (array.dictionary_encode() if column.values else array), False
    if column.kind == "number":
        values = [float(value) if isinstance(value, int | float) else None for value in values]
    return pa.array(values, _TYPES[column.kind]), False


def _metadata(column: TableColumn, is_json: bool) -> dict[str, str]:
    described = {name: value for name, value in column.described().items() if value}
    texts = {name: value if isinstance(value, str) else json_text(value) for name, value in described.items()}
    return {
        name: escape_surrogates(text) for name, text in {**texts, **({"encoding": "json"} if is_json else {})}.items()
    }
