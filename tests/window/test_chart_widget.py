"""Charts as pictures: every mark is there, nothing of a journal is markup, and odd numbers break nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from rig.views.chart import Axis, Bands, Bars, Chart, Curve, Mark, Moments, Points, Rings, Tiles, floats
from rig.window.lamp import Level

pytestmark = pytest.mark.usefixtures("qt")

X = floats([1, 2, 3, 4])
WHITE = 0xFFFFFFFF
MARKS: dict[str, Mark] = {
    **{
        symbol: Points(X, X, symbol, symbol=symbol)  # type: ignore[arg-type]
        for symbol in ("circle", "ring", "tick", "cross", "triangle", "square")
    },
    "curve": Curve(X, X, "curve"),
    "steps": Curve(X, X, "steps", steps=True, dashed=True),
    "faint": Curve(X, X, "faint", faint=True),
    "bars": Bars(X, X, "bars"),
    "rings": Rings(X, X, floats([0.5] * 4), ("a", "b", "c", "d")),
    "tiles": Tiles(X, X, X, "tiles"),
}


@pytest.fixture
def widget() -> Iterator[Any]:
    from rig.window.chart_widget import ChartWidget
    from rig.window.theme import LIGHT, style_sheet

    made = ChartWidget()
    made.setStyleSheet(style_sheet(LIGHT))
    made.set_theme(LIGHT)
    made.resize(400, 300)
    yield made
    made.deleteLater()


def chart(*marks: Mark, **more: Any) -> Chart:
    return Chart("a title", Axis("trial"), Axis("latency", "s"), marks, **more)


def picture(widget: Any) -> np.ndarray:
    """The pixels of the plot, without its axes' words."""
    from PySide6.QtGui import QImage

    image = widget._plot.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width())
    return pixels[10:-50, 70:-15].copy()


@pytest.mark.parametrize("name", MARKS)
def test_every_mark_can_be_seen(widget: Any, name: str) -> None:
    widget.show_chart(chart(MARKS[name]))
    assert (picture(widget) != WHITE).sum() > 20


def test_what_has_no_place_is_not_drawn(widget: Any) -> None:
    widget.show_chart(chart(MARKS["curve"]))
    widget._plot.removeItem(widget._drawn[0].items[0])
    assert (picture(widget) == WHITE).all(), "so all that is not white is the mark's"


def test_bands_and_moments_are_drawn_behind_other_marks(widget: Any) -> None:
    widget.show_chart(chart(MARKS["curve"]))
    before = (picture(widget) != WHITE).sum()
    widget.show_chart(chart(Bands(floats([1.5]), floats([2.5])), MARKS["curve"]))
    assert (picture(widget) != WHITE).sum() > before + 5000
    widget.show_chart(chart(Moments(floats([3.5]), ("pause",)), MARKS["curve"]))
    assert (picture(widget) != WHITE).sum() > before + 50


def test_the_word_of_a_ring_is_above_the_points_in_it(widget: Any) -> None:
    crowd = Points(np.full(2000, 2.0), np.linspace(1.5, 2.5, 2000), size=60)
    widget.show_chart(chart(Rings(floats([2]), floats([2]), floats([1]), ("",)), crowd))
    hidden = picture(widget)
    widget.show_chart(chart(Rings(floats([2]), floats([2]), floats([1]), ("243 s",)), crowd))
    assert (picture(widget) != hidden).sum() > 100


def test_a_legend_that_is_too_long_for_one_line_is_not_cut(widget: Any) -> None:
    one = [Points(X, X, f"the name of group {number}") for number in range(4)]
    widget.show_chart(chart(*one))
    assert widget._legend.heightForWidth(400) > widget._legend.heightForWidth(4000)


def test_a_chart_that_has_not_changed_is_not_drawn_again(widget: Any) -> None:
    one = chart(MARKS["curve"])
    assert widget.show_chart(one)
    assert not widget.show_chart(one)
    items = [drawn.items for drawn in widget._drawn]
    assert widget.show_chart(chart(Curve(floats([1, 5]), floats([1, 9]), "curve")))
    assert [drawn.items for drawn in widget._drawn] == items, "only the data of the items has changed"


def test_it_follows_new_data_until_a_person_has_moved_it(widget: Any) -> None:
    widget.show_chart(chart(MARKS["curve"]))
    widget.show_chart(chart(Curve(floats([1, 100]), floats([1, 9]), "curve")))
    assert widget._view.viewRange()[0][1] > 100
    widget._view.sigRangeChangedManually.emit([True, True])
    widget.show_chart(chart(Curve(floats([1, 500]), floats([1, 9]), "curve")))
    assert widget._view.viewRange()[0][1] < 200
    widget.show_all()
    assert widget._view.viewRange()[0][1] > 500


def test_titles_axes_and_legends_are_words_never_markup(widget: Any) -> None:
    evil = "<img src=x> <b>bold</b> &amp;"
    widget.show_chart(
        Chart(evil, Axis(evil, "s"), Axis(evil), (Points(X, X, evil), Rings(X, X, X, (evil,))), empty=evil)
    )
    assert widget._title.text() == evil
    assert "<img" not in widget._legend.text()
    assert "<img" not in widget._axes["bottom"].labelString()


def test_axes_name_their_units_and_their_places(widget: Any) -> None:
    ticks = {0.0: "left", 1.0: "right"}
    widget.show_chart(Chart("t", Axis("time", "min"), Axis("choice", ticks=ticks), (MARKS["circle"],)))
    assert "time (min)" in widget._axes["bottom"].labelString()
    assert widget._axes["left"]._tickLevels == [[(0.0, "left"), (1.0, "right")]]


@pytest.mark.parametrize("values", [[np.inf, -np.inf, 1, 2], [np.nan] * 4, [1e308, -1e308, 0, 1], [0, -1, 5, 1e-300]])
@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("is_map", [False, True])
def test_odd_numbers_break_nothing(widget: Any, values: list[float], log: bool, is_map: bool) -> None:
    odd = np.array(values)
    marks = (
        Points(odd, odd),
        Curve(odd, odd),
        Bars(odd, odd),
        Bands(odd, odd),
        Rings(odd, odd, odd, ("a",)),
        Tiles(odd, odd, odd),
        Moments(odd, ("a", "b")),
    )
    axis = Axis("x", log=log, bounds=(None, -5 if log else None))
    widget.show_chart(Chart("t", axis, axis, marks, is_map))
    widget.grab()


def test_an_empty_chart_says_why(widget: Any) -> None:
    widget.show_chart(chart(Points(floats([]), floats([])), empty="no trial yet"))
    assert widget._empty.toPlainText() == "no trial yet"
    widget.show_chart(chart(MARKS["circle"]))
    assert widget._empty.scene() is None


def test_dark_and_light_differ_and_colors_have_contrast(widget: Any) -> None:
    from rig.window.theme import DARK, LIGHT

    widget.show_chart(chart(MARKS["circle"]))
    light = picture(widget)
    widget.set_theme(DARK)
    assert (picture(widget) != light).mean() > 0.9
    for theme in (LIGHT, DARK):
        for color in (*theme.palette, *(theme.levels[level] for level in Level), theme.faint):
            assert contrast(color, theme.background) >= 3, (theme.name, color)
        assert contrast(theme.text, theme.background) >= 7
        assert contrast(theme.text, theme.surface) >= 7


def contrast(one: str, other: str) -> float:
    """The contrast of two colors by WCAG 2.1."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(color: str) -> float:
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))
