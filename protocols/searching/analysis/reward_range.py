"""The range of the rewards of a public table: what a person or the table says of it, checked against the values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from protocols.searching.analysis.rounds import GridPerson, GridRound
from protocols.searching.grids.reward_scales import PERCENT, RewardRange
from protocols.searching.tables.grid_range import RANGE
from rig.core.errors import ConfigError

_NOISE = 0.1
"""How far drawn rewards may lie beyond the range, in widths of the range."""
_LEAST_PART = 0.6
"""Without a stated range, the largest reward must be above this part of 100."""
OPTION = "--range"


def parsed_range(word: str) -> RewardRange:
    """Parse the two numbers of the option. Raises ``ValueError``."""
    try:
        low, high = map(float, word.split(","))
    except ValueError:
        low = high = math.nan
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise ValueError("LOW,HIGH with LOW below HIGH, such as 0,50")
    return RewardRange(low, high)


def range_of(path: Path, where: str, of_table: tuple[float, float] | None, stated: RewardRange | None) -> RewardRange:
    """Return the range of a round. Raises ``ConfigError`` if the table and the option disagree."""
    if of_table is not None and stated is not None and of_table != stated:
        low, high = of_table
        raise ConfigError(
            f"{path}: {where}: {' and '.join(RANGE)} say {low:g} to {high:g}, and {OPTION} {stated.low:g} to "
            f"{stated.high:g}: wanted one of them"
        )
    return RewardRange(*of_table) if of_table is not None else stated or PERCENT


def check_values(path: Path, people: Sequence[GridPerson]) -> None:
    """Check that drawn rewards lie in their stated range, or near it. Raises ``ConfigError``."""
    for person in people:
        for each in person.rounds:
            low, high = each.range
            beyond = _NOISE * (high - low)
            wrong = each.drawn[(each.drawn < low - beyond) | (each.drawn > high + beyond)]
            if wrong.size:
                raise ConfigError(
                    f"{path}: {person.name}, round {each.number}: a reward is {wrong[0]:g}, and the range is {low:g} "
                    f"to {high:g}: wanted {OPTION} LOW,HIGH, or columns {' and '.join(RANGE)}, that hold all rewards"
                )


def doubt_about(path: Path, rounds: Sequence[GridRound]) -> str:
    """Return why rewards without a stated range are probably not those of 0 to 100, empty if they may be."""
    drawn = np.concatenate([each.drawn for each in rounds]) if rounds else np.zeros(0)
    known = drawn[np.isfinite(drawn)]
    if not known.size:
        return ""
    low, high = float(known.min()), float(known.max())
    width = PERCENT.high - PERCENT.low
    fits = low >= PERCENT.low - _NOISE * width and _LEAST_PART * width < high <= PERCENT.high + _NOISE * width
    if fits:
        return ""
    return (
        f"{path}: its rewards are {low:g} to {high:g}, and models need their range: wanted {OPTION} LOW,HIGH, such as "
        f"{OPTION} 0,50, or columns {' and '.join(RANGE)}; write {OPTION} 0,100 if it is that"
    )
