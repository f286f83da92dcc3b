"""The rewards of a session: every reward has several lines in the journal, and the last one counts."""

from __future__ import annotations

from collections.abc import Iterable

from rig.core.journal.kinds import RewardLine
from rig.core.model.line import Line


def last_rewards(lines: Iterable[Line]) -> list[RewardLine]:
    """Return the last line of each reward, in the order of their first lines."""
    return list({line.id: line for line in lines if isinstance(line, RewardLine)}.values())
