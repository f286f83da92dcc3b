"""Plots as items of a scene."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.model.plot_area import PlotArea
from rig.core.model.scene import Line, Scene, Text

AREA = PlotArea(x_cm=10, y_cm=8, width_cm=15, height_cm=10, x_min=0, x_max=30, y_min=0, y_max=100)


def test_values_are_places_between_the_edges_of_the_area() -> None:
    assert (AREA.at(0, 0), AREA.at(30, 100), AREA.at(15, 50)) == ((2.5, 3.0), (17.5, 13.0), (10.0, 8.0))


def test_an_area_may_begin_at_other_values_than_0() -> None:
    area = replace(AREA, x_min=-10, x_max=20, y_min=50, y_max=150)
    assert (area.at(-10, 50), area.at(20, 150), area.at(5, 100)) == ((2.5, 3.0), (17.5, 13.0), (10.0, 8.0))


@given(st.floats(0, 30), st.floats(0, 100))
def test_a_value_in_range_is_in_the_area(x: float, y: float) -> None:
    x_cm, y_cm = AREA.at(x, y)
    assert 2.5 <= x_cm <= 17.5
    assert 3.0 <= y_cm <= 13.0


def test_lines_dots_and_levels_lie_at_their_values_and_look_as_they_are_told() -> None:
    assert AREA.line([(0, 0), (30, 100)], color="#00ff00").points == ((2.5, 3.0), (17.5, 13.0))
    assert AREA.level(50, color="#ff0000", name="threshold").points == ((2.5, 8.0), (17.5, 8.0))
    dot = AREA.dot(12, 57, name="12,0", text="57", diameter_cm=0.3)
    assert (dot.x_cm, dot.y_cm, dot.name, dot.text) == (8.5, 8.7, "12,0", "57")


def test_axes_have_a_mark_and_a_number_at_each_tick_and_labels() -> None:
    items = AREA.axes([0, 10, 20, 30], [0, 50, 100], x_label="place", y_label="points")
    Scene(items=items)
    texts = {item.text: item for item in items if isinstance(item, Text)}
    lines = [item for item in items if isinstance(item, Line)]
    assert sorted(texts) == sorted(["0", "10", "20", "30", "50", "100", "place", "points"])
    assert (len(lines), lines[0].points) == (1 + 4 + 3, ((2.5, 13.0), (2.5, 3.0), (17.5, 3.0)))
    assert texts["10"].x_cm == 7.5
    assert texts["50"].y_cm == 8.0
    assert all(text.y_cm + text.height_cm / 2 < 3 for text in (texts["10"], texts["20"], texts["place"]))
    assert texts["100"].x_cm + texts["100"].width_cm / 2 < 2.5
    assert texts["points"].y_cm - texts["points"].height_cm / 2 > 13
    assert AREA.axes() == (lines[0],)


@pytest.mark.parametrize("change", [{"x_max": 0}, {"y_min": 100}])
def test_a_range_without_extent_is_refused(change: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="x_min < x_max"):
        replace(AREA, **change)
