"""The size of the grids of a public table: what the option says, checked against the tiles, or what the tiles say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from protocols.searching.grids.places import Grid
from protocols.searching.tables.grid_long import LongTable
from protocols.searching.tables.grid_wide import MOST_TILES, WidePerson
from rig.core.errors import ConfigError

OPTION = "--grid"
WIDE_GRID = Grid(11, 11)
"""The grid of the study, which a wide table does not name; one with tiles beyond it gets the smallest square."""


def parsed_size(word: str) -> Grid:
    """Parse the two numbers of the option. Raises ``ValueError``."""
    width, comma, height = word.partition(",")
    if comma and all(part.isdecimal() and 1 <= int(part) <= MOST_TILES for part in (width, height)):
        return Grid(int(width), int(height))
    raise ValueError(f"WIDTH,HEIGHT in tiles, 1 to {MOST_TILES}, such as 8,8")


def size_of_long(path: Path, table: LongTable, stated: Grid | None) -> Grid:
    """Return the grid of a long table. Raises ``ConfigError``."""
    least = Grid(table.width, table.height)
    if stated is not None:
        if table.width_known and stated.width != table.width:
            raise ConfigError(
                f"{path}: column chosen says that a grid is {table.width} wide, and {OPTION} {stated.width}: "
                "wanted one of them"
            )
        return _holding(path, stated, least)
    clicks = [click for each in table.rounds for click in each.clicks]
    if not table.width_known and table.height > 1 and min(min(click.x, click.y) for click in clicks) > 0:
        raise ConfigError(
            f"{path}: no x and no y is 0: wanted tiles counted from 0, or {OPTION} WIDTH,HEIGHT if they are"
        )
    return least


def size_of_wide(path: Path, people: Sequence[WidePerson], stated: Grid | None) -> Grid:
    """Return the grid of a wide table. Raises ``ConfigError``."""
    rounds = [each for person in people for each in person.rounds]
    x = max((max(each.x) for each in rounds), default=0)
    y = max((max(each.y) for each in rounds), default=0)
    if stated is not None:
        return _holding(path, stated, Grid(x + 1, y + 1))
    largest = max(x, y)
    return WIDE_GRID if largest < WIDE_GRID.width else Grid(largest + 1, largest + 1)


def _holding(path: Path, stated: Grid, least: Grid) -> Grid:
    if stated.width < least.width or stated.height < least.height:
        raise ConfigError(
            f"{path}: has a tile with x {least.width - 1} and one with y {least.height - 1}, and {OPTION} says "
            f"{stated.width},{stated.height}: wanted {OPTION} {max(stated.width, least.width)},"
            f"{max(stated.height, least.height)} or larger"
        )
    return stated
