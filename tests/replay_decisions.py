"""What was decided, and what a protocol decides again, as lists."""

import json
from collections.abc import Iterable

from rig.session import replay
from rig.session.replay import Decision, Line, Recorded


def replayed_decisions(lines: Iterable[Line]) -> list[Decision]:
    """Let the protocol replayed_decisions again."""
    taken: list[str] = []
    replay.decide(Recorded(lines), taken.append)
    return [json.loads(text) for text in taken]


def recorded_decisions(lines: Iterable[Line]) -> list[Decision]:
    """Pick a journal's own decisions."""
    return [json.loads(text) for text in Recorded(lines).decisions]
