"""Peck files: sessions of the disk bandit, one peck a row, with the columns of the protocol's ``trials.csv``.

Columns may be in any order, and there may be others.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rig.importers.tables import Row, begins_with, number_in, read_table, truth_in

NEEDED = ("t", "x_cm", "y_cm", "disk", "vi_s", "on_target", "rewarded", "block", "phase")
"""Columns without which a table is not one of pecks on disks."""

PLACES = 8
"""Locations of the ring, clockwise from the top; beyond them is the single disk in the center."""

MOST_BLOCKS = 10_000
"""Blocks of ten seconds fill a day with fewer."""

OPTIONAL = ("vi_s", "prev_vi_s", "p_reward", "latency_s")

_EXAMPLE = "12.345,15.27,12.01,0,27,1,0,1,respond"


def is_peck_file(path: Path) -> bool:
    """Whether a file begins as pecks do."""
    return begins_with(path, NEEDED)


def read_pecks(path: Path) -> list[dict[str, Any]]:
    """Read one session, as the rows of its peck table. Raises ``ConfigError`` naming every line that is no peck."""
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
