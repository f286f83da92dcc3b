"""What is on a screen, and what a point on it is on."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from rig.core.model.scene import DARK, Button, Disk, Dot, Image, Line, Scene, Text, Tile
from tests.tables import rows

cm = st.floats(-100, 100)
length = st.floats(0.01, 100)
color = st.from_regex(r"\A#[0-9a-f]{6}\Z")
words = st.text(max_size=10)
box = {"x_cm": cm, "y_cm": cm, "width_cm": length, "height_cm": length}
items = st.one_of(
    st.builds(Disk, x_cm=cm, y_cm=cm, diameter_cm=length, color=color),
    st.builds(Tile, **box, color=color, border=st.none() | color, text=words, text_color=color, text_cm=length),
    st.builds(Text, **box, text=words, color=color, text_cm=length, align=st.sampled_from(("left", "center"))),
    st.builds(Button, **box, text=words, color=color, text_color=color, text_cm=length),
    st.builds(
        Dot,
        x_cm=cm,
        y_cm=cm,
        diameter_cm=length,
        color=color,
        text=words,
        text_side=st.sampled_from(("above", "below")),
    ),
    st.builds(Line, points=st.lists(st.tuples(cm, cm), min_size=2, max_size=4), color=color, width_cm=length),
    st.builds(Image, **box, file=st.text(min_size=1, max_size=10)),
)


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    drawn = draw(st.lists(items, max_size=6))
    named = [
        item.model_copy(update={"name": f"item {n}" if draw(st.booleans()) else ""}) for n, item in enumerate(drawn)
    ]
    return Scene(items=tuple(named), background=draw(color), hit_margin_cm=draw(st.floats(0, 10)))


def disk(x_cm: float = 5.0, y_cm: float = 5.0, name: str = "disk") -> Disk:
    return Disk(x_cm=x_cm, y_cm=y_cm, diameter_cm=2, color="#ff0000", name=name)


# --- as a value -----------------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(scenes())
def test_a_scene_survives_its_json(scene: Scene) -> None:
    again = Scene.of(scene.text)
    assert again == scene
    assert (again.text, again.id, hash(again)) == (scene.text, scene.id, hash(scene))
    assert Scene.model_validate(scene.model_dump(mode="json")) == scene


@settings(max_examples=30)
@given(scenes(), scenes())
def test_scenes_have_the_same_id_if_and_only_if_they_are_the_same(one: Scene, other: Scene) -> None:
    assert (one.id == other.id) == (one == other)


def test_a_scene_cannot_be_changed() -> None:
    with pytest.raises(ValidationError):
        DARK.background = "#ffffff"  # type: ignore[misc]


@rows("json")
def test_what_is_no_scene_is_refused(json: str) -> None:
    with pytest.raises(ValueError, match="Scene"):
        Scene.of(json)


def test_two_items_of_one_name_are_refused() -> None:
    with pytest.raises(ValidationError, match="two items are called 'disk'"):
        Scene(items=(disk(), disk(9.0)))


# --- what a point is on ---------------------------------------------------------------------------------------


@given(st.floats(0, 2 * math.pi), st.floats(0, 3))
def test_a_disk_is_hit_within_its_radius_and_its_margin(angle: float, away_cm: float) -> None:
    scene = Scene(items=(disk(),), hit_margin_cm=0.25)
    hit = scene.hit(5 + away_cm * math.cos(angle), 5 + away_cm * math.sin(angle))
    if away_cm < 1 - 1e-9:
        assert hit == (scene.items[0], False)
    elif 1 + 1e-9 < away_cm < 1.25 - 1e-9:
        assert hit == (scene.items[0], True)
    elif away_cm > 1.25 + 1e-9:
        assert hit is None


def test_a_rectangle_is_hit_up_to_its_edges_and_in_the_margin_around_its_corners() -> None:
    tile = Tile(x_cm=5, y_cm=5, width_cm=4, height_cm=2, color="#00ff00", name="tile")
    scene = Scene(items=(tile,), hit_margin_cm=0.5)
    assert scene.hit(7, 6) == (tile, False)
    assert scene.hit(7.3, 6.3) == (tile, True)
    assert scene.hit(7.4, 6.4) is None


def test_a_line_is_hit_on_each_piece_within_half_its_width_and_beyond_no_end() -> None:
    scene = Scene(items=(Line(points=((0, 0), (10, 0), (10, 5)), width_cm=0.2, name="threshold"),))
    on, beside = [(0, 0), (5, 0.1), (10.09, 4), (10, 5.1)], [(5, 0.11), (5, 2), (9.8, 3), (-0.2, 0)]
    assert [scene.hit(*point) is not None for point in (*on, *beside)] == [True] * 4 + [False] * 4


@given(st.lists(st.tuples(cm, cm), min_size=2, max_size=5), length, st.floats(0, 1))
def test_a_place_on_a_line_is_on_it_wherever_its_points_lie(
    points: list[tuple[float, float]], width: float, part: float
) -> None:
    line = Line(points=tuple(points), width_cm=width, name="line")
    (x0, y0), (x1, y1) = points[0], points[1]
    assert line.outside_cm(x0 + part * (x1 - x0), y0 + part * (y1 - y0)) == 0.0
    assert line.outside_cm(line.x_cm, line.y_cm) == 0.0
    assert line.outside_cm(300, 300) > 100


def test_a_dot_is_hit_on_its_circle_and_its_text_is_only_read() -> None:
    scene = Scene(items=(Dot(x_cm=3, y_cm=4, diameter_cm=0.5, text="57", name="12,0"),), hit_margin_cm=0.3)
    assert [getattr(scene.hit(3, y_cm), "in_margin", None) for y_cm in (4.2, 4.5, 4.6)] == [False, True, None]


def test_minus_zero_is_zero() -> None:
    one, other = (Scene(items=(Dot(x_cm=zero, y_cm=0),)) for zero in (0.0, -0.0))
    assert (one, one.id) == (other, other.id)


def test_what_comes_later_lies_on_top() -> None:
    under, above = disk(name="under"), disk(5.5, name="above")
    scene = Scene(items=(under, above))
    assert scene.hit(5.5, 5) == (above, False)
    assert scene.hit(4.2, 5) == (under, False)


def test_between_two_margins_the_nearer_item_is_hit_and_inside_goes_before_margin() -> None:
    left, right = disk(5, name="left"), disk(8, name="right")
    scene = Scene(items=(left, right), hit_margin_cm=2)
    assert scene.hit(6.4, 5) == (left, True)
    assert scene.hit(6.6, 5) == (right, True)
    assert scene.hit(5.9, 5) == (left, False)


def test_an_item_without_a_name_is_never_hit() -> None:
    scene = Scene(items=(disk(name=""), Text(x_cm=5, y_cm=5, width_cm=9, height_cm=9, text="hello")), hit_margin_cm=1)
    assert scene.hit(5, 5) is None


@settings(max_examples=30)
@given(scenes(), cm, cm)
def test_what_is_hit_is_in_the_scene_and_no_farther_than_its_margin(scene: Scene, x_cm: float, y_cm: float) -> None:
    hit = scene.hit(x_cm, y_cm)
    if hit is not None:
        assert hit.item in scene.items
        assert scene.item(hit.item.name) is hit.item
        assert (0 < hit.item.outside_cm(x_cm, y_cm) <= scene.hit_margin_cm) == hit.in_margin


def test_items_are_found_by_their_names() -> None:
    assert Scene(items=(disk(),)).item("disk") == disk()
    assert Scene(items=(disk(name=""),)).item("") is None
    assert DARK.item("disk") is None
