"""Long tables of grid bandits: one row per click, as in later studies of the authors of Wu et al. 2017.

Trial 0 is the revealed tile, and ``z`` the drawn value. A table may also have ``chosen``, which is y * width + x + 1,
``zscaled``, the shown value, ``time`` in milliseconds, a condition and the person's age. Columns may be in any order,
with others between.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from protocols.searching.tables.grid_range import RANGE, range_in
from protocols.searching.tables.grid_wide import MOST_TILES
from rig.core.errors import ConfigError
from rig.table_files.read_table import Order, Row, begins_with, is_missing, name_in, number_in, read_table, whole_in

COLUMNS = ("id", "x", "y", "z", "trial", "round")
CONDITION = ("cond", "condition")
"""Names of the column with the condition of a round."""
FURTHER = ("session", "chosen", "zscaled", "time", "age", *CONDITION, *RANGE)
"""Columns that a table may have."""
MOST_TRIALS = 100_000
MOST_YEARS = 150

_EXAMPLE = "1102,7,3,37,0,1"


class LongClick(NamedTuple):
    """One click, or the revealed tile of a round (trial 0); unknown numbers are NaN, an unknown ``chosen`` is 0."""

    id: str
    session: str
    round: int
    trial: int
    x: int
    y: int
    chosen: int
    drawn: float
    shown: float
    time_ms: float
    age: float
    condition: str
    range: tuple[float, float] | None = None


class LongRound(NamedTuple):
    """One round: its revealed tile, then its clicks."""

    id: str
    session: str
    round: int
    clicks: tuple[LongClick, ...]


class LongTable(NamedTuple):
    """The rounds of a file, and the size of its grids in tiles.

    ``width_known`` says whether ``chosen`` told the width; otherwise it is the largest x plus 1.
    """

    width: int
    height: int
    rounds: tuple[LongRound, ...]
    width_known: bool


def _round_of(click: LongClick) -> tuple[str, str, int]:
    return (click.id, click.session, click.round)


_ORDERS = (
    Order[LongClick]("trial", lambda click: click.trial, _round_of, strict=True),
    Order[LongClick]("time", lambda click: click.time_ms, _round_of),
)


def read_long(path: Path) -> LongTable:
    """Read all rounds. Raises ``ConfigError`` that names every line that is not a click, and unordered rounds."""
    clicks = read_table(path, COLUMNS, _click, "click", _EXAMPLE, optional=FURTHER, orders=_ORDERS)
    width = _width(path, clicks)
    rounds: dict[tuple[str, str, int], list[LongClick]] = {}
    for click in clicks:
        rounds.setdefault(_round_of(click), []).append(click)
    unordered = [key for key, own in rounds.items() if [click.trial for click in own] != list(range(len(own)))]
    if unordered:
        raise ConfigError(*(_unordered(path, *key) for key in unordered))
    if mistakes := [f"{path}: {_named(*key)}: {why}" for key, own in rounds.items() for why in _several(own)]:
        raise ConfigError(*mistakes)
    clicked = tuple(LongRound(*key, tuple(own)) for key, own in rounds.items() if len(own) > 1)
    if not clicked:
        raise ConfigError(f"{path}: has no click: each of its rows is a revealed tile (trial 0)")
    return LongTable(
        width or max(click.x for click in clicks) + 1, max(click.y for click in clicks) + 1, clicked, width > 0
    )


def is_long(path: Path) -> bool:
    """Whether line 1 of a file has the columns of a long table."""
    return begins_with(path, COLUMNS)


def _named(person: str, session: str, number: int) -> str:
    return f"id {person}, session {session}, round {number}"


def _unordered(path: Path, person: str, session: str, number: int) -> str:
    return (
        f"{path}: {_named(person, session, number)}: its trials are not 0 (the revealed tile), 1, 2, …: "
        "wanted a row for each, in this order"
    )


def _several(clicks: list[LongClick]) -> Iterator[str]:
    """Yield what a round has several of, and may have only once."""
    if len({click.range for click in clicks}) > 1:
        yield f"has several ranges in {' and '.join(RANGE)}"
    if len(conditions := {click.condition for click in clicks}) > 1:
        yield f"has several conditions: {', '.join(sorted(conditions))}: wanted one in each round"
    if len(ages := {click.age for click in clicks if math.isfinite(click.age)}) > 1:
        yield f"has several ages: {', '.join(f'{age:g}' for age in sorted(ages))}: wanted one in each round"


def _width(path: Path, clicks: list[LongClick]) -> int:
    """Return the width from ``chosen``; 0 without it, or on a line. Raises ``ConfigError``."""
    told = [click for click in clicks if click.chosen]
    below = [click for click in told if click.y > 0]
    if not below:
        return 0
    width, rest = divmod(below[0].chosen - 1 - below[0].x, below[0].y)
    wrong = [click for click in told if rest or click.chosen != click.y * width + click.x + 1 or click.x >= width]
    if wrong:
        at = wrong[0]
        raise ConfigError(
            f"{path}: id {at.id}, round {at.round}, trial {at.trial}: chosen is {at.chosen} for x {at.x} and y {at.y}: "
            "wanted y * width + x + 1, with one width in the whole file"
        )
    return width


def _click(row: Row) -> LongClick:
    return LongClick(
        name_in(row, "id"),
        "1" if is_missing(row.get("session")) else name_in(row, "session"),
        whole_in(row, "round", 0, MOST_TRIALS),
        whole_in(row, "trial", 0, MOST_TRIALS),
        whole_in(row, "x", 0, MOST_TILES - 1),
        whole_in(row, "y", 0, MOST_TILES - 1),
        0 if is_missing(row.get("chosen")) else whole_in(row, "chosen", 1, MOST_TILES**2),
        number_in(row, "z", -1e6, 1e6),
        _known(row, "zscaled", -1e6, 1e6),
        _known(row, "time", -1e6, 1e15),
        _known(row, "age", 0, MOST_YEARS),
        _condition(row),
        range_in(row),
    )


def _known(row: Row, name: str, low: float, high: float) -> float:
    return math.nan if is_missing(row.get(name)) else number_in(row, name, low, high)


def _condition(row: Row) -> str:
    """Return the condition of a row, empty without one. Raises ``ValueError`` if two columns have one."""
    names = [name for name in CONDITION if not is_missing(row.get(name))]
    if len(names) > 1:
        raise ValueError(f"has a condition in {' and in '.join(names)}: wanted one of the columns")
    return name_in(row, names[0]) if names else ""
