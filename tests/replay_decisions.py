"""What was decided, and what a protocol decides again, as lists."""

import json
from collections.abc import Iterable

from rig.session import replay
from rig.session.recorded import DecisionFields, Line, RecordedSession


def replayed_decisions(lines: Iterable[Line]) -> list[DecisionFields]:
    """Let the protocol replayed_decisions again."""
    taken: list[str] = []
    replay.rerun(RecordedSession(lines), taken.append)
    return [json.loads(text) for text in taken]


def recorded_decisions(lines: Iterable[Line]) -> list[DecisionFields]:
    """Pick a journal's own decisions."""
    return [json.loads(text) for text in RecordedSession(lines).decisions]
