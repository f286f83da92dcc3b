"""Decision files: sessions of mice in the public format of the 2ABT repositories, one decision a row.

``decision_s`` counts from the first poke of the session and has five significant digits: never difference it below
a tenth of a second. ``since_last_poke_s`` of a first row may hold the placeholder 0. ``port`` is 1 for right and 2
for left.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from rig.core.errors import ConfigError

COLUMNS = ("decision_s", "since_last_poke_s", "center_to_side_s", "port", "p_right", "p_left", "reward")

_SIDES = {"1": "right", "2": "left"}
_EXAMPLE = "11.147,2.652,0.309,1,0.8,0.2,1"


class Decision(NamedTuple):
    """One decision; times in seconds."""

    decision_s: float
    since_last_poke_s: float
    center_to_side_s: float
    side: str
    p_right: float
    p_left: float
    reward: int

    @property
    def center_s(self) -> float:
        """When the centre was poked."""
        return self.decision_s - self.center_to_side_s


def read_decisions(path: Path) -> list[Decision]:
    """Read one session. Raises ``ConfigError`` naming every line that is not a decision."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file, restkey="too much")
            columns = tuple(reader.fieldnames or ())
            rows = [(reader.line_num, row) for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ConfigError(f"{path}: cannot be read as decisions: {_why(error)}") from None
    if not set(COLUMNS).issubset(columns):
        raise ConfigError(f"{path}:1: a file of decisions begins with the line `{','.join(COLUMNS)}`")
    decisions, mistakes = [], []
    for number, row in rows:
        try:
            decisions.append(_decision(row))
        except (KeyError, ValueError, TypeError) as error:
            mistakes.append(f"{path}:{number}: {_why(error)}; wanted a decision such as `{_EXAMPLE}`")
    if mistakes:
        raise ConfigError(*mistakes)
    if not decisions:
        raise ConfigError(f"{path}: holds no decision")
    return decisions


def is_decision_file(path: Path) -> bool:
    """Tell whether a file begins as decisions do."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            return set(COLUMNS).issubset(file.readline().strip().split(","))
    except (OSError, UnicodeDecodeError):
        return False


def _decision(row: Mapping[str, str]) -> Decision:
    if "too much" in row:
        raise ValueError("has too many columns")
    empty = [name for name in COLUMNS if not row[name]]
    if empty:
        raise ValueError(f"has no {empty[0]}")
    times = list(_numbers(row, 0, float("inf"), *COLUMNS[:3]))
    odds = list(_numbers(row, 0, 1, "p_right", "p_left"))
    if row["port"] not in _SIDES:
        raise ValueError(f"port is {row['port']}, not 1 (right) or 2 (left)")
    if row["reward"] not in ("0", "1"):
        raise ValueError(f"reward is {row['reward']}, not 0 or 1")
    return Decision(times[0], times[1], times[2], _SIDES[row["port"]], odds[0], odds[1], int(row["reward"]))


def _numbers(row: Mapping[str, str], low: float, high: float, *names: str) -> Iterator[float]:
    for name in names:
        value = float(row[name])
        if not low <= value <= high or value == float("inf"):
            raise ValueError(f"{name} is {row[name]}, not {low:g} to {high:g}")
        yield value


def _why(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
