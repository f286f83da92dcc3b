"""The rewards of a session by device, by who delivered them, and by status."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from rig.core.model.line import Line
from rig.core.model.reward import RewardStatus
from rig.records.session.last_rewards import last_rewards


@dataclass(frozen=True)
class GivenRow:
    """How many rewards of one device had one status, and their amount; ``unit`` is that of the journal."""

    source: str
    unit: str
    delivered_by: str
    status: str
    count: int
    amount: float


def given_rows(lines: Iterable[Line]) -> list[GivenRow]:
    """Return the rewards of a session; of each the last line counts. Armed reflexes that gave nothing are left out."""
    counts: Counter[tuple[str, str, str, str]] = Counter()
    amounts: defaultdict[tuple[str, str, str, str], float] = defaultdict(float)
    for line in last_rewards(lines):
        if line.status != RewardStatus.CANCELLED:
            key = line.source, line.unit, line.delivered_by, line.status
            counts[key] += 1
            amounts[key] += line.amount
    return [GivenRow(*key, count, round(amounts[key], 3)) for key, count in sorted(counts.items())]
