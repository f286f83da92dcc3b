"""The range of rewards that a row of a public table may say."""

from __future__ import annotations

from rig.table_files.read_table import Row, is_missing, number_in

RANGE = ("z_low", "z_high")
"""Columns that a table may have: the least and the largest reward, without noise."""


def range_in(row: Row) -> tuple[float, float] | None:
    """Return the range that a row says its rewards have, None without one. Raises ``ValueError``."""
    if all(is_missing(row.get(name)) for name in RANGE):
        return None
    low, high = (number_in(row, name, -1e6, 1e6) for name in RANGE)
    if low >= high:
        raise ValueError(f"{RANGE[0]} is {row[RANGE[0]]}, not below {RANGE[1]}, {row[RANGE[1]]}")
    return low, high
