"""The states of a session as intervals: each lasts until the next one, the last until the session's end."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from rig.core.journal.header import Footer
from rig.core.journal.kinds import StateLine


class StateSpan(NamedTuple):
    """A visit of a state; ``end_us`` is None if the journal has no end."""

    state: str
    start_us: int
    end_us: int | None


class StateSpans:
    """Every visit of a state in order, from the lines taken so far: a day has 100,000, of a few states."""

    kinds = (StateLine, Footer)

    def __init__(self) -> None:
        self._names: dict[str, int] = {}
        self._numbers, self._starts, self._ends = array("q"), array("q"), array("q")

    def take(self, line: StateLine | Footer) -> None:
        """Read the next line."""
        # The footer of a correction comes behind the one that has ended the last state.
        if len(self._ends) < len(self._starts):
            self._ends.append(line.t_us)
        if isinstance(line, StateLine):
            self._numbers.append(self._names.setdefault(line.name, len(self._names)))
            self._starts.append(line.t_us)

    def __iter__(self) -> Iterator[StateSpan]:
        names = list(self._names)
        for number, start_us, end_us in zip_longest(self._numbers, self._starts, self._ends):
            yield StateSpan(names[number], start_us, end_us)
