"""The tiles of a grid and the points of a line: numbers, names and distances."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Array = TypeVar("Array", Floats, Ints)

_NAME = re.compile(r"(0|[1-9]\d{0,3}),(0|[1-9]\d{0,3})")


@dataclass(frozen=True)
class Grid:
    """A grid of tiles; a line is a grid of height 1.

    Tile (x, y) has the number ``y * width + x``; x counts from the left and y from the top (the origin of the released
    code of Wu et al. 2017). ``step`` is the distance of neighbors in the unit in which a kernel measures distances: 1
    for tiles, 0.5 for the line of 21 points from 0 to 10 (Schulz et al. 2018, experiment 1).
    """

    width: int
    height: int = 1
    step: float = 1.0

    @property
    def count(self) -> int:
        """Return the number of tiles."""
        return self.width * self.height

    def tile(self, x: int, y: int = 0) -> int:
        """Return the number of a tile."""
        return y * self.width + x

    def place(self, tile: int) -> tuple[int, int]:
        """Return x and y of a tile."""
        y, x = divmod(tile, self.width)
        return x, y

    def name(self, tile: int) -> str:
        """Return the name of a tile, ``x,y``: that of its item in a scene."""
        x, y = self.place(tile)
        return f"{x},{y}"

    @cached_property
    def x(self) -> Ints:
        """Return the x of every tile."""
        return _fixed(np.tile(np.arange(self.width), self.height))

    @cached_property
    def y(self) -> Ints:
        """Return the y of every tile."""
        return _fixed(np.repeat(np.arange(self.height), self.width))

    @cached_property
    def manhattan(self) -> Ints:
        """Return the Manhattan distances of all pairs of tiles, in tiles; shape (tiles, tiles)."""
        return _fixed(np.abs(self.x[:, None] - self.x) + np.abs(self.y[:, None] - self.y))

    @cached_property
    def squared_distances(self) -> Floats:
        """Return the squared Euclidean distances of all pairs, in the kernel's unit; shape (tiles, tiles)."""
        squared = (self.x[:, None] - self.x) ** 2 + (self.y[:, None] - self.y) ** 2
        return _fixed(self.step**2 * squared)

    @cached_property
    def inverse_manhattan(self) -> Floats:
        """Return the inverse Manhattan distances of all pairs, 1 for a tile and itself (Wu et al. 2017)."""
        return _fixed(1.0 / np.maximum(self.manhattan, 1))


def parse_place(name: str) -> tuple[int, int] | None:
    """Return x and y of a tile's name; None for another name."""
    match = _NAME.fullmatch(name)
    return (int(match[1]), int(match[2])) if match else None


def _fixed(array: Array) -> Array:
    """Return the array, read-only: all readers of the grid share it."""
    array.setflags(write=False)
    return array
