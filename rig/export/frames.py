"""Tables as frames of pandas: every column has the type of its kind, also where all of its values are missing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from rig.records.tables.table import Table, TableColumn, fits

_DTYPES = {"boolean": "boolean", "integer": "Int64", "text": "string"}


def frame_of(table: Table) -> pd.DataFrame:
    """Return a table as a frame.

    Booleans, integers and texts may be missing (``<NA>``), numbers are floats (NaN), and texts with known values are
    categories. A column of any kind, or with a value that is not of its kind, holds Python objects.
    """
    columns = zip(table.columns, table.column_values(), strict=True)
    return pd.DataFrame({column.name: _array(column, values) for column, values in columns})


def _array(column: TableColumn, values: Sequence[object]) -> object:
    if column.kind == "any" or not all(fits(value, column.kind) for value in values):
        objects = np.empty(len(values), dtype=object)
        objects[:] = values
        return pd.Series(objects, dtype=object)
    if column.kind == "number":
        return np.array(values, dtype=float)  # None becomes NaN
    if column.values:
        known = dict.fromkeys((*column.values, *(value for value in values if value is not None)))
        return pd.Categorical(values, categories=list(known))
    return pd.array(list(values), dtype=_DTYPES[column.kind])
