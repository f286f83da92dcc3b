"""Marks of charts as elements of an SVG drawing, each as few and short ones as it can be.

All places are whole tenths of a pixel from the upper left corner of the plot, and paths go from one to the next by the
difference: many points are a short text. A circle is a line without length that has round ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rig.report.chart_scale import Scale
from rig.report.html import Html, together
from rig.report.svg_elements import label, shape, text_width
from rig.views.chart import NEUTRAL, Bands, Bars, Curve, Floats, Mark, Moments, Points, Rings, Symbol, Tiles

Places: TypeAlias = NDArray[np.int64]
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#B8A800", "currentColor")
"""Okabe and Ito (2008); the yellow is darker than theirs (#F0E442), which is too light on white paper."""
CIVIDIS = ("#fee838", "#ddc858", "#bbad6d", "#9a9376", "#7c7b78", "#60646f", "#424e6c", "#18376f", "#00224e")
"""Colors of tiles from the lowest to the highest value (Nunez, Anderton and Renslow 2018)."""
SHADES = 33
"""Number of colors between them."""
PT = 4 / 3
"""A point in pixels."""
MANY = 40_000
"""More places than this are rounded to whole pixels: they cover each other, and would make the page slow."""
BEYOND = 2.0
"""Places farther outside than this many lengths of the plot are drawn there."""
TEXT_PX, MOMENT_PX = 10.7, 9.3


@dataclass(frozen=True)
class Plot:
    """The plot of a chart: its scales and its size in pixels."""

    x: Scale
    y: Scale
    width: float
    height: float

    def across(self, values: Floats) -> Floats:
        """Return places from the left, in tenths of a pixel."""
        return self.x.shares(values) * self.width * 10

    def down(self, values: Floats) -> Floats:
        """Return places from the top, in tenths of a pixel."""
        return (1 - self.y.shares(values)) * self.height * 10

    def places(self, x: Floats, y: Floats) -> Floats:
        """Return places, rounded, as rows; NaN where there is none."""
        size = np.array([self.width, self.height]) * 10
        grid = 10 if len(x) > MANY else 1
        rows = np.column_stack([self.across(x), self.down(y)])
        return np.round(np.clip(rows, -BEYOND * size, (1 + BEYOND) * size) / grid) * grid


def paint(color: int) -> str:
    """Return a color of the palette; that of no group is the page's."""
    return PALETTE[color % len(PALETTE)]


def shade(value: float) -> str:
    """Return the color of a tile, from 0 (lowest) to 1 (highest)."""
    at = min(max(value, 0.0), 1.0) * (len(CIVIDIS) - 1)
    first = min(int(at), len(CIVIDIS) - 2)
    low, high = (np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) for color in CIVIDIS[first : first + 2])
    return "#" + "".join(f"{part:02x}" for part in np.round(low + (high - low) * (at - first)).astype(int))


# --- what a mark reaches ------------------------------------------------------------------------------------------


def reach(mark: Mark) -> tuple[Floats, Floats]:
    """Return values of x and y that must be within the axes."""
    nothing = np.empty(0)
    match mark:
        case Bands():
            return np.concatenate([mark.start, mark.end]), nothing
        case Moments():
            return mark.x, nothing
        case Bars():
            half = mark.width / 2
            return np.concatenate([mark.x - half, mark.x + half]), np.append(mark.height, 0.0)
        case Rings() | Tiles():
            side = mark.radius if isinstance(mark, Rings) else np.full(1, mark.side / 2)
            return np.concatenate([mark.x - side, mark.x + side]), np.concatenate([mark.y - side, mark.y + side])
    return mark.x, mark.y


# --- symbols ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Stroke:
    """A symbol: its path, where this begins and ends from the middle, and how it is drawn; in tenths of a pixel."""

    path: str
    start: tuple[int, int]
    end: tuple[int, int]
    width: float = 10 * PT
    cap: str | None = None
    is_filled: bool = False


def _symbol(kind: Symbol, size: float) -> _Stroke:
    """Return a symbol of a size in points."""
    r = max(1, round(size * PT * 5))
    d = 2 * r
    match kind:
        case "circle":
            return _Stroke("h0", (0, 0), (0, 0), d + 10 * PT, "round")
        case "square":
            return _Stroke("h0", (0, 0), (0, 0), d + 10 * PT, "square")
        case "ring":
            half = f"a{r} {r} 0 0 0"
            return _Stroke(f"{half} {d} 0{half}-{d} 0", (-r, 0), (-r, 0))
        case "tick":
            return _Stroke(f"v{d}", (0, -r), (0, r), 12 * PT)
        case "cross":
            return _Stroke(f"l{d} {d}m-{d} 0l{d}-{d}", (-r, -r), (r, -r))
        case "triangle":
            return _Stroke(f"l{r} {d}h-{d}z", (0, -r), (0, -r), is_filled=True)


def symbols(kind: Symbol, size: float, color: str, places: Places) -> Html:
    """Return a symbol at each place, as one path."""
    if not len(places):
        return Html("")
    symbol = _symbol(kind, size)
    moves = np.diff(places, axis=0) - np.subtract(symbol.end, symbol.start)
    first = places[0] + symbol.start
    d = f"M{first[0]} {first[1]}{symbol.path}" + (f"m%+d%+d{symbol.path}" * len(moves)) % tuple(moves.ravel())
    fill = color if symbol.is_filled else "none"
    return shape("path", d=d, fill=fill, stroke=color, stroke_width=symbol.width, stroke_linecap=symbol.cap)


# --- marks --------------------------------------------------------------------------------------------------------


@singledispatch
def draw(mark: Mark, plot: Plot) -> Html:
    """Return a mark as elements of the plot."""
    raise TypeError(f"no way to draw {type(mark).__name__}")


@draw.register
def _(mark: Points, plot: Plot) -> Html:
    rows = plot.places(mark.x, mark.y)
    size = np.array([plot.width, plot.height]) * 10
    # Symbols just beyond an edge are half seen; comparisons with NaN are false.
    places = rows[((rows >= -100) & (rows <= size + 100)).all(axis=1)].astype(np.int64)
    if len(places) > MANY:
        places = np.unique(places, axis=0)
    return symbols(mark.symbol, mark.size * 0.7, paint(mark.color), places)


@draw.register
def _(mark: Curve, plot: Plot) -> Html:
    rows = plot.places(mark.x, mark.y)
    known = np.isfinite(rows).all(axis=1)
    ends = np.flatnonzero(np.diff(known.astype(np.int8))) + 1
    runs = [run.astype(np.int64) for run in np.split(rows, ends) if len(run) and np.isfinite(run[0]).all()]
    width = mark.width * 10 * PT
    return shape(
        "path",
        d="".join(_line(run, steps=mark.steps) for run in runs),
        fill="none",
        stroke=paint(mark.color),
        stroke_width=width,
        stroke_linejoin="round",
        stroke_dasharray=f"{3.7 * width:.0f} {1.6 * width:.0f}" if mark.dashed else None,
        opacity=0.35 if mark.faint else None,
    )


def _line(places: Places, *, steps: bool) -> str:
    """Return a line through places as the text of a path; ``steps`` keep a height until the next place."""
    if steps:
        places = np.column_stack([np.repeat(places[:, 0], 2)[1:], np.repeat(places[:, 1], 2)[:-1]])
    moves = np.diff(places, axis=0)
    moves = moves[moves.any(axis=1)]
    if len(moves) > 1:  # moves in the same direction are one
        (x, y), (next_x, next_y) = moves[:-1].T, moves[1:].T
        straight = (x * next_y == y * next_x) & (x * next_x + y * next_y > 0)
        moves = np.add.reduceat(moves, np.flatnonzero(np.append(True, ~straight)))
    line = ("%+d%+d" * len(moves)) % tuple(moves.ravel()) or "0 0"
    return f"M{places[0, 0]} {places[0, 1]}l{line}"


@draw.register
def _(mark: Bars, plot: Plot) -> Html:
    left, right = plot.across(mark.x - mark.width / 2), plot.across(mark.x + mark.width / 2)
    base = np.broadcast_to(plot.down(np.zeros(1)), mark.x.shape)
    return shape("path", d=_boxes(plot, left, base, right, plot.down(mark.height)), fill=paint(mark.color))


def _boxes(plot: Plot, left: Floats, bottom: Floats, right: Floats, top: Floats) -> str:
    """Return boxes as the text of a path; those without a side are left out."""
    size = np.array([plot.width, plot.height, plot.width, plot.height]) * 10
    sides = np.clip(np.column_stack([left, bottom, right, top]), -BEYOND * size, (1 + BEYOND) * size)
    rows = sides[np.isfinite(sides).all(axis=1)].round().astype(np.int64)
    return "".join(f"M{x} {y}H{to_x}V{to_y}H{x}z" for x, y, to_x, to_y in rows.tolist())


@draw.register
def _(mark: Bands, plot: Plot) -> Html:
    top = np.zeros(len(mark.start))
    boxes = _boxes(plot, plot.across(mark.start), top + plot.height * 10, plot.across(mark.end), top)
    return shape("path", d=boxes, fill=paint(mark.color), opacity=band_opacity(mark))


def band_opacity(mark: Bands) -> float:
    """Return how much of the color of a band is seen."""
    return 0.1 if mark.color == NEUTRAL else 0.15


@draw.register
def _(mark: Rings, plot: Plot) -> Html:
    wide, high = mark.radius / plot.x.span * plot.width, mark.radius / plot.y.span * plot.height
    rows = np.column_stack([plot.across(mark.x), plot.down(mark.y), wide * 10, high * 10])
    drawn = rows[np.isfinite(rows).all(axis=1)].tolist()
    rings = [shape("ellipse", cx=x, cy=y, rx=rx, ry=ry) for x, y, rx, ry in drawn]
    return shape("g", rings, fill="none", stroke=paint(mark.color), stroke_width=10 * PT)


@draw.register
def _(mark: Tiles, plot: Plot) -> Html:
    half = mark.side / 2
    level = np.round(tile_scale(mark).shares(mark.value) * (SHADES - 1))
    left, right = plot.across(mark.x - half), plot.across(mark.x + half)
    bottom, top = plot.down(mark.y - half), plot.down(mark.y + half)
    paths = []
    for number in np.unique(level[np.isfinite(level)]):
        rows = level == number
        boxes = _boxes(plot, left[rows], bottom[rows], right[rows], top[rows])
        paths.append(shape("path", d=boxes, fill=shade(number / (SHADES - 1))))
    return together(paths)


def tile_scale(mark: Tiles) -> Scale:
    """Return the range of the values of tiles."""
    known = mark.value[np.isfinite(mark.value)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    return Scale(low, high if high > low else low + 1.0)


@draw.register
def _(mark: Moments, plot: Plot) -> Html:
    places = plot.across(mark.x)
    lines = "".join(f"M{x:.0f} 0V{plot.height * 10:.0f}" for x in places[np.isfinite(places)].tolist())
    return shape("path", d=lines, stroke=paint(mark.color), stroke_width=8 * PT, stroke_dasharray="11 18")


# --- words --------------------------------------------------------------------------------------------------------


def words(mark: Mark, plot: Plot) -> Html:
    """Return the texts of a mark in the plot, in pixels: they come after all marks, so that nothing hides them."""
    if isinstance(mark, Rings):
        places = zip(plot.across(mark.x) / 10, plot.down(mark.y) / 10, mark.texts, strict=False)
        return together(_plate(x, y, name) for x, y, name in places if np.isfinite([x, y]).all())
    if isinstance(mark, Moments):
        at = zip(plot.across(mark.x) / 10, mark.texts, strict=True)
        return together(
            label(name, x - 3, 2, upward=True, text_anchor="end", font_size=MOMENT_PX)
            for x, name in at
            if 0 <= x <= plot.width
        )
    return Html("")


def _plate(x: float, y: float, name: str) -> Html:
    """Return a text on a plate through which points are still seen."""
    width, height = text_width(name, TEXT_PX) + 3, TEXT_PX + 3
    plate = shape(
        "rect", x=x - width / 2, y=y - height / 2, width=width, height=height, fill="var(--paper)", opacity=0.75
    )
    return together([plate, label(name, x, y + 4, text_anchor="middle", font_size=TEXT_PX)])
