"""Peck files: sessions of the disk bandit, one peck per row, with the columns of the protocol's ``trials.csv``.

Columns may be in any order, with others between.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rig.importers.tables import Row, begins_with, number_in, read_table, truth_in

NEEDED = ("t", "x_cm", "y_cm", "disk", "vi_s", "on_target", "rewarded", "block", "phase")
"""Columns that a peck table must have."""

PLACES = 8
"""Locations of the ring, clockwise from the top; beyond them is the single disk in the center."""

MOST_BLOCKS = 10_000
"""Most blocks of a session; one day of blocks of 10 s has 8640."""

OPTIONAL = ("vi_s", "prev_vi_s", "p_reward", "latency_s")

_EXAMPLE = "12.345,15.27,12.01,0,27,1,0,1,respond"


def is_peck_file(path: Path) -> bool:
    """Whether line 1 of a file has the columns of pecks."""
    return begins_with(path, NEEDED)


def read_pecks(path: Path) -> list[dict[str, Any]]:
    """Read one session as rows of its peck table. Raises ``ConfigError`` that names every line that is not a peck."""
    return read_table(path, NEEDED, _peck, "peck", _EXAMPLE)


def _peck(row: Row) -> dict[str, Any]:
    return {
        "t": number_in(row, "t", 0, 1e6),
        "disk": _whole(row, "disk", -1, PLACES),
        "block": _whole(row, "block", 1, MOST_BLOCKS),
        "session": _whole(row, "session", 1, 1e3) if row.get("session") else 1,
        "phase": row["phase"],
        **{name: number_in(row, name, -1e6, 1e6) if row[name] else None for name in ("x_cm", "y_cm")},
        **{name: number_in(row, name, 0, 1e9) if row.get(name) else None for name in OPTIONAL},
        **{name: truth_in(row, name) for name in ("on_target", "rewarded")},
    }


def _whole(row: Row, name: str, low: float, high: float) -> int:
    value = number_in(row, name, low, high)
    if value != int(value):
        raise ValueError(f"{name} is {row[name]}, not a whole number")
    return int(value)
