"""Vicarious trial and error: zIdPhi by lap, delay, type and phase of the lap (Papale et al. 2012)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from protocols.delay_discounting.analysis.laps import Laps
from protocols.delay_discounting.analysis.phases import PHASES, phases
from rig.analysis.common.arrays import Flags, Floats, Ints, mean, ratio, sd

if TYPE_CHECKING:
    from rig.analysis.common.statistics import KruskalWallis, Spearman, TwoWay

LONGEST_S = 30
"""Laps to the delayed side with a longer delay are excluded, as in Papale et al. 2012 (4 of 26,896 laps)."""

BIN = 5
REACHES = (2, 5, 7)
"""Laps before and after a lap in which adjustment laps are counted: windows of 5, 11 and 15 laps (figure 9)."""

TYPES = ("adjustment", "alternation")

PARTS = {"laps_1_to_30": (1, 30), "laps_41_to_100": (41, 100)}
"""First and last lap of the parts of a session in which zIdPhi is above and below its mean (Papale et al. 2012)."""


@dataclass(frozen=True)
class VteCurve:
    """Mean zIdPhi, its standard error and the number of passes in each bin; ``position`` is the start of the bin."""

    position: Ints
    n: Ints
    mean: Floats
    sem: Floats


@dataclass(frozen=True)
class VteSplit:
    """Curves of all passes, and of each type of lap; the first lap of a session has no type."""

    all: VteCurve
    adjustment: VteCurve
    alternation: VteCurve


@dataclass(frozen=True)
class Neighborhood:
    """Mean zIdPhi of each type of lap by the number of other adjustment laps within ``reach`` laps."""

    reach: int
    adjustment: VteCurve
    alternation: VteCurve


@dataclass(frozen=True)
class Mean:
    """Mean and standard error over passes."""

    n: int
    mean: float
    sem: float


@dataclass(frozen=True)
class Tests:
    """Kruskal-Wallis by each factor, two-way tests of lap type and each factor, rank correlation with the pause."""

    lap: KruskalWallis | None
    delay: KruskalWallis | None
    type: KruskalWallis | None
    phase: KruskalWallis | None
    type_and_lap: TwoWay | None
    type_and_delay: TwoWay | None
    type_and_phase: TwoWay | None
    pause: Spearman | None
    neighbors_of_adjustments: Spearman | None


@dataclass(frozen=True)
class Vte:
    """Results of the passes of some sessions.

    ``by_phase_and_type`` is by phase, then by type. ``by_lap_in_phase`` are curves over laps of the session, in bins of
    five, with only the laps in a phase. ``idphi`` and ``pause_s`` are not standardized.
    """

    sessions: int
    passes: int
    left_out: int
    idphi: Mean
    pause_s: Mean
    by_type: dict[str, Mean]
    by_part: dict[str, Mean]
    by_phase: dict[str, Mean]
    by_phase_and_type: dict[str, dict[str, Mean]]
    by_lap_in_phase: dict[str, VteCurve]
    by_lap: VteSplit
    by_lap_bins: VteSplit
    by_delay: VteSplit
    by_delay_bins: VteSplit
    neighborhoods: tuple[Neighborhood, ...]
    tests: Tests | None


def judged(laps: Laps) -> Flags:
    """Return a mask of the passes analyzed: those tracked, except laps with an experienced delay above 30 s."""
    return np.isfinite(laps.idphi) & laps.tracking_ok & ~(laps.delayed & (laps.in_force_s > LONGEST_S))


def zidphi(laps: Laps) -> Floats:
    """Return IdPhi standardized within the session (n - 1); NaN for excluded passes, and if all are equal."""
    # Within the session: a constant factor, such as the sum instead of the integral or another camera scale, cancels.
    counted = np.where(judged(laps), laps.idphi, np.nan)
    spread = sd(counted)
    return (counted - mean(counted)) / spread if spread > 0 else np.full(laps.trials, np.nan)


def neighbors(laps: Laps, reach: int) -> Ints:
    """Return the number of other adjustment laps within ``reach`` laps before and after each lap."""
    if not laps.trials:
        return np.zeros(0, np.int64)
    around = np.convolve(laps.adjusted, np.ones(2 * reach + 1))[reach : reach + laps.trials]
    return np.asarray(np.rint(around) - laps.adjusted, np.int64)


class _Pool(NamedTuple):
    """Analyzed passes of several sessions, concatenated."""

    z: Floats
    idphi: Floats
    pause_s: Floats
    lap: Floats
    delay: Floats
    phase: Floats
    around: dict[int, Floats]
    adjusted: Flags
    alternated: Flags


def vte(sessions: Sequence[Laps], *, fits: bool) -> Vte | None:
    """Return the results over the passes of sessions; None if no session was tracked."""
    tracked = [(laps, z) for laps in sessions if np.isfinite(z := zidphi(laps)).any()]
    if not tracked:
        return None
    pool = _pool(tracked)

    def split(position: Floats, which: Flags, width: int) -> VteSplit:
        kinds = (which, which & pool.adjusted, which & pool.alternated)
        return VteSplit(*(curve(position[kind], pool.z[kind], width) for kind in kinds))

    types = dict(zip(TYPES, (pool.adjusted, pool.alternated), strict=True))
    phase = {name: pool.phase == place for place, name in enumerate(PHASES)}
    short = pool.delay <= LONGEST_S
    every = np.ones(pool.z.size, bool)
    return Vte(
        sessions=len(tracked),
        passes=pool.z.size,
        left_out=sum(laps.trials for laps, _ in tracked) - pool.z.size,
        idphi=_mean(pool.idphi),
        pause_s=_mean(pool.pause_s),
        by_type={name: _mean(pool.z[kind]) for name, kind in types.items()},
        by_part={
            name: _mean(pool.z[(pool.lap >= first) & (pool.lap <= last)]) for name, (first, last) in PARTS.items()
        },
        by_phase={name: _mean(pool.z[within]) for name, within in phase.items()},
        by_phase_and_type={
            name: {each: _mean(pool.z[within & kind]) for each, kind in types.items()} for name, within in phase.items()
        },
        by_lap_in_phase={name: curve(pool.lap[within], pool.z[within], BIN) for name, within in phase.items()},
        by_lap=split(pool.lap, every, 1),
        by_lap_bins=split(pool.lap, every, BIN),
        by_delay=split(pool.delay, short, 1),
        by_delay_bins=split(pool.delay, short, BIN),
        neighborhoods=tuple(
            Neighborhood(reach, *(curve(around[kind], pool.z[kind], first=0) for kind in types.values()))
            for reach, around in pool.around.items()
        ),
        tests=_tests(pool) if fits else None,
    )


def _pool(tracked: Sequence[tuple[Laps, Floats]]) -> _Pool:
    z = np.concatenate([each for _, each in tracked])
    within = np.isfinite(z)

    def pooled(column: Callable[[Laps], Floats | Ints | Flags]) -> Floats:
        return np.asarray(np.concatenate([column(laps) for laps, _ in tracked])[within], float)

    adjusted = pooled(lambda laps: laps.adjusted) > 0
    return _Pool(
        z=z[within],
        idphi=pooled(lambda laps: laps.idphi),
        pause_s=pooled(lambda laps: laps.pause_s),
        lap=pooled(lambda laps: laps.lap),
        delay=pooled(lambda laps: np.rint(laps.in_force_s)),
        phase=pooled(lambda laps: phases(laps, "sliding")),
        around={reach: pooled(partial(neighbors, reach=reach)) for reach in REACHES},
        adjusted=adjusted,
        alternated=(pooled(lambda laps: laps.typed) > 0) & ~adjusted,
    )


def curve(position: Floats, values: Floats, width: int = 1, first: int = 1) -> VteCurve:
    """Return the means of values in bins of positions, the first bin from ``first``."""
    place = ((position - first) // width).astype(np.int64)
    n = np.bincount(place)
    average = ratio(np.bincount(place, values), n)
    # Two passes over the data: the difference of sums of squares would lose digits.
    squares = np.bincount(place, (values - average[place]) ** 2)
    return VteCurve(first + width * np.arange(n.size), n, average, np.sqrt(ratio(squares, n * (n - 1))))


def _mean(values: Floats) -> Mean:
    n = int(np.isfinite(values).sum())
    return Mean(n, mean(values), float(ratio(sd(values), np.sqrt(n))))


def _tests(pool: _Pool) -> Tests:
    from rig.analysis.common.statistics import kruskal_wallis, spearman, two_way

    kind = np.where(pool.adjusted, 1.0, np.where(pool.alternated, 0.0, np.nan))
    delay = np.where(pool.delay <= LONGEST_S, pool.delay, np.nan)
    return Tests(
        lap=kruskal_wallis(pool.z, pool.lap),
        delay=kruskal_wallis(pool.z, delay),
        type=kruskal_wallis(pool.z, kind),
        phase=kruskal_wallis(pool.z, pool.phase),
        type_and_lap=two_way(pool.z, kind, pool.lap),
        type_and_delay=two_way(pool.z, kind, delay),
        type_and_phase=two_way(pool.z, kind, pool.phase),
        pause=spearman(pool.pause_s, pool.z),
        neighbors_of_adjustments=spearman(pool.around[REACHES[1]][pool.adjusted], pool.z[pool.adjusted]),
    )
