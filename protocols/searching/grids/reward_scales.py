"""How the models of both papers standardize rewards, and the noise that they assume."""

from __future__ import annotations

from typing import NamedTuple

from protocols.searching.grids.places import Floats


class RewardScale(NamedTuple):
    """Rewards are standardized to (reward - center) / spread, so that a prior mean of 0 is the center."""

    center: float
    spread: float
    noise_variance: float
    """Variance of the noise of a standardized reward, as the models assume it."""

    def standard(self, reward: float) -> float:
        """Return a standardized reward."""
        return (reward - self.center) / self.spread


class RewardRange(NamedTuple):
    """The rewards that a task can give, without their noise."""

    low: float = 0.0
    high: float = 100.0

    def percent(self, rewards: Floats) -> Floats:
        """Return rewards on the scale from 0 to 100."""
        return rewards if self == PERCENT else (rewards - self.low) * (100.0 / (self.high - self.low))


PERCENT = RewardRange()
GRID = RewardScale(50.0, 100.0, 1e-4)
"""Rewards of 0 to 100 on the grid; the released code of Wu et al. (2017)."""
RISKY_LINE = RewardScale(5.0, 2.5, 1e-2)
"""Rewards of 0 to 10 on the risky line. Schulz et al. (2018) print no numbers: a choice."""
RISKY_GRID = RewardScale(50.0, 25.0, 1e-4)
"""Rewards of 0 to 100 on the risky grid; a choice too."""
