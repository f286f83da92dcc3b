"""Every mark of a chart is drawn, whatever its texts are, as a drawing that a page can hold."""

from __future__ import annotations

import numpy as np
import pytest

from rig.report.draw_chart import draw_chart, is_empty
from rig.report.drawings import chart_figures
from rig.report.svg import drawing, svg
from rig.views.chart import Axis, Bands, Bars, Chart, Curve, Mark, Moments, Points, Rings, Tiles, floats
from tests.report.found_markup import FoundMarkup

X = floats([1, 2, 3])
Y = floats([0.5, None, 2])
MARKS: tuple[Mark, ...] = (
    Points(X, Y, "points", 1, "tick"),
    Curve(X, Y, "curve", 2, steps=True, dashed=True, faint=True),
    Bars(X, Y, "bars"),
    Bands(X, X + 0.5, "bands"),
    Rings(X, X, floats([1, 1, 1]), ["a", "b"]),
    Tiles(X, X, Y, "tiles"),
    Moments(floats([1.5]), ["pause"]),
)


def drawn(chart: Chart) -> FoundMarkup:
    with drawing(formulas=False):
        return FoundMarkup(svg(draw_chart(chart), "f", chart.title))


@pytest.mark.parametrize("text", ["$\\frac{a$ <script>$", "\n", "\x01&amp;-->"])
def test_every_mark_is_drawn_with_any_text(text: str) -> None:
    found = drawn(Chart(text, Axis(text, text), Axis(text, ticks={1.0: text}), [*MARKS, Points(X, Y, text)]))
    assert found.names.count("svg") == 1
    assert "script" not in found.names
    assert not found.comments


@pytest.mark.parametrize("mark", MARKS, ids=lambda mark: type(mark).__name__)
def test_every_mark_adds_to_a_drawing(mark: Mark) -> None:
    with drawing(formulas=False):
        assert draw_chart(Chart("a", Axis("x"), Axis("y"), [mark])).axes[0].has_data() or isinstance(mark, Moments)


def test_the_words_of_rings_come_after_the_points_so_that_nothing_hides_them() -> None:
    chart = Chart("disks", Axis("x"), Axis("y"), [Rings(X, X, floats([1, 1, 1]), ["a", "b", "c"]), Points(X, X)])
    figure = draw_chart(chart)
    (axes,) = figure.axes
    assert min(text.get_zorder() for text in axes.texts) > max(line.get_zorder() for line in axes.lines)


def test_a_logarithmic_axis_and_a_map_are_drawn() -> None:
    for chart in (
        Chart("log", Axis("x"), Axis("y", log=True, bounds=(0.1, None)), [Points(X, floats([0.2, 20, 300]))]),
        Chart("map", Axis("x", "cm"), Axis("y", "cm"), [Points(X, X)], is_map=True),
    ):
        assert "text" in drawn(chart).names


def test_many_points_are_drawn_as_pixels() -> None:
    many = np.linspace(0.0, 1.0, 20_000)
    found = drawn(Chart("many", Axis("x"), Axis("y"), [Points(many, many)]))
    (image,) = (dict(attributes) for tag, attributes in found.tags if tag == "image")
    assert str(image["xlink:href"]).startswith("data:image/png;base64,")


def test_black_takes_the_color_of_the_page() -> None:
    with drawing(formulas=False):
        made = svg(draw_chart(Chart("a", Axis("x"), Axis("y"), [Points(X, X, color=7)])), "f", "a")
    assert "#000000" not in made
    assert "currentColor" in made


def test_a_chart_without_marks_is_named_with_its_reason() -> None:
    empty = Chart("pokes", Axis("x"), Axis("y"), [Points(floats([]), floats([]))], empty="no poke <yet>")
    assert is_empty(empty)
    found = FoundMarkup(chart_figures([empty], "c"))
    assert "no poke <yet>" in found.text
    assert "svg" not in found.names


def test_the_names_in_two_drawings_differ() -> None:
    chart = Chart("same", Axis("x"), Axis("y"), [Points(X, X)])
    found = FoundMarkup(chart_figures([chart, chart], "c"))
    ids = [value for _, attributes in found.tags for name, value in attributes if name == "id"]
    assert len(ids) == len(set(ids))
