"""The two-armed bandit as a dozen lines of Python: learners are stepped in it, and counted."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from protocols.two_armed_bandit.subjects.learners.base import Learner

TRIALS = 744
"""A session of 40 minutes."""


@dataclass
class Session:
    """What a learner did: its choices, its rewards, and the high side of every trial."""

    sides: list[str] = field(default_factory=list)
    rewarded: list[bool] = field(default_factory=list)
    high: list[str] = field(default_factory=list)

    @property
    def switches(self) -> list[bool]:
        """Tell of every trial but the first whether the side was changed."""
        return [side != before for before, side in zip(self.sides, self.sides[1:], strict=False)]

    @property
    def p_high(self) -> float:
        return sum(side == high for side, high in zip(self.sides, self.high, strict=True)) / len(self.sides)


def session(learner: Learner, draw: random.Random, p: float = 0.8, q: float = 0.98, trials: int = TRIALS) -> Session:
    """Let a learner do a session."""
    played, sides = Session(), ("left", "right")
    high = draw.random() < 0.5
    for _ in range(trials):
        right = draw.random() >= learner.p_left()
        rewarded = draw.random() < (p if right == high else 1 - p)
        learner.observe(sides[right], rewarded)
        played.sides.append(sides[right])
        played.rewarded.append(rewarded)
        played.high.append(sides[high])
        high ^= draw.random() >= q
    return played


class Tally:
    """Rates over many sessions."""

    def __init__(self, make: Callable[[], Learner], sessions: int, p: float = 0.8, seed: int = 5) -> None:
        draw = random.Random(seed)
        self.sessions = [session(make(), draw, p) for _ in range(sessions)]
        after = [
            (rewarded, switched)
            for played in self.sessions
            for rewarded, switched in zip(played.rewarded, played.switches, strict=False)
        ]
        rewards = sum(sum(played.rewarded) for played in self.sessions)
        switches = sum(switched for _, switched in after)
        self.reward = rewards / (sessions * TRIALS)
        self.p_high = sum(played.p_high for played in self.sessions) / sessions
        self.p_switch = switches / len(after)
        self.after_reward = _share([switched for rewarded, switched in after if rewarded])
        self.after_none = _share([switched for rewarded, switched in after if not rewarded])
        self.rewards_per_switch = rewards / max(1, switches)


def _share(values: list[bool]) -> float:
    return sum(values) / len(values)
