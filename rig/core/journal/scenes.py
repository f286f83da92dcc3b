"""The scenes of a journal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import to_builtins

from rig.core.journal.kinds import SceneLine
from rig.core.model.line import Line
from rig.core.model.scene import Scene
from rig.core.model.scene_changes import SceneReader


def scenes_in(lines: Iterable[Line]) -> Iterator[Scene]:
    """Yield the scenes of a journal, in the order of their lines. Raises ``ValueError``."""
    reader = SceneReader()
    return (reader.read(to_builtins(line)) for line in lines if isinstance(line, SceneLine))
