"""Draw the charts of ``rig.views`` as SVG, in the colors and letters of the page that holds them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rig.report.chart_legend import LINE_PX, legend
from rig.report.chart_marks import SHADES, Plot, draw, reach, shade, tile_scale, words
from rig.report.chart_scale import Scale, Tick, scale_of, ticks_of
from rig.report.html import Html, text, together
from rig.report.svg_elements import label, shape, shortened, text_width
from rig.views.chart import Axis, Bands, Bars, Chart, Curve, Floats, Moments, Points, Tiles

WIDTH, HEIGHT = 576, 278
"""In pixels: texts are still read in a page with two charts side by side."""
MAP_WIDTH, MAP_HEIGHT = 442, 422
TICK_PX = TITLE_PX = 13.0
TICK_LENGTH = 5
X_APART, Y_APART = 50, 28
"""The least distances of two ticks."""
EDGE = 4
"""Free pixels around the drawing; symbols at an edge of the plot reach so far beyond it."""
BAR_WIDTH, BAR_ROOM = 14, 84
"""The color bar of tiles, and what it takes with its numbers and its title."""


@dataclass(frozen=True)
class Frame:
    """A plot within the drawing: where it begins, and the ticks of its axes."""

    plot: Plot
    left: float
    top: float
    x_ticks: Sequence[Tick]
    y_ticks: Sequence[Tick]
    upright: bool
    """Whether the texts below the ticks of x are turned, because they would overlap."""


def is_empty(chart: Chart) -> bool:
    """Whether a chart has nothing to show yet."""
    return not any(len(mark.start) if isinstance(mark, Bands) else len(mark.x) for mark in chart.marks)


def chart_svg(chart: Chart, name: str) -> Html:
    """Return the drawing of a chart, without its title; ``name`` makes its inner name unique in the page."""
    width = MAP_WIDTH if chart.is_map else WIDTH
    names, names_height = legend(chart.marks, width)
    frame, height = _frame(chart, width, names_height)
    plot = frame.plot
    # Areas hide no line and no symbol.
    ordered = sorted(chart.marks, key=lambda mark: isinstance(mark, Points | Curve | Moments))
    marks = shape("g", [draw(mark, plot) for mark in ordered], transform="scale(.1)")
    window = shape("rect", x=-EDGE, y=-EDGE, width=plot.width + 2 * EDGE, height=plot.height + 2 * EDGE)
    inner = [
        shape("clipPath", window, id=f"{name}-plot"),
        shape("g", marks, clip_path=f"url(#{name}-plot)"),
        *(words(mark, plot) for mark in chart.marks),
        *_axes(chart, frame),
        *(_color_bar(mark, plot) for mark in chart.marks if isinstance(mark, Tiles) and len(mark.x)),
    ]
    return shape(
        "svg",
        [names, shape("g", inner, transform=f"translate({frame.left:.1f} {frame.top:.1f})")],
        width=width,
        height=height,
        viewBox=f"0 0 {width} {height:.1f}",
        role="img",
        fill="currentColor",
        font_family="DejaVu Sans, Verdana, sans-serif",
        aria_label=text(f"{chart.title}: {chart.y.title} over {chart.x.title}"),
    )


# --- layout -------------------------------------------------------------------------------------------------------


def _frame(chart: Chart, width: float, top: float) -> tuple[Frame, float]:
    """Return where everything is, and the height of the drawing."""
    x, y = _scales(chart)
    top += 3 * EDGE
    height: float = MAP_HEIGHT if chart.is_map else HEIGHT
    plot_height = height - top - 2 * LINE_PX - TICK_LENGTH - 3 * EDGE
    y_ticks = ticks_of(chart.y, y, _most(plot_height, Y_APART))
    if chart.y.ticks and not chart.is_map:  # many rows with names make the drawing higher
        height += max(0.0, len(y_ticks) * LINE_PX - plot_height)
    widest = max((_widest(tick) for tick in y_ticks), default=0.0)
    left = min(LINE_PX + widest + TICK_LENGTH + 3 * EDGE, width / 2)
    has_bar = any(isinstance(mark, Tiles) and len(mark.x) for mark in chart.marks)
    plot_width = width - left - (BAR_ROOM if has_bar else 4 * EDGE)
    if chart.is_map:
        unit = min(plot_width / x.span, plot_height / y.span)
        plot_width, plot_height = max(40.0, x.span * unit), max(40.0, y.span * unit)
        y_ticks = ticks_of(chart.y, y, _most(plot_height, Y_APART))
    x_ticks = ticks_of(chart.x, x, _most(plot_width, X_APART))
    upright = _overlap(x_ticks, plot_width)
    below = _below(x_ticks, upright=upright)
    if not chart.is_map:
        plot_height = height - top - below
    frame = Frame(Plot(x, y, plot_width, plot_height), left, top, x_ticks, y_ticks, upright)
    return frame, top + plot_height + below


def _most(length: float, apart: float) -> int:
    return max(2, int(length / apart))


def _scales(chart: Chart) -> tuple[Scale, Scale]:
    reached = [reach(mark) for mark in chart.marks]
    x, y = (np.concatenate([np.empty(0), *values]) for values in zip(*reached, strict=True)) if reached else _NOTHING
    has_bars = any(isinstance(mark, Bars) for mark in chart.marks)
    return scale_of(chart.x, x), scale_of(chart.y, y, from_zero=has_bars)


_NOTHING: tuple[Floats, Floats] = (np.empty(0), np.empty(0))


def _widest(tick: Tick) -> float:
    return max(text_width(line, TICK_PX) for line in tick.lines)


def _overlap(ticks: Sequence[Tick], length: float) -> bool:
    places = sorted((tick.share * length, _widest(tick)) for tick in ticks)
    return any(
        later - place < (width + later_width) / 2 + EDGE for (place, width), (later, later_width) in pairwise(places)
    )


def _below(ticks: Sequence[Tick], *, upright: bool) -> float:
    """Return the height of what is below the plot: ticks, their texts, and the title of the axis."""
    heights = (_widest(tick) if upright else float(LINE_PX * len(tick.lines)) for tick in ticks)
    return TICK_LENGTH + max(heights, default=0.0) + LINE_PX + 3 * EDGE


# --- axes ---------------------------------------------------------------------------------------------------------


def _axes(chart: Chart, frame: Frame) -> Iterator[Html]:
    width, height = frame.plot.width, frame.plot.height
    lines = f"M0 0V{height:.1f}H{width:.1f}"
    lines += "".join(f"M{tick.share * width:.1f} {height:.1f}v{TICK_LENGTH}" for tick in frame.x_ticks)
    lines += "".join(f"M0 {(1 - tick.share) * height:.1f}h-{TICK_LENGTH}" for tick in frame.y_ticks)
    yield shape("path", d=lines, fill="none", stroke="currentColor")
    left, below = -TICK_LENGTH - EDGE, height + TICK_LENGTH + EDGE
    y_texts = [_lines(left, (1 - tick.share) * height + 4.5, tick.lines) for tick in frame.y_ticks]
    yield shape("g", y_texts, text_anchor="end", font_size=TICK_PX)
    if frame.upright:
        at = [(tick.share * width + 4.5, " ".join(tick.lines)) for tick in frame.x_ticks]
        x_texts = [label(name, x, below - 2, upward=True) for x, name in at]
    else:
        x_texts = [_lines(tick.share * width, below + 8, tick.lines) for tick in frame.x_ticks]
    yield shape("g", x_texts, text_anchor="end" if frame.upright else "middle", font_size=TICK_PX)
    bottom = height + _below(frame.x_ticks, upright=frame.upright) - 2 * EDGE
    x_title = label(shortened(chart.x.title, TITLE_PX, width), width / 2, bottom)
    y_title = label(shortened(chart.y.title, TITLE_PX, height), LINE_PX - frame.left, height / 2, upward=True)
    yield shape("g", [x_title, y_title], text_anchor="middle", font_size=TITLE_PX)


def _lines(x: float, y: float, lines: Sequence[str]) -> Html:
    """Return the lines of a text, one below the other."""
    return together(label(line, x, y + number * LINE_PX) for number, line in enumerate(lines))


def _color_bar(tiles: Tiles, plot: Plot) -> Html:
    """Return what the colors of tiles stand for."""
    x, step = plot.width + 4 * EDGE, plot.height / SHADES
    boxes = [
        shape("rect", x=x, y=(1 - share) * (plot.height - step), width=BAR_WIDTH, height=step + 0.5, fill=shade(share))
        for share in np.linspace(0, 1, SHADES).tolist()
    ]
    right = x + BAR_WIDTH
    ticks = ticks_of(Axis(""), tile_scale(tiles), _most(plot.height, 40))
    at = [((1 - tick.share) * plot.height, tick.lines) for tick in ticks]
    marks = shape("path", d="".join(f"M{right:.1f} {y:.1f}h{TICK_LENGTH}" for y, _ in at), stroke="currentColor")
    texts = [_lines(right + TICK_LENGTH + 2, y + 4.5, lines) for y, lines in at]
    name = shortened(tiles.name, TICK_PX, plot.height)
    title = label(name, right + BAR_ROOM - 2 * LINE_PX, plot.height / 2, upward=True, text_anchor="middle")
    return shape("g", boxes, marks, texts, title, font_size=TICK_PX)
