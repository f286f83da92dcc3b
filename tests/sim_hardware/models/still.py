"""A body that does nothing: for minds, which only ask it for the time, for chance and for what it was told."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, cast

from protocols.disk_bandit.subjects.disk_choice import DiskPolicy, DiskValues
from sim_hardware.world.body import Body

RING = tuple(range(8))
TEST_VI_S = (3, 9, 27, 81, 243, 729, 2187, 6561)


class Still:
    """Time stands still in it until it is moved."""

    def __init__(self, seed: int = 1, told: Mapping[str, Any] | None = None) -> None:
        self.random = random.Random(seed)
        self.now_s = 0.0
        self.told = {} if told is None else {"assignment": told}

    def asks(self, policy: DiskPolicy) -> DiskPolicy:
        """Let a policy begin its day."""
        policy.start_session(DiskValues.of(self.told))
        return policy

    def shares(self, policy: DiskPolicy, count: int = 20_000, places: Sequence[int] = RING) -> list[float]:
        """Let a policy choose often; tell how often it chose each place."""
        chosen = Counter(policy.choose(cast(Body, self), places) for _ in range(count))
        return [chosen[place] / count for place in places]
