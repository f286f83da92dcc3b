"""The states of a session as intervals: each lasts until the next one, the last until the session's end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rig.core.journal.header import Footer
from rig.core.journal.kinds import StateLine
from rig.core.model.line import Line


class StateSpan(NamedTuple):
    """A visit of a state; ``end_us`` is None if the journal has no end."""

    state: str
    start_us: int
    end_us: int | None


def state_spans(lines: Iterable[Line]) -> Iterator[StateSpan]:
    """Yield every visit of a state in order."""
    entered: StateLine | None = None
    for line in lines:
        # The footer of a correction comes behind the one that has ended the last state.
        if isinstance(line, StateLine | Footer):
            if entered is not None:
                yield StateSpan(entered.name, entered.t_us, line.t_us)
            entered = line if isinstance(line, StateLine) else None
    if entered is not None:
        yield StateSpan(entered.name, entered.t_us, None)
