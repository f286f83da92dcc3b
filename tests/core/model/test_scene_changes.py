"""Scenes as changes of the one before."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.core.journal.kinds import SceneLine, StateLine
from rig.core.journal.scenes import scenes_in
from rig.core.model.scene import DARK, Scene, Text, Tile
from rig.core.model.scene_changes import SceneReader, SceneWriter, scene_fields
from tests.core.model.test_scene import scenes


def tile(x: int, y: int, text: str = "") -> Tile:
    return Tile(x_cm=1 + x, y_cm=1 + y, width_cm=0.9, height_cm=0.9, color="#ffffff", name=f"{x},{y}", text=text)


GRID = tuple(tile(x, y) for y in range(11) for x in range(11))


def with_text(number: int, text: str) -> Scene:
    """Return the grid with one text."""
    return Scene(items=(*GRID[:number], tile(number % 11, number // 11, text), *GRID[number + 1 :]), hover=True)


def rewritten(shown: list[Scene]) -> list[Scene]:
    """Return the scenes that a reader makes of what a writer wrote."""
    writer, reader = SceneWriter(), SceneReader()
    return [reader.read(json.loads(json.dumps(writer.write(scene)))) for scene in shown]


@settings(max_examples=40)
@given(st.lists(scenes(), max_size=4), st.randoms(use_true_random=False))
def test_a_reader_makes_the_same_scenes(shown: list[Scene], random: object) -> None:
    parts = [item for scene in shown for item in scene.items if not item.name]
    mixed = []
    for scene in shown:
        random.shuffle(parts)  # type: ignore[attr-defined]
        mixed += [scene, scene.model_copy(update={"items": tuple(parts[: len(parts) // 2 + 1])})]
    again = rewritten([Scene(**scene.model_dump()) for scene in mixed])
    assert again == mixed
    assert [scene.id for scene in again] == [Scene(**scene.model_dump()).id for scene in mixed]


def test_a_click_that_changes_one_tile_of_121_is_short() -> None:
    first, second = with_text(0, ""), with_text(60, "57")
    fields = scene_fields(second, first)
    assert [entry if isinstance(entry, list) else entry["text"] for entry in fields["items"]] == [
        [0, 60],
        "57",
        [61, 121],
    ]
    assert (fields["base"], fields["hover"]) == (first.id, True)
    assert len(json.dumps(fields)) < len(json.dumps(scene_fields(first))) / 40


def test_items_may_change_their_order_come_and_go() -> None:
    texts = [Text(x_cm=1, y_cm=y, width_cm=1, height_cm=1, text=str(y)) for y in range(5)]
    shown = [
        Scene(items=tuple(texts[place] for place in order)) for order in ((0, 1, 2), (2, 0, 1, 1), (), (4, 3), (3,))
    ]
    assert rewritten(shown) == shown
    writer = SceneWriter()
    assert [writer.write(scene).get("base") for scene in shown] == [None, shown[0].id, None, None, shown[3].id]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"items": [[0, 1]]}, "keeps items 0 to 1 of a scene with 0"),
        ({"items": [[0, 1]], "base": "0000"}, "changes scene '0000', and the one before it is"),
        ({"items": [[0, 122]], "base": with_text(0, "").id}, "keeps items 0 to 122 of a scene with 121"),
        ({"items": [[3, 3]], "base": with_text(0, "").id}, "keeps items 3 to 3"),
        ({"items": [{"kind": "star"}]}, "star"),
    ],
)
def test_what_does_not_fit_the_scene_before_is_refused(fields: dict[str, object], why: str) -> None:
    reader = SceneReader()
    if fields.get("base") == with_text(0, "").id:
        reader.read(scene_fields(with_text(0, "")))
    with pytest.raises(ValueError, match=why):
        reader.read(fields)


def test_the_scenes_of_a_journal_are_those_of_its_scene_lines() -> None:
    writer = SceneWriter()
    shown = [with_text(3, "1"), with_text(4, "2"), DARK]
    lines = [SceneLine(0, id=scene.id, **writer.write(scene)) for scene in shown]
    assert list(scenes_in([StateLine(0, "x"), *lines])) == shown
