"""What people do, without a model: rewards and largest rewards by trial, and where they click."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from protocols.searching.analysis.rounds import GridRound
from protocols.searching.grids.places import Grid
from rig.analysis.common.arrays import Floats, Ints, mean, ratio
from rig.analysis.common.subjects import standard_error

BIN = 5
"""Trials of a bin of the curves (Wu et al. 2017)."""


@dataclass(frozen=True)
class Behavior:
    """Means over rounds of one person.

    ``reward`` is the unscaled value of a click, 0 where it is forgone; ``score`` is that per planned click, so that
    clicks lost with a round count as 0. ``largest`` is the largest unscaled value of a round. ``unique`` counts the
    tiles that were clicked, ``repeats`` the clicks on a tile with a number. ``variance`` is that of x plus that of y
    over the clicks of a round. ``distance`` is the Manhattan distance from one tile to the next, the revealed one
    first. ``survived`` are the clicks of a round, ``full`` is the share of rounds with all clicks.
    """

    rounds: int
    clicks: int
    reward: float
    score: float
    largest: float
    unique: float
    repeats: float
    variance: float
    distance: float
    survived: float
    full: float
    interval_s: float


MEASURES = ("reward", "score", "largest", "unique", "repeats", "variance", "distance", "survived", "full", "interval_s")


def behavior(rounds: Sequence[GridRound]) -> Behavior:
    """Return the means over the rounds that came to their end; rounds in which the person left are not counted."""
    ended = [each for each in rounds if each.complete and each.clicks]
    intervals = np.concatenate([np.diff(each.time_s) for each in ended]) if ended else np.empty(0)
    return Behavior(
        rounds=len(ended),
        clicks=sum(each.clicks for each in ended),
        reward=_mean(float(each.reward.mean()) for each in ended),
        score=_mean(float(each.reward.sum()) / each.horizon for each in ended),
        largest=_mean(float(each.largest[-1]) for each in ended),
        unique=_mean(np.unique(each.tile[1:]).size for each in ended),
        repeats=_mean(repeats(each) for each in ended),
        variance=_mean(location_variance(each) for each in ended),
        distance=_mean(mean(distances(each)) for each in ended),
        survived=_mean(each.clicks for each in ended),
        full=_mean(each.end == "all_clicks" for each in ended),
        interval_s=float(np.nanmedian(intervals)) if np.isfinite(intervals).any() else float("nan"),
    )


def _mean(values: Iterable[float]) -> float:
    return mean(np.array(list(values), float))


def repeats(each: GridRound) -> int:
    """Return the number of clicks on a tile that already has a number, the revealed one included."""
    return len(each.tile) - int(np.unique(each.tile).size)


def location_variance(each: GridRound) -> float:
    """Return the variance of x plus that of y over the clicks, with n - 1; NaN for one click."""
    if each.clicks < 2:
        return float("nan")
    x, y = each.grid.x[each.tile[1:]], each.grid.y[each.tile[1:]]
    return float(x.var(ddof=1) + y.var(ddof=1))


def distances(each: GridRound) -> Floats:
    """Return the Manhattan distance of each click from the tile before, in tiles; shape (clicks,)."""
    return np.asarray(each.grid.manhattan[each.tile[:-1], each.tile[1:]], float)


def random_distance(grid: Grid) -> float:
    """Return the mean Manhattan distance of two random tiles, possibly the same: (n² - 1) / (3 n) along n tiles."""
    return sum((side**2 - 1) / (3 * side) for side in (grid.width, grid.height))


@dataclass(frozen=True)
class Curve:
    """Means over people by trial, 1 for the revealed tile, with standard errors over people.

    ``reward`` and ``largest`` are of the rounds that reached the trial; ``reached`` is their share.
    """

    horizon: int
    people: int
    trial: Ints
    reward: Floats
    reward_se: Floats
    largest: Floats
    largest_se: Floats
    reached: Floats


@dataclass(frozen=True)
class BinnedCurve:
    """The same in bins of five clicks; ``first`` is the first click of a bin.

    ``peak`` is the middle click of the bin with the highest mean reward.
    """

    first: Ints
    reward: Floats
    reward_se: Floats
    largest: Floats
    largest_se: Floats
    peak: float


def curve(people: Sequence[Sequence[GridRound]], horizon: int) -> Curve:
    """Return the curve of the rounds with one horizon; ``people`` has the rounds of each person."""
    each = [by_trial([own for own in rounds if own.horizon == horizon], horizon) for rounds in people]
    reward, largest, reached = (np.array([own[place] for own in each]) for place in range(3))
    return Curve(
        horizon,
        int(np.isfinite(reached[:, 0]).sum()),
        np.arange(1, horizon + 2),
        *_over_people(reward),
        *_over_people(largest),
        _over_people(reached)[0],
    )


def by_trial(rounds: Sequence[GridRound], horizon: int) -> tuple[Floats, Floats, Floats]:
    """Return one person's mean reward, largest reward and share of rounds by trial; NaN for trials not reached."""
    values = np.full((2, len(rounds), horizon + 1), np.nan)
    for place, own in enumerate(rounds):
        count = min(len(own.tile), horizon + 1)
        values[0, place, :count] = own.drawn[:count]
        values[1, place, :count] = own.largest[:count]
    known = np.isfinite(values[0]).sum(axis=0)
    reward, largest = ratio(np.nansum(values, axis=1), known)
    return reward, largest, ratio(known, np.full(horizon + 1, len(rounds)))


def binned(people: Sequence[Sequence[GridRound]], horizon: int) -> BinnedCurve:
    """Return the curve in bins of five clicks; each person's mean of a bin counts once."""
    each = [by_trial([own for own in rounds if own.horizon == horizon], horizon) for rounds in people]
    first = np.arange(1, horizon + 1, BIN)
    reward, largest = (
        np.array([[mean(own[place][start : start + BIN]) for start in first] for own in each]) for place in range(2)
    )
    average, error = _over_people(reward)
    best = int(np.argmax(np.nan_to_num(average, nan=-np.inf)))
    middle = (int(first[best]) + min(int(first[best]) + BIN - 1, horizon)) / 2
    return BinnedCurve(first, average, error, *_over_people(largest), middle)


def _over_people(values: Floats) -> tuple[Floats, Floats]:
    """Return mean and standard error of each column."""
    columns = values.T
    return np.array([mean(each) for each in columns]), np.array([standard_error(each) for each in columns])
