"""Array types of the analyses, statistics that skip NaN, and conversion of results to JSON data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Signs: TypeAlias = npt.NDArray[np.int8]
Ints: TypeAlias = npt.NDArray[np.int64]
Flags: TypeAlias = npt.NDArray[np.bool_]


def ratio(part: npt.ArrayLike, whole: npt.ArrayLike) -> Floats:
    """Return the quotient element by element; NaN where the denominator is 0."""
    above, below = np.broadcast_arrays(np.asarray(part, float), np.asarray(whole, float))
    result = np.full(below.shape, np.nan)
    np.divide(above, below, out=result, where=below != 0)
    return result


def finite(values: Floats) -> Floats:
    """Return the finite values."""
    return values[np.isfinite(values)]


def mean(values: Floats) -> float:
    """Return the mean of the finite values; NaN without any."""
    known = finite(values)
    return float(known.mean()) if known.size else math.nan


def sd(values: Floats) -> float:
    """Return the standard deviation of the finite values, with n - 1; NaN with fewer than two."""
    known = finite(values)
    return float(known.std(ddof=1)) if known.size > 1 else math.nan


def column(rows: Sequence[Mapping[str, object]], name: str) -> Floats:
    """Return one column of numbers of a table; NaN where a row has none."""
    values = np.array([math.nan if row.get(name) is None else row[name] for row in rows], float)
    # Infinite cells become NaN too: a mean over one of them would be infinite.
    return np.where(np.isfinite(values), values, np.nan)


class Columns:
    """Base of a frozen dataclass that is a table: its fields are columns of one length."""


def plain(value: object) -> Any:
    """Convert results to data for JSON; numbers that are not finite become null, ``Columns`` a list of rows."""
    # Rows, so that a reader finds a value by what it is of, and not by its number in another list.
    if isinstance(value, Columns):
        names, columns = zip(*((name, plain(column)) for name, column in vars(value).items()), strict=True)
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(item) for item in value]
    # JSON has no NaN: a reader in another language would reject the whole file.
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
