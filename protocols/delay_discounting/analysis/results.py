"""Results of many sessions of delay discounting: each session, each ratio of rewards, and all pooled."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from protocols.delay_discounting.analysis.curves import LapCurves, Milestones, lap_curves, milestones
from protocols.delay_discounting.analysis.delays import (
    CONVENTIONS,
    IN_FORCE,
    Indifference,
    Third,
    discount_rate,
    indifference,
    thirds,
)
from protocols.delay_discounting.analysis.laps import Laps
from protocols.delay_discounting.analysis.vte import Vte, vte, zidphi
from rig.analysis.common.arrays import Floats, finite, mean, sd
from rig.analysis.common.subjects import POOLED, OverSubjects, over_subjects, places

if TYPE_CHECKING:
    from rig.analysis.common.statistics import KolmogorovSmirnov, KruskalWallis, Line

# The paper excludes sessions with fewer than 50 laps or without a lap to the delayed side.
MIN_LAPS = 50
SIDES = {"left": True, "right": False}
"""Names of the delayed side, and the value of ``delayed_left`` for each."""


@dataclass(frozen=True)
class MazeSettings:
    """Options of a report: fewest laps of a session, and whether to compute statistical tests."""

    min_laps: int = MIN_LAPS
    fits: bool = True


@dataclass(frozen=True)
class MazeSessionResults:
    """Results of one session; ``excluded`` has the reasons why it is in no group, and is empty if it is in one.

    ``choice_s`` is the median time in the choice point, ``pause_s`` the mean time that the rat stood there.
    """

    name: str
    subject: str
    condition: str
    laps: int
    rewarded: int
    skipped: int
    delayed_laps: int
    initial_delay_s: float
    indifference: Indifference
    discount_rate: float
    adjustment: float
    lap_s: float
    choice_s: float
    pause_s: float
    passes: int
    zidphi_adjustment: float
    zidphi_alternation: float
    excluded: tuple[str, ...]


@dataclass(frozen=True)
class Spread:
    """Mean and SD over sessions, and over the means of subjects."""

    n: int
    mean: float
    sd: float
    by_subject: OverSubjects


@dataclass(frozen=True)
class MazeGroup:
    """Results of the sessions of one ratio, or of all ratios, without excluded sessions.

    ``settling`` compares initial delays with final delays (in force, final 20 laps). ``over_days`` compares final
    delays between the first, second, … sessions of the subjects. ``delayed_left`` is true for sessions with the delayed
    side left; ``by_side`` has the final delays for each side, ``sides`` compares them. ``discount_rate`` is that of the
    mean delay in force, NaN if sessions have different ratios.
    """

    name: str
    sessions: int
    subjects: int
    laps: int
    skipped: int
    laps_per_session: Spread
    indifference: dict[str, Spread]
    discount_rate: float
    adjustment: Spread
    lap_s: Spread
    by_lap: LapCurves
    milestones: Milestones
    thirds: tuple[Third, ...]
    initial_s: Floats
    final_s: Floats
    delayed_left: tuple[bool | None, ...]
    by_side: dict[str, Spread]
    sides: KruskalWallis | None
    settling: KolmogorovSmirnov | None
    over_days: KruskalWallis | None
    vte: Vte | None


@dataclass(frozen=True)
class Ratios:
    """Indifference point (in force) against the ratio of the rewards, over sessions that are not excluded."""

    ratio: Floats
    indifference_s: Floats
    line: Line | None
    differ: KruskalWallis | None


@dataclass(frozen=True)
class MazeResults:
    """Results of every session, every group of sessions, and the comparison of ratios."""

    settings: MazeSettings
    sessions: tuple[MazeSessionResults, ...]
    groups: dict[str, MazeGroup]
    ratios: Ratios


def exclusions(laps: Laps, min_laps: int) -> Iterator[str]:
    """Yield the reasons to exclude a session, by the rules of Papale et al. 2012."""
    if laps.trials < min_laps:
        yield f"{laps.trials} laps, fewer than {min_laps}"
    if not laps.delayed.any():
        yield "the delayed side was never sampled"


def report(sessions: Sequence[Laps], settings: MazeSettings) -> MazeResults:
    """Return the report of sessions; pooled results only for two or more ratios."""
    kept = [laps for laps in sessions if not any(exclusions(laps, settings.min_laps))]
    names = sorted({laps.condition for laps in kept})
    groups = {name: _group(name, [laps for laps in kept if laps.condition == name], settings) for name in names}
    if len(groups) > 1:
        groups[POOLED] = _group(POOLED, kept, settings)
    return MazeResults(settings, tuple(_session(laps, settings) for laps in sessions), groups, _ratios(kept, settings))


def _session(laps: Laps, settings: MazeSettings) -> MazeSessionResults:
    found, z = indifference(laps), zidphi(laps)
    choice_s = finite(laps.choice_exit_s - laps.choice_enter_s)
    return MazeSessionResults(
        name=laps.name,
        subject=laps.subject,
        condition=laps.condition,
        laps=laps.trials,
        rewarded=int(laps.rewarded.sum()),
        skipped=int((~laps.rewarded).sum()),
        delayed_laps=int(laps.delayed.sum()),
        initial_delay_s=_initial(laps),
        indifference=found,
        discount_rate=discount_rate(laps.ratio, found.in_force_s),
        adjustment=_adjustment(laps),
        lap_s=mean(laps.duration_s),
        choice_s=float(np.median(choice_s)) if choice_s.size else float("nan"),
        pause_s=mean(laps.pause_s),
        passes=int(np.isfinite(z).sum()),
        zidphi_adjustment=mean(z[laps.adjusted]),
        zidphi_alternation=mean(z[laps.typed & ~laps.adjusted]),
        excluded=tuple(exclusions(laps, settings.min_laps)),
    )


def _initial(laps: Laps) -> float:
    return float(laps.in_force_s[0]) if laps.trials else float("nan")


def _group(name: str, sessions: Sequence[Laps], settings: MazeSettings) -> MazeGroup:
    subjects = places([laps.subject for laps in sessions])

    def spread(numbers: Iterable[float]) -> Spread:
        values = np.array([*numbers], float)
        own = [mean(values[place]) for place in subjects]
        return Spread(finite(values).size, mean(values), sd(values), over_subjects(own))

    found = [indifference(laps) for laps in sessions]
    by_convention = {name: np.array([getattr(each, name) for each in found]) for name in CONVENTIONS}
    initial_s, final_s = np.array([_initial(laps) for laps in sessions]), by_convention[IN_FORCE]
    ratios = {laps.ratio for laps in sessions}
    ratio = ratios.pop() if len(ratios) == 1 else float("nan")
    curves = lap_curves(sessions)
    sides = [laps.delayed_left for laps in sessions]
    return MazeGroup(
        name=name,
        sessions=len(sessions),
        subjects=len(subjects),
        laps=sum(laps.trials for laps in sessions),
        skipped=sum(int((~laps.rewarded).sum()) for laps in sessions),
        laps_per_session=spread(laps.trials for laps in sessions),
        indifference={each: spread(values) for each, values in by_convention.items()},
        discount_rate=discount_rate(ratio, mean(final_s)),
        adjustment=spread(map(_adjustment, sessions)),
        lap_s=spread(mean(laps.duration_s) for laps in sessions),
        by_lap=curves,
        milestones=milestones(curves),
        thirds=thirds(sessions),
        initial_s=initial_s,
        final_s=final_s,
        delayed_left=tuple(sides),
        by_side={name: spread(_where(final_s, sides, left)) for name, left in SIDES.items()},
        sides=_sides(final_s, sides) if settings.fits else None,
        settling=_settling(initial_s, final_s) if settings.fits else None,
        over_days=_over_days(sessions, final_s) if settings.fits else None,
        vte=vte(sessions, fits=settings.fits),
    )


def _where(values: Floats, sides: Sequence[bool | None], left: bool) -> Floats:
    return np.where([side is left for side in sides], values, np.nan)


def _sides(final_s: Floats, sides: Sequence[bool | None]) -> KruskalWallis | None:
    from rig.analysis.common.statistics import kruskal_wallis

    return kruskal_wallis(final_s, np.array([np.nan if side is None else side for side in sides], float))


def _adjustment(laps: Laps) -> float:
    return mean(laps.adjusted[laps.typed].astype(float))


def _settling(initial_s: Floats, final_s: Floats) -> KolmogorovSmirnov | None:
    from rig.analysis.common.statistics import kolmogorov_smirnov

    return kolmogorov_smirnov(initial_s, final_s)


def days(sessions: Sequence[Laps]) -> list[int]:
    """Return the number of each session among its subject's sessions, from 1, in the order of their names."""
    number: Counter[str] = Counter()
    found = {}
    for place in sorted(range(len(sessions)), key=lambda place: _in_order(sessions[place].name)):
        number[sessions[place].subject] += 1
        # By name, which is subject/date/number for recorded sessions: the order of days.
        found[place] = number[sessions[place].subject]
    return [found[place] for place in range(len(sessions))]


def _in_order(name: str) -> list[str]:
    """Return a name as a key by which R1/2 comes before R1/10."""
    return [part.zfill(12) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def _over_days(sessions: Sequence[Laps], final_s: Floats) -> KruskalWallis | None:
    from rig.analysis.common.statistics import kruskal_wallis

    return kruskal_wallis(final_s, np.array(days(sessions), float))


def _ratios(sessions: Sequence[Laps], settings: MazeSettings) -> Ratios:
    ratio = np.array([laps.ratio for laps in sessions], float)
    final_s = np.array([indifference(laps).in_force_s for laps in sessions], float)
    if not settings.fits:
        return Ratios(ratio, final_s, None, None)
    from rig.analysis.common.statistics import kruskal_wallis, line

    return Ratios(ratio, final_s, line(ratio, final_s), kruskal_wallis(final_s, ratio))
