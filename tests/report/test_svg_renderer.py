"""A drawing of many symbols is small, and shows each of them where it belongs."""

from __future__ import annotations

import re

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from rig.report.svg import drawing
from rig.report.svg_renderer import FEW, svg_text
from tests.report.found_markup import FoundMarkup

WIDTH_PT, HEIGHT_PT = 144.0, 72.0


def figure_of(x: object, y: object, symbol: str = "o", **look: object) -> Figure:
    """Build a figure of 2 by 1 inches that its axes fill, with symbols at places from 0 to 1."""
    figure = Figure(figsize=(2, 1))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.plot(x, y, symbol, ls="none", **look)
    axes.set(xlim=(0, 1), ylim=(0, 1))
    return figure


def drawn(figure: Figure) -> FoundMarkup:
    with drawing(formulas=False):
        return FoundMarkup(svg_text(figure).partition("?>")[2].partition(">")[2])


def places_of(found: FoundMarkup) -> list[list[float]]:
    """Return the places of the one line whose marker is a symbol."""
    paths = [dict(attributes) for tag, attributes in found.tags if tag == "path"]
    (line,) = [path for path in paths if "marker: url(#" in (path.get("style") or "")]
    numbers = [float(number) for number in re.findall(r"[-\d.e+]+", str(line["d"]))]
    return np.reshape(numbers, (-1, 2)).tolist()


@pytest.mark.parametrize("symbol", ["o", "x", "|", "^"])
def test_many_symbols_are_one_line_with_a_place_for_each(symbol: str) -> None:
    x = np.linspace(0.1, 0.9, 50)
    found = drawn(figure_of(x, x**2, symbol))
    assert found.names.count("marker") == 1
    assert np.allclose(places_of(found), np.column_stack([x * WIDTH_PT, (1 - x**2) * HEIGHT_PT]), atol=0.01)


def test_symbols_without_a_place_and_far_beyond_the_drawing_are_left_out() -> None:
    x = np.array([*np.linspace(0.1, 0.9, 20), np.nan, 1e9, -1e9])
    assert len(places_of(drawn(figure_of(x, np.full(len(x), 0.5))))) == 20


def test_few_symbols_and_no_symbols_are_drawn_without_a_marker() -> None:
    for count in (0, 1, FEW):
        found = drawn(figure_of(np.full(count, 0.5), np.full(count, 0.5)))
        assert "marker" not in found.names
        assert found.names.count("path") >= count


def test_an_empty_ring_is_whole() -> None:
    x = np.linspace(0.1, 0.9, 50)
    found = drawn(figure_of(x, x, "o", mfc="none", ms=20))
    (marker,) = (dict(attributes) for tag, attributes in found.tags if tag == "marker")
    # Its outline lies within the drawing: the renderer leaves out what is beyond.
    assert (float(str(marker["refx"])), float(str(marker["refy"]))) == (WIDTH_PT / 2, HEIGHT_PT / 2)
    assert marker["style"] == "overflow: visible"
    inside = next(dict(attributes) for tag, attributes in found.tags if tag == "path" and "C" in dict(attributes)["d"])
    numbers = np.reshape([float(number) for number in re.findall(r"[\d.]+", inside["d"])], (-1, 2))
    assert np.allclose(np.ptp(numbers, axis=0), 20, atol=0.1)


def test_texts_are_as_large_as_matplotlib_measures_them() -> None:
    with drawing(formulas=False):
        sizes = []
        for measured in (svg_text, lambda figure: FigureCanvasAgg(figure).draw()):
            figure = Figure(figsize=(4, 3), layout="constrained", dpi=72)
            axes = figure.subplots()
            axes.set(xlabel="trial", ylabel="share\nof all")
            measured(figure)
            sizes.append(axes.get_position().bounds)
    assert np.allclose(sizes[0], sizes[1], atol=0.01)
