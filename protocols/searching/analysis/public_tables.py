"""Searches on grids as the public tables of their studies: the wide one with a row per person, and the long one."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence

from protocols.searching.analysis.rounds import GridPerson, GridRound
from protocols.searching.tables.grid_wide import CLASSES, LISTS, PAYOFFS
from protocols.searching.tables.grid_wide import COLUMNS as WIDE
from rig.analysis.common.arrays import Floats
from rig.core.errors import ConfigError
from rig.core.journal.cells import csv_text, escape_formula

WIDE_COLUMNS = (*WIDE, "reward", "start", "end")
"""``reward`` is the bonus of all rounds, in the currency of the laboratory."""

LONG_COLUMNS = ("id", "session", "x", "y", "chosen", "z", "zscaled", "time", "trial", "round")

MOMENT = "%y-%m-%d %H:%M"
SCENARIO = {word: key for key, word in PAYOFFS.items()}
KERNEL = {word: key for key, word in CLASSES.items()}


def wide_table(people: Sequence[GridPerson]) -> str:
    """Return the wide table of Wu et al. 2017. Raises ``ConfigError`` for sessions that it cannot hold."""
    mistakes = [mistake for person in people for mistake in _lacks(person)]
    if mistakes:
        raise ConfigError(*mistakes)
    return _text(WIDE_COLUMNS, (_wide(person) for person in people))


def long_table(people: Sequence[GridPerson]) -> str:
    """Return the long table of the later studies; times are in milliseconds since 1970 if the record has the start."""
    return _text(LONG_COLUMNS, (row for person in people for each in person.rounds for row in _long(person, each)))


def _lacks(person: GridPerson) -> Iterator[str]:
    if person.payoff not in SCENARIO or person.environments not in KERNEL:
        condition = person.condition or "unknown"
        accepted = "the wide table has average or maximum, and rough or smooth"
        yield f"{person.name}: its condition is {condition}: {accepted}: wanted --layout long"
    if any(each.grid.width != 11 or each.grid.height != 11 for each in person.rounds):
        yield f"{person.name}: its grid is not 11 x 11, as the wide table takes for granted: wanted --layout long"


def _wide(person: GridPerson) -> Iterator[object]:
    rounds = person.rounds
    first = min(each.horizon for each in rounds) != rounds[0].horizon
    lists = (
        [each.grid.x[each.tile].tolist() for each in rounds],
        [each.grid.y[each.tile].tolist() for each in rounds],
        [_numbers(each.drawn) for each in rounds],
        [_numbers(each.shown) for each in rounds],
    )
    yield from (person.subject, SCENARIO[person.payoff], KERNEL[person.environments], int(first))
    yield json.dumps([_plain(math.nan if each.scale is None else each.scale) for each in rounds])
    yield json.dumps([-1 if each.environment is None else each.environment for each in rounds])
    yield json.dumps(dict(zip(LISTS, lists, strict=True)), separators=(",", ":"))
    yield "" if math.isnan(person.bonus) else f"{person.bonus:.2f}"
    yield from ("" if moment is None else moment.strftime(MOMENT) for moment in (person.start, person.end))


def _long(person: GridPerson, each: GridRound) -> Iterator[list[object]]:
    begin_ms = 0.0 if person.start is None else person.start.timestamp() * 1000
    grid = each.grid
    for trial, tile in enumerate(each.tile.tolist()):
        x, y = grid.place(tile)
        time_ms = begin_ms + float(each.time_s[trial]) * 1000
        yield [
            *(person.subject, person.number, x, y, tile + 1),
            *(_cell(float(value)) for value in (each.drawn[trial], each.shown[trial])),
            *("NA" if math.isnan(time_ms) else round(time_ms), trial, each.number),
        ]


def _numbers(values: Floats) -> list[float | None]:
    return [_plain(value) for value in values.tolist()]


def _plain(value: float) -> float | None:
    """Return a number as the tables have it: whole where it is whole, null where it is unknown."""
    if math.isnan(value):
        return None
    return int(value) if value == int(value) else value


def _cell(value: float) -> float | str | None:
    return "NA" if math.isnan(value) else _plain(value)


def _text(columns: Sequence[str], rows: Iterator[Iterable[object]]) -> str:
    return csv_text([columns, *([_written(cell) for cell in row] for row in rows)])


def _written(cell: object) -> str:
    return escape_formula(cell) if isinstance(cell, str) else str(cell)
