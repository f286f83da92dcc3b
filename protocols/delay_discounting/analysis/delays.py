"""Adjusting delay: indifference point and its approach (Papale et al. 2012)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from protocols.delay_discounting.analysis.laps import Laps
from rig.analysis.common.arrays import Floats, Ints, mean, ratio

# "mean adjusted delay over the final 20 laps" is the paper's indifference point.
FINAL_LAPS = 20
LONGEST_S = 30
"""Longest initial delay. Longer delays arise only by adjustment and share one bin."""

SETTLED_S = (3, 9)
"""Range of delays in which rats settle (Papale et al. 2012: 3 to 9 s)."""

THIRDS = ("first", "second", "last")


@dataclass(frozen=True)
class Indifference:
    """Mean adjusted delay of the final 20 laps, by three conventions; NaN without such laps.

    ``in_force_s``: the delay of the delayed side on every lap. ``dd_getdelays_s``: the count of the authors'
    laboratory (``dd_getdelays``). ``delayed_laps_s``: the delay in force, on laps to the delayed side only.
    """

    # The text of the paper says the first; its 7.4 s is most likely of the second. The same simulated sessions give
    # 7.05, 6.03 and 6.54 s: a difference of 1 s between two laboratories can be the convention alone.

    in_force_s: float
    dd_getdelays_s: float
    delayed_laps_s: float


IN_FORCE = "in_force_s"
CONVENTIONS = (IN_FORCE, "dd_getdelays_s", "delayed_laps_s")


@dataclass(frozen=True)
class Third:
    """One third of the laps of every session: share of each delay, and share of delays from 3 to 9 s."""

    name: str
    laps: int
    share: Floats
    settled: float


def indifference(laps: Laps) -> Indifference:
    """Return the indifference point of a session."""
    final = slice(-FINAL_LAPS, None)
    in_force, delayed = laps.in_force_s[final], laps.delayed[final]
    return Indifference(mean(in_force), mean(dd_getdelays(laps)[final]), mean(in_force[delayed]))


def dd_getdelays(laps: Laps) -> Floats:
    """Return the delay of each lap as the authors' laboratory counts it; NaN if the delayed side was not sampled.

    It is the experienced delay on laps to the delayed side, and the delay in force minus 2 s, at least 1 s, on others.
    Laps before the first one to the delayed side get the delay that was experienced there.
    """
    if not laps.delayed.any():
        return np.full(laps.trials, math.nan)
    # Their count starts one step below the delay in force, and is already reduced on a lap to the other side:
    # together 2 s.
    counted = np.where(laps.delayed, laps.in_force_s, np.maximum(1.0, laps.in_force_s - 2))
    first = int(np.argmax(laps.delayed))
    counted[:first] = laps.in_force_s[first]
    return counted


def discount_rate(ratio: float, indifference_s: float) -> float:
    """Return k of V = M / (1 + k D) at this indifference point, against one unit after 1 s; NaN if no k fits.

    R / (1 + k D) = 1 / (1 + k) gives D = R + (R - 1) / k.
    """
    return (ratio - 1) / (indifference_s - ratio) if ratio > 1 and indifference_s > ratio else math.nan


def delay_counts(delays_s: Floats) -> Ints:
    """Return counts of delays in steps of 1 s: index 0 is 1 s, the last is for delays above 30 s."""
    steps = np.clip(np.rint(delays_s), 1, LONGEST_S + 1).astype(np.int64)
    return np.bincount(steps - 1, minlength=LONGEST_S + 1)


def thirds(sessions: Sequence[Laps]) -> tuple[Third, ...]:
    """Return the delays by third of the session, pooled over sessions."""
    divided = [np.array_split(laps.in_force_s, len(THIRDS)) for laps in sessions]
    return tuple(_third(name, np.concatenate([parts[place] for parts in divided])) for place, name in enumerate(THIRDS))


def _third(name: str, delays_s: Floats) -> Third:
    low, high = SETTLED_S
    settled = (delays_s >= low) & (delays_s <= high)
    return Third(name, delays_s.size, ratio(delay_counts(delays_s), delays_s.size), mean(settled.astype(float)))
