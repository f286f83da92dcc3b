"""A fold that has read lines of its kinds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, TypeVar

from rig.core.model.line import Line
from rig.records.journal.dispatch import Dispatch


class Fold(Protocol):
    """What reads lines of some kinds."""

    kinds: Any

    def take(self, line: Any) -> None:
        """Read the next line."""


F = TypeVar("F", bound=Fold)


def folded(fold: F, lines: Iterable[Line]) -> F:
    """Return a fold that has read those of some lines that are of its kinds."""
    readers = Dispatch()
    readers.add(fold.take, *fold.kinds)
    for line in lines:
        readers.take(line)
    return fold
