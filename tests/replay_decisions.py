"""What was decided, and what a protocol decides again, as lists."""

from collections.abc import Iterable

from rig.core.journal.codec import decode
from rig.core.journal.kinds import SessionLine
from rig.session import replay
from rig.session.replay_comparison import RecordedDecisions


def replayed_decisions(lines: Iterable[SessionLine]) -> list[SessionLine]:
    """Return what the protocol decides now on the recorded events."""
    taken: list[bytes] = []
    replay.rerun(RecordedDecisions(lines), taken.append)
    return list(map(decode, taken))


def recorded_decisions(lines: Iterable[SessionLine]) -> list[SessionLine]:
    """Pick a journal's own decisions."""
    return list(map(decode, RecordedDecisions(lines).decisions))
