"""Hand the lines of a journal to those functions that read their kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rig.core.model.line import Line


class Dispatch:
    """Readers of lines by the kinds that they read: most kinds concern few of many readers."""

    def __init__(self) -> None:
        self._readers: dict[type[Line], list[Callable[[Any], object]]] = {}

    def add(self, read: Callable[[Any], object], *kinds: type[Line]) -> None:
        """Add a reader of the lines of some kinds, behind those that read them already."""
        for kind in kinds:
            self._readers.setdefault(kind, []).append(read)

    def take(self, line: Line) -> None:
        """Send a line to its readers, in the order in which they were added."""
        for read in self._readers.get(type(line), ()):
            read(line)
