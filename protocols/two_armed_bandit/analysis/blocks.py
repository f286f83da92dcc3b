"""Choices by position around a swap of the ports, and the time constant of recovery (Beron et al. 2022, fig. 1C, D).

Position 0 is the first trial with the other port high, -1 the last trial before it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from protocols.two_armed_bandit.analysis.stack import Stack
from rig.analysis.common.arrays import Columns, Flags, Floats, Ints, ratio, sd

BEFORE = 10
AFTER = 20
FEWEST_FLIPS = 5
"""Swaps needed for a time constant; with fewer each point of the curve is the mean of less than five trials."""

FIRST_OF_FIRST_BLOCK = 11
"""The authors' table starts at trial 11. Its first block numbers trials from 1, later blocks from 0."""

# A curve with free b, tau and asymptote has three parameters; four points leave one degree of freedom.
FEWEST_POINTS = 4
TAU_RANGE = (0.05, 500.0)

_GRID = 200
_NEVER = -(10**6)


@dataclass(frozen=True)
class BlockCurve(Columns):
    """Values at each position: trials ``n``, P(high port), pairs of consecutive trials, P(switch).

    The errors are SDs over resamples of the sessions.
    """

    position: Ints
    n: Ints
    p_high: Floats
    pairs: Ints
    p_switch: Floats
    p_high_se: Floats
    p_switch_se: Floats


@dataclass(frozen=True)
class Tau:
    """Time constants, in trials, of the recovery of P(high port) after a swap; NaN with too few swaps.

    P(k) = P_inf - b exp(-k / tau), fitted to k = 0 to 20 by unweighted least squares, b and tau free. The three values
    differ in P_inf: P(high port) of all trials; of the last ten trials before swaps; or a third free parameter.
    """

    # Beron et al. 2022 publish 4.28 +- 0.19 trials (80-20) without the procedure. On their public sessions the first
    # convention gives 4.46, the second 4.56, the third 6.41: compare a value only with its own convention.

    flips: int
    overall: float
    before_flips: float
    free: float


def since_flip(stack: Stack) -> Ints:
    """Return trials since the last swap, 0 for the first with the new port; negative before a session's first swap."""
    trial = np.arange(stack.longest)
    last = np.maximum.accumulate(np.where(stack.flipped, trial, _NEVER), axis=1)
    return np.where(stack.from_trial(1) & (last >= 0), trial - last, _NEVER)


def until_flip(stack: Stack) -> Ints:
    """Return minus the trials to the next swap, -1 for the last before it; very negative after the last swap."""
    trial = np.arange(stack.longest)
    following = np.where(stack.flipped, trial, -_NEVER)
    following = np.minimum.accumulate(following[:, ::-1], axis=1)[:, ::-1]
    following = np.concatenate([following[:, 1:], np.full((stack.sessions, 1), -_NEVER)], axis=1)
    return np.where(stack.from_trial(1), trial - following, _NEVER)


def block_trial(stack: Stack) -> Ints:
    """Return the authors' trial numbers in a block: the first block from 1, kept from trial 11; later ones from 0."""
    number = np.arange(1, stack.longest + 1) + stack.skipped[:, None]
    first = np.where(stack.from_trial(1) & (number >= FIRST_OF_FIRST_BLOCK), number, _NEVER)
    later = since_flip(stack)
    return np.where(later >= 0, later, first)


def observed(stack: Stack) -> tuple[Floats, Floats]:
    """Return the choice of each trial as P(high port) and P(switch): 1 or 0, NaN where undefined."""
    high = np.where(stack.high != 0, stack.choice == stack.high, np.nan)
    return high, np.where(stack.from_trial(2), stack.switched, np.nan)


def predicted(stack: Stack, log_odds: Floats) -> tuple[Floats, Floats]:
    """Return a model's P(high port) and P(switch) on each trial from its log-odds of left; NaN where undefined."""
    left = 1 / (1 + np.exp(-log_odds))
    high = np.where(stack.high > 0, left, 1 - left)
    before = np.zeros(left.shape)
    before[:, 1:] = stack.choice[:, :-1]
    switch = np.where(before > 0, 1 - left, left)
    return np.where(stack.high != 0, high, np.nan), np.where(stack.from_trial(2), switch, np.nan)


def around_flip(stack: Stack, values: tuple[Floats, Floats], drawn: Ints) -> BlockCurve:
    """Return means of the ten trials before and the first 21 after swaps; a short block gives the trials it has.

    ``drawn`` are resamples of the sessions (``rates.resamples``).
    """
    after = _curve(since_flip(stack), range(AFTER + 1), values, drawn)
    before = _curve(until_flip(stack), range(-BEFORE, 0), values, drawn)
    return BlockCurve(*(np.concatenate([getattr(part, name) for part in (before, after)]) for name in vars(after)))


def by_block_trial(stack: Stack, values: tuple[Floats, Floats], drawn: Ints) -> BlockCurve:
    """Return means by the authors' trial number in a block, 0 to 20."""
    return _curve(block_trial(stack), range(AFTER + 1), values, drawn)


def tau(stack: Stack) -> Tau:
    """Fit the recovery of P(high port) after swaps; NaN with fewer than ``FEWEST_FLIPS`` swaps."""
    flips = int(stack.flipped.sum())
    high, _ = values = observed(stack)
    if flips < FEWEST_FLIPS:
        return Tau(flips, math.nan, math.nan, math.nan)
    # The block cut by the session's end counts too: requiring complete blocks moves tau by 0.001 trials only.
    unsampled = np.empty((0, stack.sessions), np.int64)
    after = _curve(since_flip(stack), range(AFTER + 1), values, unsampled).p_high
    until = until_flip(stack)
    before = high[(until >= -BEFORE) & (until < 0)]
    return Tau(
        flips, recovery(after, float(np.nanmean(high))), recovery(after, float(np.nanmean(before))), recovery(after)
    )


def recovery(curve: Floats, asymptote: float | None = None) -> float:
    """Fit ``asymptote - b exp(-k / tau)`` to a curve over k = 0, 1, ...; return tau, NaN without a minimum in range.

    For a given tau the other parameters are linear, so the search is over tau alone: a logarithmic grid, refined
    between the neighbors of its best point until these differ by a relative 1e-9.
    """
    known = np.isfinite(curve)
    k, p = np.flatnonzero(known).astype(float), curve[known]
    if k.size < FEWEST_POINTS:
        return math.nan
    low, high = TAU_RANGE
    while high / low > 1 + 1e-9:
        grid = np.geomspace(low, high, _GRID)
        best = int(np.argmin(_losses(k, p, grid, asymptote)))
        # A best point at the edge means that the curve is flat or a step: no time constant can be reported.
        if grid[best] in TAU_RANGE:
            return math.nan
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, _GRID - 1)]
    return math.sqrt(low * high)


def _losses(k: Floats, p: Floats, taus: Floats, asymptote: float | None) -> Floats:
    """Return the residual sum of squares for each tau, with the best amplitude (and asymptote, if free)."""
    fall = np.exp(-k / taus[:, None])
    # Centering both sides removes a free asymptote from the least squares; a fixed one is subtracted.
    if asymptote is None:
        fall, p = fall - fall.mean(axis=1, keepdims=True), p - p.mean()
    else:
        p = p - asymptote
    slope = np.nan_to_num(ratio(fall @ p, (fall**2).sum(axis=1)))
    return np.asarray(((p - slope[:, None] * fall) ** 2).sum(axis=1))


@dataclass(frozen=True)
class _Means:
    n: Ints
    mean: Floats
    se: Floats


def _curve(place: Ints, positions: range, values: tuple[Floats, Floats], drawn: Ints) -> BlockCurve:
    wanted: Flags = (place >= positions.start) & (place < positions.stop)
    bins = np.where(wanted, place - positions.start, 0)
    high, switch = (_means(bins, wanted & np.isfinite(value), value, len(positions), drawn) for value in values)
    return BlockCurve(np.array(positions), high.n, high.mean, switch.n, switch.mean, high.se, switch.se)


def _means(bins: Ints, known: Flags, values: Floats, length: int, drawn: Ints) -> _Means:
    """Return the mean of the known values in each bin; its error is the SD over the resamples of the sessions."""
    sessions = len(bins)
    own = (np.arange(sessions)[:, None] * length + bins)[known]
    n = np.bincount(own, minlength=sessions * length).reshape(sessions, length)
    sums = np.bincount(own, values[known], sessions * length).reshape(sessions, length)
    again = ratio(drawn @ sums, drawn @ n)
    se = np.array([sd(column) for column in again.T])
    return _Means(n.sum(axis=0), ratio(sums.sum(axis=0), n.sum(axis=0)), se)
