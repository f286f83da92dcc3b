"""The pellets that a session gave, and that the sensor of their feeder did not see."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from rig.core.journal.kinds import RewardLine
from rig.core.model.channels import Role
from rig.core.model.events import Edge
from rig.core.model.reward import RewardStatus, amount_of
from rig.records.journal.read import DamagedLine, iter_lines


def unseen_pellets(journal: Path) -> int:
    """Return how many delivered pellets no sensor saw. Raises ``RecordError``.

    A sensor that saw nothing in the session may be blind, and one whose lines are damaged may have seen more: their
    feeders count as if all pellets were seen.
    """
    given: dict[int, tuple[str, int]] = {}
    seen: Counter[str] = Counter()
    for line in iter_lines(journal, RewardLine, Edge):
        if isinstance(line, DamagedLine):
            return 0
        if isinstance(line, Edge):
            seen[line.channel] += line.level
        elif isinstance(line, RewardLine) and line.unit == "pellets":
            is_given = line.status == RewardStatus.DELIVERED
            given[line.id] = line.source, amount_of(line.amount, line.unit).pellets if is_given else 0
    pellets: Counter[str] = Counter()
    for feeder, amount in given.values():
        pellets[feeder] += amount
    sensors = {feeder: seen[f"{feeder}.{Role.SENSOR}"] for feeder in pellets}
    return sum(max(0, pellets[feeder] - count) for feeder, count in sensors.items() if count)
