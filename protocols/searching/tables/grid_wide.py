"""Wide tables of the grid bandit: one row per person, as in the released data of Wu et al. 2017.

``searchHistory`` is JSON with lists of lists, one for each round: ``xcollect``, ``ycollect``, ``zcollect`` (drawn
values) and ``zcollectScaled`` (shown values); an unknown value is null. The first of each round is the revealed tile.
``scenario`` is 0 for the average and 1 for the maximum, ``kernel`` 0 for rough and 1 for smooth. ``horizon`` says which
horizon begins, and follows from the lengths of the lists.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import NamedTuple

from protocols.searching.tables.grid_range import RANGE, range_in
from rig.table_files.read_table import Row, begins_with, is_missing, name_in, number_in, read_table

COLUMNS = ("id", "scenario", "kernel", "horizon", "scale", "envOrder", "searchHistory")
LISTS = ("xcollect", "ycollect", "zcollect", "zcollectScaled")
MOST_ROUNDS = 1000
MOST_TILES = 50
"""Most tiles along a side, as in the task."""

PAYOFFS = {"0": "average", "1": "maximum"}
CLASSES = {"0": "rough", "1": "smooth"}

_EXAMPLE = '3,0,1,0,"[67]","[8]","{""xcollect"":[[9,8]],""ycollect"":[[4,5]],""zcollect"":[[72,75]],…}"'


class WideRound(NamedTuple):
    """One round: the tiles and values of the revealed tile and of each click; ``environment`` is -1 if unknown."""

    scale: float
    environment: int
    x: tuple[int, ...]
    y: tuple[int, ...]
    drawn: tuple[float, ...]
    shown: tuple[float, ...]


class WidePerson(NamedTuple):
    """One person; ``payoff`` is ``average`` or ``maximum``, ``environments`` are ``rough`` or ``smooth``.

    ``reward`` is the bonus of the session; NaN without the column, or if it is empty.
    """

    id: str
    payoff: str
    environments: str
    rounds: tuple[WideRound, ...]
    reward: float
    range: tuple[float, float] | None = None


def read_wide(path: Path) -> list[WidePerson]:
    """Read all persons; a row without a search history (``NULL``) is left out.

    Raises ``ConfigError`` that names every line that is not a person.
    """
    return [
        person
        for person in read_table(path, COLUMNS, _person, "person", _EXAMPLE, optional=("reward", *RANGE))
        if person.rounds
    ]


def is_wide(path: Path) -> bool:
    """Whether line 1 of a file has the columns of a wide table."""
    return begins_with(path, COLUMNS)


def _person(row: Row) -> WidePerson:
    name = name_in(row, "id")
    payoff, environments = _word(row, "scenario", PAYOFFS), _word(row, "kernel", CLASSES)
    if is_missing(row["searchHistory"]):
        return WidePerson(name, payoff, environments, (), math.nan)
    history = _parsed(row, "searchHistory")
    if not isinstance(history, dict) or not set(LISTS) <= set(history):
        raise ValueError(f"searchHistory has not the lists {', '.join(LISTS)}")
    lists = [_rounds(history, name) for name in LISTS]
    count = len(lists[0])
    lengths = [[len(each) for each in one] for one in lists]
    if any(each != lengths[0] for each in lengths):
        raise ValueError(f"searchHistory: {', '.join(LISTS)} do not have the same lengths")
    if not count or min(lengths[0]) < 2:
        raise ValueError("searchHistory has a round without a click")
    scale, order = (_numbers(_parsed(row, name), name) for name in ("scale", "envOrder"))
    if len(scale) < count or len(order) < count:
        raise ValueError(f"scale and envOrder have fewer than {count} values, one for each round")
    reward = number_in(row, "reward", 0, 1e9) if not is_missing(row.get("reward")) else math.nan
    return WidePerson(name, payoff, environments, tuple(map(_round, scale, order, *lists)), reward, range_in(row))


def _round(scale: float, environment: float, *lists: list[float]) -> WideRound:
    x, y = (tuple(_tile(value) for value in values) for values in lists[:2])
    drawn, shown = (tuple(values) for values in lists[2:])
    return WideRound(scale, -1 if math.isnan(environment) else int(environment), x, y, drawn, shown)


def _word(row: Row, name: str, words: dict[str, str]) -> str:
    word = row[name].removesuffix(".0")
    if word not in words:
        accepted = " or ".join(f"{key} ({word})" for key, word in words.items())
        raise ValueError(f"{name} is {row[name] or 'empty'}, not {accepted}")
    return words[word]


def _parsed(row: Row, name: str) -> object:
    try:
        return json.loads(row[name])
    except (ValueError, RecursionError):
        raise ValueError(f"{name} is no JSON") from None


def _rounds(history: dict[str, object], name: str) -> list[list[float]]:
    found = history[name]
    if not isinstance(found, list) or len(found) > MOST_ROUNDS:
        raise ValueError(f"{name} is no list of at most {MOST_ROUNDS} rounds")
    return [_numbers(each, name) for each in found]


def _numbers(values: object, name: str) -> list[float]:
    if not isinstance(values, list) or not all(value is None or _is_number(value) for value in values):
        raise ValueError(f"{name} has something else than numbers")
    return [math.nan if value is None else float(value) for value in values]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and abs(value) < 1e9


def _tile(value: float) -> int:
    if not 0 <= value < MOST_TILES or value != int(value):
        raise ValueError(f"{value:g} is not a whole number from 0 to {MOST_TILES - 1}, as x and y of a tile are")
    return int(value)
