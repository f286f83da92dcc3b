"""Words of columns as places: of lines along an axis, of colors, and of symbols."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

import numpy as np

from rig.records.journal.read import Row
from rig.views.cells import Described, word_in, word_of
from rig.views.chart import Axis, Floats, Symbol

SYMBOLS: tuple[Symbol, ...] = ("circle", "triangle", "square", "cross", "ring", "tick")
MAX_GROUPS = 8
"""More words of one column could not be told apart by colors; the others are drawn as one."""
OTHERS = "others"
NO_WORD = "none"
"""The group of rows whose column is empty, such as a trial without a choice."""
_COLORS = 7


class LineStyle(TypedDict):
    """What tells a line from others, by the names of `Curve`."""

    color: int
    dashed: bool
    width: float


class Words:
    """The words of a column, in the order in which they are known or came; each has a place, from 0."""

    def __init__(self, known: tuple[str, ...] = (), most: int = MAX_GROUPS) -> None:
        self._most = most
        self.places = {word: index for index, word in enumerate(dict.fromkeys(known[:most]))}

    def place(self, word: str) -> int:
        """Return the place of a word; words beyond the most share the last place."""
        found = self.places.get(word)
        if found is not None:
            return found
        if len(self.places) < self._most:
            return self.places.setdefault(word, len(self.places))
        return self.places.setdefault(OTHERS, len(self.places))

    def place_in(self, row: Row, column: str) -> int:
        """Return the place of the word that a row has in a column; 0 if no column names groups."""
        return self.place(word_in(row, column) or NO_WORD) if column else 0

    def axis(self, label: str, counts: Mapping[int, int] | None = None) -> Axis:
        """Return an axis with a line for each word, the first on top; a place is at minus its number.

        ``counts`` stand behind the words, by their places.
        """
        ticks = {
            float(-place): word if counts is None else f"{word} ({counts.get(place, 0)})"
            for word, place in self.places.items()
        }
        return Axis(label, ticks=ticks, bounds=(min(ticks, default=0.0) - 0.6, 0.6))

    def sorted_axis(self, label: str, places: Floats) -> tuple[Axis, Floats]:
        """Return an axis with a line for each word, and the line of each of some places.

        Numbers rise from the bottom; other words stand in their order, the first on top.
        """
        ordered = in_order(self.places)
        line = {self.places[word]: number for number, word in enumerate(ordered)}
        ticks = {float(number): word for number, word in enumerate(ordered)}
        line_of = np.array([line[index] for index in range(len(line))] or [0], dtype=np.float64)
        return Axis(label, ticks=ticks, bounds=(-0.6, len(ordered) - 0.4)), line_of[places.astype(np.int64)]


def in_order(words: Mapping[str, object]) -> list[str]:
    """Return words in the order of their numbers, or, if some are no numbers, the last first."""
    try:
        return sorted(words, key=float)
    except ValueError:
        return list(words)[::-1]


def style(place: int) -> tuple[int, Symbol]:
    """Return the color and the symbol of a place."""
    return place % _COLORS, SYMBOLS[place % len(SYMBOLS)]


def line_style(place: int) -> LineStyle:
    """Return the color of a line by its place, and what else tells it apart: dashes and width."""
    return {"color": place % _COLORS, "dashed": place % 2 > 0, "width": 2.0 if place % 4 < 2 else 1.0}


def known_words(described: Described, column: str) -> tuple[str, ...]:
    """Return the words that a column may hold, as the header describes them, without the empty one."""
    return tuple(word for word in map(word_of, described[column].values) if word) if column in described else ()
