"""Charts as data: what is drawn where, with labels and units, but not by what.

The live window and the reports draw the same charts. A mark names its ``color`` by a place in a palette that is safe
for the color-blind (Okabe and Ito 2008), from 0; a theme gives it the shade for light or dark. No chart needs its
colors to be understood: marks differ by symbol, dash or place too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rig.terminal.format import with_unit

Floats: TypeAlias = NDArray[np.float64]
Symbol: TypeAlias = Literal["circle", "ring", "tick", "cross", "triangle", "square"]
NEUTRAL = 7
"""The palette's place for what belongs to no group: black on light, white on dark."""


@dataclass(frozen=True)
class Axis:
    """An axis: its label, its unit (empty for none), names of places, whether it is logarithmic, and its bounds."""

    label: str
    unit: str = ""
    ticks: Mapping[float, str] | None = None
    log: bool = False
    bounds: tuple[float | None, float | None] = (None, None)

    @property
    def title(self) -> str:
        """Return the label with its unit."""
        return with_unit(self.label, self.unit)


@dataclass(frozen=True)
class Points:
    """Symbols at places; arrays of equal length."""

    x: Floats
    y: Floats
    name: str = ""
    color: int = 0
    symbol: Symbol = "circle"
    size: float = 6.0


@dataclass(frozen=True)
class Curve:
    """A line through places, or steps that keep a value until the next; NaN interrupts it; ``faint`` is pale."""

    x: Floats
    y: Floats
    name: str = ""
    color: int = 0
    steps: bool = False
    dashed: bool = False
    width: float = 1.5
    faint: bool = False


@dataclass(frozen=True)
class Bars:
    """Upright bars of heights at places."""

    x: Floats
    height: Floats
    name: str = ""
    color: int = 0
    width: float = 0.8


@dataclass(frozen=True)
class Bands:
    """Shaded ranges of x over the whole height, such as blocks or pauses."""

    start: Floats
    end: Floats
    name: str = ""
    color: int = NEUTRAL


@dataclass(frozen=True)
class Rings:
    """Outlined circles of a radius in the units of the axes, such as disks or zones, with a text at each center."""

    x: Floats
    y: Floats
    radius: Floats
    texts: Sequence[str] = ()
    color: int = NEUTRAL


@dataclass(frozen=True)
class Tiles:
    """Squares of one side length around places, shaded from the lowest value (pale) to the highest (dark)."""

    x: Floats
    y: Floats
    value: Floats
    name: str = ""
    side: float = 1.0


@dataclass(frozen=True)
class Moments:
    """Dotted upright lines at places of x, each with a text at its top, such as a pause or a changed parameter."""

    x: Floats
    texts: Sequence[str]
    color: int = NEUTRAL


Mark: TypeAlias = Points | Curve | Bars | Bands | Rings | Tiles | Moments


@dataclass(frozen=True)
class Chart:
    """One chart; ``is_map`` says that x and y are lengths of the same scale. An empty chart says why in ``empty``."""

    title: str
    x: Axis
    y: Axis
    marks: Sequence[Mark] = field(default_factory=tuple)
    is_map: bool = False
    empty: str = "nothing yet"


def floats(values: Iterable[float | None]) -> Floats:
    """Return values as an array of floats; None becomes NaN."""
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
