"""Draw the charts of ``rig.views`` with matplotlib, for pages. Needs the extra ``analysis``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch
from typing import Any

import matplotlib.ticker
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Rectangle

from rig.analysis.common.style import BLACK, BLUE, GREEN, ORANGE, PINK, RED, SKY
from rig.views.chart import NEUTRAL, Axis, Bands, Bars, Chart, Curve, Mark, Moments, Points, Rings, Symbol, Tiles
from rig.views.log_marks import log_marks

PAPER = "#ffffff"
"""The color behind all, in the dark that of the page; see `rig.report.svg`."""
PALETTE = (BLUE, ORANGE, GREEN, RED, SKY, PINK, "#B8A800", BLACK)
"""Okabe and Ito (2008); the yellow is darker than theirs (#F0E442), which is too light on white paper."""
SIZE_IN = (6.0, 2.9)
"""The width at which texts of 8 points are still read in a page with two figures side by side."""
MAP_SIZE_IN = (4.6, 4.4)
LEGEND_SYMBOL = 6.0
MOST_VECTORS = 4000
"""More symbols than this are drawn as pixels: as shapes they would make the page slow."""
_SYMBOLS: Mapping[Symbol, Mapping[str, Any]] = {
    "circle": {"marker": "o"},
    "ring": {"marker": "o", "mfc": "none"},
    "tick": {"marker": "|", "mew": 1.2},
    "cross": {"marker": "x"},
    "triangle": {"marker": "^"},
    "square": {"marker": "s"},
}


def draw_chart(chart: Chart) -> Figure:
    """Return the figure of a chart, without its title, which the page has as text."""
    figure = Figure(figsize=MAP_SIZE_IN if chart.is_map else SIZE_IN, layout=ConstrainedLayoutEngine())
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    for mark in chart.marks:
        _draw(mark, axes)
    _set_axis(axes, chart.x, "x")
    _set_axis(axes, chart.y, "y")
    if chart.is_map:
        axes.set_aspect("equal")
    handles, names = axes.get_legend_handles_labels()
    if names:
        legend = figure.legend(
            handles, names, loc="outside upper center", ncols=min(len(names), 5), fontsize=8, frameon=False
        )
        for handle in legend.legend_handles:
            if isinstance(handle, Line2D):  # small symbols of crowded charts could not be told apart here
                handle.set_markersize(LEGEND_SYMBOL)
    return figure


def is_empty(chart: Chart) -> bool:
    """Whether a chart has nothing to show yet."""
    return not any(_places(mark) for mark in chart.marks)


def _places(mark: Mark) -> int:
    return len(mark.start) if isinstance(mark, Bands) else len(mark.x)


def _color(place: int) -> str:
    return PALETTE[place % len(PALETTE)]


def _set_axis(axes: Axes, axis: Axis, side: str) -> None:
    set_each = {name: getattr(axes, f"set_{side}{name}") for name in ("label", "scale", "ticks", "lim")}
    set_each["label"](axis.title)
    if axis.log:
        set_each["scale"]("log")
        low, high = np.log10(getattr(axes, f"get_{side}lim")())
        marked = getattr(axes, f"{side}axis")
        marked.set_major_locator(matplotlib.ticker.FixedLocator([10**mark for mark in log_marks(low, high)]))
        # The usual labels are formulas, and texts of charts are never read as formulas.
        marked.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda value, _: f"{value:g}"))
        marked.set_minor_formatter(matplotlib.ticker.NullFormatter())
    if axis.ticks is not None:
        set_each["ticks"](list(axis.ticks), list(axis.ticks.values()))
    low, high = axis.bounds
    set_each["lim"](low, high)


@singledispatch
def _draw(mark: Mark, axes: Axes) -> None:
    raise TypeError(f"no way to draw {type(mark).__name__}")


@_draw.register
def _(mark: Points, axes: Axes) -> None:
    color = _color(mark.color)
    axes.plot(
        mark.x,
        mark.y,
        ls="none",
        color=color,
        ms=mark.size * 0.7,
        label=mark.name or None,
        rasterized=len(mark.x) > MOST_VECTORS,
        **_SYMBOLS[mark.symbol],
    )


@_draw.register
def _(mark: Curve, axes: Axes) -> None:
    axes.plot(
        mark.x,
        mark.y,
        color=_color(mark.color),
        lw=mark.width,
        ls="--" if mark.dashed else "-",
        drawstyle="steps-post" if mark.steps else "default",
        alpha=0.35 if mark.faint else None,
        label=mark.name or None,
        rasterized=len(mark.x) > 10 * MOST_VECTORS,
    )


@_draw.register
def _(mark: Bars, axes: Axes) -> None:
    axes.bar(mark.x, mark.height, width=mark.width, color=_color(mark.color), label=mark.name or None)


@_draw.register
def _(mark: Bands, axes: Axes) -> None:
    for place, (start, end) in enumerate(zip(mark.start, mark.end, strict=True)):
        name = mark.name if place == 0 and mark.name else None
        axes.axvspan(
            start, end, color=_color(mark.color), alpha=0.15 if mark.color != NEUTRAL else 0.1, lw=0, label=name
        )


@_draw.register
def _(mark: Rings, axes: Axes) -> None:
    for place, (x, y, radius) in enumerate(zip(mark.x, mark.y, mark.radius, strict=True)):
        axes.add_patch(Circle((float(x), float(y)), float(radius), fill=False, ec=_color(mark.color), lw=1))
        if place < len(mark.texts):
            # Above all points, on a plate through which these are still seen.
            text = axes.text(float(x), float(y), mark.texts[place], ha="center", va="center", fontsize=8, zorder=10)
            text.set_bbox({"fc": PAPER, "ec": "none", "alpha": 0.75, "pad": 0.8})
    reach = np.stack([mark.x - mark.radius, mark.y - mark.radius, mark.x + mark.radius, mark.y + mark.radius])
    if reach.size:
        axes.update_datalim([(reach[0].min(), reach[1].min()), (reach[2].max(), reach[3].max())])
        axes.autoscale_view()


@_draw.register
def _(mark: Tiles, axes: Axes) -> None:
    half = mark.side / 2
    squares = [Rectangle((x - half, y - half), mark.side, mark.side) for x, y in zip(mark.x, mark.y, strict=True)]
    drawn = PatchCollection(squares, cmap="cividis_r", rasterized=len(squares) > MOST_VECTORS)
    drawn.set_array(mark.value)
    axes.add_collection(drawn)
    axes.autoscale_view()
    if len(mark.x):
        axes.figure.colorbar(drawn, ax=axes, label=mark.name)


@_draw.register
def _(mark: Moments, axes: Axes) -> None:
    for x, text in zip(mark.x, mark.texts, strict=True):
        axes.axvline(float(x), color=_color(mark.color), lw=0.8, ls=":")
        axes.annotate(
            text, (float(x), 1), xycoords=("data", "axes fraction"), rotation=90, ha="right", va="top", fontsize=7
        )
