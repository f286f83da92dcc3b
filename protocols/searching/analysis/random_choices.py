"""What random clicks would earn, and how far they would get, in a round whose environment is known."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from protocols.searching.analysis.rounds import GridRound
from rig.analysis.common.arrays import Floats, mean


def share_below(each: GridRound) -> float:
    """Return the share of tiles whose value without noise is below the line; NaN without environment or line."""
    if each.values is None or each.level is None:
        return math.nan
    return float((each.values < each.level).mean())


def random_outcome(each: GridRound) -> float:
    """Return the mean value of all tiles; NaN without environment."""
    return math.nan if each.values is None else float(each.values.mean())


def random_reward(each: GridRound) -> float:
    """Return the mean reward that one random click keeps: values below the line of a risky round count as 0."""
    if each.values is None:
        return math.nan
    kept = each.values >= each.level if each.risky and each.level is not None else np.full(each.values.shape, True)
    return float(np.where(kept, each.values, 0.0).mean())


def random_reached(each: GridRound) -> Floats:
    """Return the probability that random choices reach each click; shape (horizon,). NaN without environment.

    It is (1 - p)^(k - 1) for click k and the share p of tiles below the line of a risky round.
    """
    share = share_below(each) if each.risky else 0.0
    return np.asarray((1 - share) ** np.arange(each.horizon), np.float64)


def random_clicks(each: GridRound) -> float:
    """Return the mean number of clicks of random choices. The click that falls below counts, as in the record."""
    return float(random_reached(each).sum())


def over_rounds(rounds: Sequence[GridRound], of_round: Callable[[GridRound], float]) -> float:
    """Return the mean over the rounds where it is known; NaN for none."""
    return mean(np.array([of_round(each) for each in rounds], float))
