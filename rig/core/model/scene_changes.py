"""A scene as what it changes in the one written before: of 121 tiles a click changes one.

In ``items`` a pair ``[first, end]`` stands for these items of the scene before, ``end`` excluded; ``base`` is then the
id of that scene. The journal and the window's socket both use this form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from rig.core.model.scene import DARK, Item, Scene

Fields: TypeAlias = dict[str, Any]


def scene_fields(scene: Scene, base: Scene | None = None) -> Fields:
    """Return the fields of a scene for JSON, as changes of ``base`` where an item is in both."""
    items = [*_entries(scene.items, () if base is None else base.items)]
    own = scene.model_dump(mode="json", exclude={"items"})
    kept = any(isinstance(entry, list) for entry in items)
    return {"items": items, **own, **({"base": base.id} if base is not None and kept else {})}


def _entries(items: Sequence[Item], base: Sequence[Item]) -> Iterator[list[int] | Fields]:
    """Yield runs of items that are in the base in the same order, and the fields of all others."""
    places = {item: index for index, item in enumerate(base)}
    run: list[int] = []
    for item in items:
        index = places.get(item)
        if run and index == run[1]:
            run[1] += 1
            continue
        if run:
            yield run
        run = [] if index is None else [index, index + 1]
        if index is None:
            yield item.model_dump(mode="json")
    if run:
        yield run


class SceneWriter:
    """Writes scenes one after the other."""

    def __init__(self) -> None:
        self._last: Scene | None = None

    def write(self, scene: Scene) -> Fields:
        """Return the fields of a scene for JSON."""
        fields = scene_fields(scene, self._last)
        self._last = scene
        return fields


class SceneReader:
    """Reads scenes by their fields, in the order in which they were written."""

    def __init__(self) -> None:
        self._last = DARK

    def read(self, fields: Mapping[str, Any]) -> Scene:
        """Return a scene; fields that are not a scene's are passed over. Raises ``ValueError``."""
        base = self._base(fields)
        own = {name: fields[name] for name in Scene.model_fields if name in fields}
        scene = Scene.model_validate({**own, "items": tuple(_items(fields["items"], base))})
        self._last = scene
        return scene

    def _base(self, fields: Mapping[str, object]) -> Sequence[Item]:
        name = fields.get("base")
        if name is None:
            return ()
        if name != self._last.id:
            raise ValueError(f"the scene changes scene {name!r}, and the one before it is {self._last.id!r}")
        return self._last.items


def _items(entries: Sequence[Any], base: Sequence[Item]) -> Iterator[object]:
    for entry in entries:
        if isinstance(entry, dict):
            yield entry
            continue
        first, end = entry
        if not 0 <= first < end <= len(base):
            raise ValueError(f"the scene keeps items {first} to {end} of a scene with {len(base)}")
        yield from base[first:end]
