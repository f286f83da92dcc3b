"""The legend of a drawn chart: the names of its marks, each with a sample."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from rig.report.chart_marks import Plot, band_opacity, draw, paint, symbols
from rig.report.chart_scale import Scale
from rig.report.html import Html
from rig.report.svg_elements import label, shape, shortened, text_width
from rig.views.chart import Bands, Bars, Curve, Mark, Points

LEGEND_PX = 10.7
LINE_PX = 15
"""The distance of two lines of text."""
SAMPLE_PX, GAP_PX = 20, 6
"""The width of a sample, and what is free between it and its name; between two names there is three times as much."""
SAMPLE_SIZE = 6.0
"""Small symbols of crowded charts could not be told apart."""
LONGEST_PX = 480
"""Of a wider name only the begin is shown."""
Named = Points | Curve | Bars | Bands


def legend(marks: Sequence[Mark], width: float) -> tuple[Html, float]:
    """Return the names of marks in centered rows, and the height of these."""
    rows = list(_rows([mark for mark in marks if isinstance(mark, Named) and mark.name], width))
    parts = []
    for number, row in enumerate(rows):
        x = max(0.0, (width - sum(map(_width, row)) + 3 * GAP_PX) / 2)
        y = LINE_PX * (number + 0.5) + GAP_PX
        for mark in row:
            parts.append(shape("g", _sample(mark), transform=f"translate({x:.1f} {y:.1f})scale(.1)"))
            parts.append(label(_short(mark.name), x + SAMPLE_PX + GAP_PX, y + 4))
            x += _width(mark)
    return shape("g", parts, font_size=LEGEND_PX), LINE_PX * len(rows)


def _rows(marks: Sequence[Named], width: float) -> Iterator[list[Named]]:
    row: list[Named] = []
    for mark in marks:
        if row and sum(map(_width, [*row, mark])) > width:
            yield row
            row = []
        row.append(mark)
    if row:
        yield row


def _width(mark: Named) -> float:
    return SAMPLE_PX + 4 * GAP_PX + text_width(_short(mark.name), LEGEND_PX)


def _short(name: str) -> str:
    return shortened(name, LEGEND_PX, LONGEST_PX)


def _sample(mark: Named) -> Html:
    """Return a sample of a mark, in tenths of a pixel."""
    if isinstance(mark, Points):
        return symbols(mark.symbol, SAMPLE_SIZE, paint(mark.color), np.array([[SAMPLE_PX * 5, 0]]))
    if isinstance(mark, Curve):
        line = Plot(Scale(0, 1), Scale(0, 1), SAMPLE_PX, 0)
        return draw(replace(mark, x=np.array([0.0, 1.0]), y=np.zeros(2), steps=False), line)
    opacity = band_opacity(mark) if isinstance(mark, Bands) else None
    return shape("rect", y=-40, width=SAMPLE_PX * 10, height=80, fill=paint(mark.color), opacity=opacity)
