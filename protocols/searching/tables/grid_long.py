"""Long tables of grid bandits: one row per click, as in later studies of the authors of Wu et al. 2017.

``chosen`` is y * width + x + 1, ``z`` the drawn and ``zscaled`` the shown value, ``time`` in milliseconds. Trial 0 is
the revealed tile. Columns may be in any order, with others between.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

from protocols.searching.tables.grid_range import RANGE, range_in
from protocols.searching.tables.grid_wide import MOST_TILES
from rig.core.errors import ConfigError
from rig.importers.tables import Order, Row, begins_with, is_missing, name_in, number_in, read_table, whole_in

COLUMNS = ("id", "session", "x", "y", "chosen", "z", "zscaled", "time", "trial", "round")
MOST_TRIALS = 100_000

_EXAMPLE = "1102,1,7,3,32,37,27,1734335758008,0,1"


class LongClick(NamedTuple):
    """One click, or the revealed tile of a round (trial 0); ``time_ms`` and ``shown`` are NaN if unknown."""

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
    range: tuple[float, float] | None = None


class LongRound(NamedTuple):
    """One round: its revealed tile, then its clicks."""

    id: str
    session: str
    round: int
    clicks: tuple[LongClick, ...]


class LongTable(NamedTuple):
    """The rounds of a file, and the size of its grids in tiles."""

    width: int
    height: int
    rounds: tuple[LongRound, ...]


def _round_of(click: LongClick) -> tuple[str, str, int]:
    return (click.id, click.session, click.round)


_ORDERS = (
    Order[LongClick]("trial", lambda click: click.trial, _round_of, strict=True),
    Order[LongClick]("time", lambda click: click.time_ms, _round_of),
)


def read_long(path: Path) -> LongTable:
    """Read all rounds. Raises ``ConfigError`` that names every line that is not a click, and unordered rounds."""
    clicks = read_table(path, COLUMNS, _click, "click", _EXAMPLE, optional=RANGE, orders=_ORDERS)
    width = _width(path, clicks)
    rounds: dict[tuple[str, str, int], list[LongClick]] = {}
    for click in clicks:
        rounds.setdefault(_round_of(click), []).append(click)
    unordered = [key for key, own in rounds.items() if [click.trial for click in own] != list(range(len(own)))]
    if unordered:
        raise ConfigError(*(_unordered(path, *key) for key in unordered))
    if several := [key for key, own in rounds.items() if len({click.range for click in own}) > 1]:
        raise ConfigError(*(f"{path}: {_named(*key)}: has several ranges in {' and '.join(RANGE)}" for key in several))
    height = max(click.y for click in clicks) + 1
    found = (LongRound(*key, tuple(own)) for key, own in rounds.items() if len(own) > 1)
    return LongTable(width, height, tuple(found))


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


def _width(path: Path, clicks: list[LongClick]) -> int:
    """Return the width from ``chosen``; on a line it is the largest x plus 1. Raises ``ConfigError``."""
    below = [click for click in clicks if click.y > 0]
    if not below:
        return max(click.x for click in clicks) + 1
    width, rest = divmod(below[0].chosen - 1 - below[0].x, below[0].y)
    wrong = [click for click in clicks if rest or click.chosen != click.y * width + click.x + 1 or click.x >= width]
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
        "1" if is_missing(row["session"]) else name_in(row, "session"),
        whole_in(row, "round", 0, MOST_TRIALS),
        whole_in(row, "trial", 0, MOST_TRIALS),
        whole_in(row, "x", 0, MOST_TILES - 1),
        whole_in(row, "y", 0, MOST_TILES - 1),
        whole_in(row, "chosen", 1, MOST_TILES**2),
        number_in(row, "z", -1e6, 1e6),
        _known(row, "zscaled"),
        _known(row, "time"),
        range_in(row),
    )


def _known(row: Row, name: str) -> float:
    return math.nan if is_missing(row[name]) else number_in(row, name, -1e6, 1e15)
