"""Peck files: sessions of the disk bandit, one peck per row, with the columns of the protocol's ``trials.csv``.

Columns may be in any order, with others between.
"""

from __future__ import annotations

import operator
from pathlib import Path

from rig.table_files.read_table import Order, Row, begins_with, is_missing, number_in, read_table, truth_in, whole_in

NEEDED = ("t", "x_cm", "y_cm", "disk", "vi_s", "on_target", "rewarded", "block", "phase")
"""Columns that a peck table must have."""

PLACES = 8
"""Locations of the ring, clockwise from the top; beyond them is the single disk in the center."""

MOST_BLOCKS = 10_000
"""Most blocks of a session; one day of blocks of 10 s has 8640."""

OPTIONAL = ("vi_s", "prev_vi_s", "p_reward", "latency_s")

# Several sessions of a person stand in one file, each with times of its own.
_ORDERS: tuple[Order[dict[str, object]], ...] = tuple(
    Order(column, operator.itemgetter(column), operator.itemgetter("session", "session")) for column in ("t", "block")
)
_EXAMPLE = "12.345,15.27,12.01,0,27,1,0,1,respond"


def is_peck_file(path: Path) -> bool:
    """Whether line 1 of a file has the columns of pecks."""
    return begins_with(path, NEEDED)


def read_pecks(path: Path) -> list[dict[str, object]]:
    """Read one session as rows of its peck table. Raises ``ConfigError`` that names every line that is not a peck."""
    return read_table(path, NEEDED, _peck, "peck", _EXAMPLE, optional=("session", *OPTIONAL), orders=_ORDERS)


def _peck(row: Row) -> dict[str, object]:
    return {
        "t": number_in(row, "t", 0, 1e6),
        "disk": whole_in(row, "disk", -1, PLACES),
        "block": whole_in(row, "block", 1, MOST_BLOCKS),
        "session": whole_in(row, "session", 1, 1e3) if not is_missing(row.get("session")) else 1,
        "phase": row["phase"],
        **{name: number_in(row, name, -1e6, 1e6) if not is_missing(row[name]) else None for name in ("x_cm", "y_cm")},
        **{name: number_in(row, name, 0, 1e9) if not is_missing(row.get(name)) else None for name in OPTIONAL},
        **{name: truth_in(row, name) for name in ("on_target", "rewarded")},
    }
