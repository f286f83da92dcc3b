"""Every mark of a chart is drawn where it belongs, whatever its texts and numbers are."""

from __future__ import annotations

import re

import numpy as np
import pytest

from rig.report.chart_scale import scale_of, ticks_of
from rig.report.chart_svg import chart_svg, is_empty
from rig.report.drawings import chart_figures
from rig.report.svg_elements import text_width
from rig.views.chart import (
    Axis,
    Bands,
    Bars,
    Chart,
    Curve,
    Floats,
    Mark,
    Moments,
    Points,
    Rings,
    Symbol,
    Tiles,
    floats,
)
from tests.report.found_markup import FoundMarkup

X = floats([1, 2, 3])
Y = floats([0.5, None, 2])
SYMBOLS: tuple[Symbol, ...] = ("circle", "ring", "tick", "cross", "triangle", "square")
MARKS: tuple[Mark, ...] = (
    Points(X, Y, "points", 1, "tick"),
    Curve(X, Y, "curve", 2, steps=True, dashed=True, faint=True),
    Bars(X, Y, "bars"),
    Bands(X, X + 0.5, "bands"),
    Rings(X, X, floats([1, 1, 1]), ["a", "b"]),
    Tiles(X, X, Y, "tiles"),
    Moments(floats([1.5]), ["pause"]),
)
UNIT = Axis("x", bounds=(0, 1))


def drawn(chart: Chart) -> FoundMarkup:
    return FoundMarkup(chart_svg(chart, "f"))


def paths(mark: Mark) -> list[str]:
    """The paths of a mark in a chart from 0 to 1, without those of its axes."""
    found = drawn(Chart("a", UNIT, Axis("y", bounds=(0, 1)), [mark]))
    every = [dict(attributes) for tag, attributes in found.tags if tag == "path"]
    return [str(path["d"]) for path in every if path.get("stroke") != "currentColor" or "stroke-width" in path]


def walked(path: str) -> list[tuple[float, float]]:
    """Where the pen is after each move of a path of M, m, l, h and v, in shares of the first square."""
    at, places = np.zeros(2), []
    for command, numbers in re.findall(r"([MmlhvHV])([^A-Za-z]*)", path):
        values = [float(number) for number in re.findall(r"[-+]?\d+", numbers)]
        pairs = {"h": [[values[0], 0]], "v": [[0, values[0]]]} if command in "hv" else {}
        for pair in pairs.get(command, np.reshape(values, (-1, 2)) if command in "Mml" else []):
            at = np.array(pair) if command == "M" else at + pair
            places.append((float(at[0]), float(at[1])))
    return places


@pytest.mark.parametrize("text", ["$\\frac{a$ <script>$", "\n", "\x01&amp;-->", '"/><b>', "a" * 5000])
def test_every_mark_is_drawn_with_any_text(text: str) -> None:
    found = drawn(Chart(text, Axis(text, text), Axis(text, ticks={1.0: text}), [*MARKS, Points(X, Y, text)]))
    assert found.names.count("svg") == 1
    assert not {"script", "b"} & set(found.names)
    assert not found.comments


@pytest.mark.parametrize("mark", MARKS, ids=lambda mark: type(mark).__name__)
@pytest.mark.parametrize("value", [0.0, -3.0, 1e308, -1e308, 1e-308, np.inf, np.nan])
def test_every_mark_is_drawn_with_any_number(mark: Mark, value: float) -> None:
    extreme = floats([value, 1, value])
    for axis in (Axis("x"), Axis("x", log=True), Axis("x", bounds=(2, -1e308))):
        chart = Chart("a", axis, axis, [mark, Points(extreme, extreme), Curve(extreme, extreme)])
        assert not re.search("nan|inf", chart_svg(chart, "f").lower())


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_a_symbol_is_drawn_at_each_place_by_one_path(symbol: Symbol) -> None:
    x = np.linspace(0.1, 0.9, 50)
    (one,) = paths(Points(x[:1], x[:1], symbol=symbol))
    (many,) = paths(Points(x, x, symbol=symbol))
    commands = re.sub(r"[^a-z]", "", one.lower())
    assert re.sub(r"[^a-z]", "", many.lower()) == commands * 50
    # The path ends where it would for the last place alone: no error adds up.
    (last,) = paths(Points(x[-1:], x[-1:], symbol=symbol))
    if symbol not in ("ring", "triangle"):
        assert walked(many)[-1] == walked(last)[-1]


def test_a_curve_goes_through_its_places_and_stops_where_one_is_missing() -> None:
    (path,) = paths(Curve(floats([0, 0.5, None, 0.6, 1]), floats([0, 0.5, 0.5, 0.5, 1])))
    assert path.count("M") == 2
    (left, bottom), middle, _, (right, top) = walked(path)
    assert middle == ((left + right) / 2, (bottom + top) / 2)


def test_steps_keep_a_height_until_the_next_place() -> None:
    (path,) = paths(Curve(floats([0, 0.5, 1]), floats([0, 1, 1]), steps=True))
    (left, bottom), corner, (middle, top), end = walked(path)
    assert (corner, end) == ((middle, bottom), (2 * middle - left, top))


def test_a_straight_curve_of_many_places_is_a_short_text() -> None:
    x = np.linspace(0, 1, 100_000)
    (path,) = paths(Curve(x, np.where(x < 0.5, 0, 1)))
    assert len(path) < 80


def test_points_that_cover_each_other_are_drawn_once() -> None:
    x = np.random.default_rng(1).random((2, 500_000)) / 10
    (path,) = paths(Points(x[0], x[1]))
    assert len(path) < 40_000


def test_points_beyond_the_bounds_are_left_out() -> None:
    (path,) = paths(Points(floats([0.5, 9, None]), floats([0.5, 0.5, 0.5])))
    assert path.count("h0") == 1


def test_the_words_of_rings_come_after_the_points_so_that_nothing_hides_them() -> None:
    chart = Chart("disks", Axis("x"), Axis("y"), [Rings(X, X, floats([1, 1, 1]), ["disk"]), Points(X, X)])
    markup = chart_svg(chart, "f")
    assert markup.index("h0m") < markup.index(">disk<")


def test_areas_come_before_the_lines_that_they_would_hide() -> None:
    markup = chart_svg(Chart("a", Axis("x"), Axis("y"), [Curve(X, X), Bars(X, X, color=1)]), "f")
    assert markup.index("#E69F00") < markup.index("#0072B2")


def test_both_axes_of_a_map_have_one_scale() -> None:
    chart = Chart("map", Axis("x", "cm"), Axis("y", "cm"), [Rings(X * 10, X, floats([1, 1, 1]))], is_map=True)
    rings = [dict(attributes) for tag, attributes in drawn(chart).tags if tag == "ellipse"]
    assert [float(str(ring["rx"])) for ring in rings] == pytest.approx([float(str(ring["ry"])) for ring in rings])


def test_black_takes_the_color_of_the_page() -> None:
    made = chart_svg(Chart("a", Axis("x"), Axis("y"), [Points(X, X, color=7)]), "f")
    assert "#000000" not in made
    assert "currentColor" in made


def test_the_names_of_marks_are_in_the_legend_as_far_as_there_is_room() -> None:
    names = ["rewarded", "a name that is long " * 20, "third"]
    found = drawn(Chart("a", Axis("x"), Axis("y"), [Points(X, X, name) for name in names]))
    assert {"rewarded", "third"} <= set(found.texts)
    assert max(text_width(text, 10.7) for text in found.texts) < 576


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
    assert len(ids) == len(set(ids)) == 2


# --- axes -------------------------------------------------------------------------------------------------------------


def tick_texts(axis: Axis, values: Floats, most: int = 6) -> list[str]:
    return [" ".join(tick.lines) for tick in ticks_of(axis, scale_of(axis, values), most)]


@pytest.mark.parametrize(
    ("low", "high", "texts"),
    [
        (0, 1, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (0, 634, ["0", "200", "400", "600"]),
        (-2, 4, ["−2", "0", "2", "4"]),
        (0.001, 0.0012, ["0.00100", "0.00105", "0.00110", "0.00115", "0.00120"]),
        (0, 3e7, ["0", "1e+07", "2e+07", "3e+07"]),
        (-0.3, 0.3, ["−0.2", "0.0", "0.2"]),
    ],
)
def test_ticks_are_at_1_2_or_5_and_have_the_decimals_of_their_step(low: float, high: float, texts: list[str]) -> None:
    assert tick_texts(Axis("x"), floats([low, high])) == texts


def test_a_single_value_and_no_value_have_axes_too() -> None:
    for values in ([40], [0], [], [None]):
        assert len(tick_texts(Axis("x"), floats(values))) >= 2
        assert len(tick_texts(Axis("x", log=True), floats(values))) >= 2


def test_an_axis_with_names_has_those_within_its_bounds() -> None:
    axis = Axis("x", ticks={0.0: "left", 1.0: "16 Nov\n2026", 7.0: "far"}, bounds=(-0.5, 1.5))
    assert tick_texts(axis, floats([])) == ["left", "16 Nov 2026"]


def test_a_logarithmic_axis_has_numbers_and_leaves_out_what_has_no_logarithm() -> None:
    assert tick_texts(Axis("x", log=True), floats([0, -5, 1, 1000])) == ["1", "10", "100", "1000"]
    assert tick_texts(Axis("x", log=True), floats([0, -5, 1, 10])) == ["1", "2", "5", "10"]


def test_bars_stand_on_the_axis() -> None:
    assert scale_of(Axis("y"), floats([0, 5]), from_zero=True).low == 0
    assert scale_of(Axis("y"), floats([1, 5]), from_zero=True).low < 1
    assert scale_of(Axis("y"), floats([0, 5])).low < 0


def test_long_names_of_ticks_are_turned_where_they_would_overlap() -> None:
    named = Axis("x", ticks={float(at): f"{at} of the long names" for at in range(9)}, bounds=(-1, 9))
    texts = [dict(attributes) for tag, attributes in drawn(Chart("a", named, Axis("y"), [Bars(X, X)])).tags]
    assert sum("rotate(-90)" in str(text.get("transform")) for text in texts) == 10
