"""The adjusting delay: where it settles, and how it gets there (Papale et al. 2012)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rig.analysis.common.arrays import Floats, Ints, mean, ratio
from rig.analysis.maze.laps import Laps

FINAL_LAPS = 20
LONGEST_S = 30
"""The longest initial delay; longer ones come about only by adjustment, and are counted together."""

SETTLED_S = (3, 9)
"""The delays between which rats settle."""

THIRDS = ("first", "second", "last")


@dataclass(frozen=True)
class Indifference:
    """The mean adjusted delay of the final 20 laps, by three conventions; NaN with no such lap.

    ``in_force_s``: of every lap the delay that the delayed side had. ``dd_getdelays_s``: as the authors' laboratory
    counts, the delay last adjusted to, up from a lap on the delayed side and down from one on the other.
    ``delayed_laps_s``: in force, of laps on the delayed side only.
    """

    in_force_s: float
    dd_getdelays_s: float
    delayed_laps_s: float


IN_FORCE = "in_force_s"
CONVENTIONS = (IN_FORCE, "dd_getdelays_s", "delayed_laps_s")


@dataclass(frozen=True)
class Third:
    """A third of the laps of every session: their delays, as shares of the laps, and how many are 3 to 9 s."""

    name: str
    laps: int
    share: Floats
    settled: float


def indifference(laps: Laps) -> Indifference:
    """Average the final laps."""
    final = slice(-FINAL_LAPS, None)
    in_force, delayed = laps.in_force_s[final], laps.delayed[final]
    return Indifference(mean(in_force), mean(dd_getdelays(laps)[final]), mean(in_force[delayed]))


def dd_getdelays(laps: Laps) -> Floats:
    """Count as the authors' laboratory does: the delay experienced on delayed laps, one second less after others.

    Laps before the first on the delayed side have the delay that was experienced there; nothing is below 1 s. All of
    it is NaN when there was no such lap.
    """
    if not laps.delayed.any():
        return np.full(laps.trials, math.nan)
    counted = np.where(laps.delayed, laps.in_force_s, np.maximum(1.0, laps.in_force_s - 2))
    first = int(np.argmax(laps.delayed))
    counted[:first] = laps.in_force_s[first]
    return counted


def discount_rate(ratio: float, indifference_s: float) -> float:
    """Give k of V = M / (1 + k D) whose indifference this is, against one unit after 1 s; NaN if none has.

    R / (1 + k D) = 1 / (1 + k) gives D = R + (R - 1) / k.
    """
    return (ratio - 1) / (indifference_s - ratio) if ratio > 1 and indifference_s > ratio else math.nan


def delay_counts(delays_s: Floats) -> Ints:
    """Count delays in steps of 1 s: place 0 is 1 s, the last is everything beyond 30 s."""
    steps = np.clip(np.rint(delays_s), 1, LONGEST_S + 1).astype(np.int64)
    return np.bincount(steps - 1, minlength=LONGEST_S + 1)


def thirds(sessions: Sequence[Laps]) -> tuple[Third, ...]:
    """Divide every session's laps into three, and pool."""
    divided = [np.array_split(laps.in_force_s, len(THIRDS)) for laps in sessions]
    return tuple(_third(name, np.concatenate([parts[place] for parts in divided])) for place, name in enumerate(THIRDS))


def _third(name: str, delays_s: Floats) -> Third:
    low, high = SETTLED_S
    settled = (delays_s >= low) & (delays_s <= high)
    return Third(name, delays_s.size, ratio(delay_counts(delays_s), delays_s.size), mean(settled.astype(float)))
