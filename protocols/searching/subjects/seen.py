"""What a participant reads from the screen of a search: tiles with numbers, buttons, questions and the red line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from protocols.searching.grids.places import Grid, parse_place
from rig.core.model.scene import Button, Item, Scene, Text

STOP, THRESHOLD, GUESS = "stop", "threshold", "guess"
"""Names of items: the button with which one stops, the line, and the question for the best tile."""
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")


class Tiles(NamedTuple):
    """The tiles that can be clicked, by number."""

    grid: Grid
    items: Mapping[int, Item]
    shown: Mapping[int, float]
    """The latest reward of each tile that shows one."""
    threshold: float | None
    """A reward below it is lost; None where nothing is lost."""
    asks_best: bool
    """Whether the participant is asked for the best tile."""


def tiles_in(scene: Scene) -> Tiles | None:
    """Return the tiles of a scene; None on a page without."""
    places = {place: item for item in scene.items if (place := parse_place(item.name)) is not None}
    if not places:
        return None
    grid = Grid(1 + max(x for x, _ in places), 1 + max(y for _, y in places))
    items = {grid.tile(*place): item for place, item in places.items()}
    numbers = {tile: number_in(item) for tile, item in items.items()}
    return Tiles(
        grid,
        items,
        {tile: number for tile, number in numbers.items() if number is not None},
        number_in(scene.item(THRESHOLD)),
        scene.item(GUESS) is not None,
    )


def number_in(item: Item | None) -> float | None:
    """Return the last number of an item's text, in which a comma may be the decimal point; None without one."""
    found = _NUMBER.findall(str(getattr(item, "text", "")))
    return float(found[-1].replace(",", ".")) if found else None


def buttons_in(scene: Scene) -> list[Button]:
    """Return the buttons of a page but the one with which one stops."""
    return [item for item in scene.items if isinstance(item, Button) and item.name != STOP]


def words_in(scene: Scene) -> int:
    """Return the number of words to read on a page."""
    return sum(len(item.text.split()) for item in scene.items if isinstance(item, Text | Button))
