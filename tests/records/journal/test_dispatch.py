"""Lines are handed to those that read their kind."""

from __future__ import annotations

from rig.core.journal.kinds import Paused, StateLine
from rig.core.model.line import Line
from rig.records.journal.dispatch import Dispatch


def test_a_line_is_handed_to_the_readers_of_its_kind_in_their_order() -> None:
    read: list[tuple[str, Line]] = []
    readers = Dispatch()
    readers.add(lambda line: read.append(("first", line)), StateLine)
    readers.add(lambda line: read.append(("second", line)), Paused, StateLine)
    state, pause = StateLine(1, "wait"), Paused(2)
    readers.take(state)
    readers.take(pause)
    assert read == [("first", state), ("second", state), ("second", pause)]
