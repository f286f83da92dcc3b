"""Two figures for every protocol: one session, and one subject over its days. Needs matplotlib."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from rig.analysis.common.arrays import Flags, Floats, Ints
from rig.analysis.common.intervals import wilson
from rig.analysis.common.style import (
    BLACK,
    BLUE,
    GREEN,
    ORANGE,
    PINK,
    RED,
    SKY,
    from_zero,
    grid_of_panels,
    legend_above,
    whole_ticks,
)
from rig.analysis.sessions.visits import AMOUNTS, SessionRecord
from rig.terminal.format import pluralize

WINDOW = 20
"""Trials in the moving average of rewarded trials."""

FEWEST_PLACES = 3
"""Fewest sessions on the axis of days, so that the bar of a single session does not fill the panel."""

MOST_OUTCOMES = 6
"""Most outcomes with their own color; rarer outcomes share the last."""

COLORS = {"rewarded": GREEN, "unrewarded": BLACK, "aborted": ORANGE, "omission": RED, "interrupted": PINK}
"""Colors of outcomes that many protocols have; green means rewarded in all figures."""

FURTHER_COLORS = (SKY, BLUE, PINK, ORANGE, RED, BLACK)
"""Colors of a protocol's other outcomes, in alphabetical order."""

FIRST = ("rewarded", "unrewarded")
OTHER = "other"
OTHER_COLOR = "0.6"

MOST_TICKS = 7
"""Labels that the pace has room for; of a longer range only powers of ten are labeled."""


@dataclass(frozen=True)
class OutcomeKind:
    """Outcomes drawn in one color: a single outcome, or all rare ones."""

    name: str
    members: frozenset[str]
    color: str


def figures(by_subject: Mapping[tuple[str, str], Sequence[SessionRecord]], drawn: int) -> Iterator[tuple[str, Figure]]:
    """Yield file name and figure of every subject in every protocol."""
    for (subject, protocol), own in by_subject.items():
        alike = [visit for (_, name), visits in by_subject.items() if name == protocol for visit in visits]
        kinds = kinds_of(alike)
        yield _file_name(f"{subject}_{protocol}_days"), days(own, kinds)
        for visit in own[len(own) - min(drawn, len(own)) :]:
            yield _file_name(f"{visit.name}_session"), glance(visit, kinds)


def _file_name(text: str) -> str:
    return re.sub(r"[^0-9A-Za-z._-]+", "_", text)


def glance(visit: SessionRecord, kinds: Sequence[OutcomeKind]) -> Figure:
    """Draw one session: trials by outcome, cumulative count, moving share of rewarded trials, and inter-trial time."""
    given = (
        ", ".join(f"{amount:g} {AMOUNTS[name]}" for name, amount in visit.given.items()) or "no amounts in the footer"
    )
    below = (
        f"{visit.start or 'start unknown'}; ended by {visit.reason or 'unknown (no footer)'} after "
        f"{visit.duration_s / 60:.1f} min; given: {given}\n"
        f"share of rewarded trials: last {WINDOW}, 95 % (Wilson); dots: time since the previous trial"
    )
    title = f"{visit.subject}, {visit.protocol}: {pluralize(visit.trials, 'trial')}"
    figure, (raster, total, share, pace) = grid_of_panels(title, below, 4, 1, (11, 9))
    minutes = visit.end_s / 60
    _raster(raster, visit, kinds)
    total.step(np.append(0, minutes), np.arange(visit.trials + 1), where="post", color=BLACK, label="trials")
    if visit.rewarded is not None:
        rewarded = np.append(0, np.cumsum(visit.rewarded))
        total.step(np.append(0, minutes), rewarded, where="post", color=GREEN, label="rewarded trials")
        _running(share, minutes, visit.rewarded)
    total.set(ylabel="cumulative count", ylim=(0, None))
    legend_above(total)
    share.set(ylabel="share rewarded", ylim=(0, 1))
    # From row to row, because every protocol has rows; initiation times need the columns of a paradigm.
    _pace(pace, minutes[1:], np.diff(visit.end_s))
    pace.set(ylabel="time between trials (s)", xlabel="time in the session (min)")
    for axes in (raster, total, share, pace):
        axes.set_xlim(0, max(visit.duration_s / 60, float(minutes.max(initial=0.0)), 1e-3))
    return figure


def _pace(axes: Axes, minutes: Floats, apart_s: Floats) -> None:
    """Draw the times between trials on a logarithmic axis."""
    some = apart_s > 0
    axes.plot(minutes[some], apart_s[some], ".", color=BLUE, ms=4)
    if some.any():
        ticks = log_ticks(float(apart_s[some].min()), float(apart_s[some].max()))
        axes.set_yscale("log")
        axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
        # matplotlib labels minor ticks of short logarithmic axes, which would overlap the labels set above.
        axes.yaxis.set_minor_locator(NullLocator())
        axes.set_ylim(ticks[0] / 1.1, ticks[-1] * 1.1)


def log_ticks(low: float, high: float) -> list[float]:
    """Return ticks 1, 2, 5, 10 ... that enclose the range; only powers of ten if there are more than ``MOST_TICKS``."""
    decades = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
    for steps in ((1, 2, 5), (1,)):
        every = [step * 10.0**decade for decade in decades for step in steps]
        first = max((at for at, each in enumerate(every) if each <= low), default=0)
        last = next(at for at, each in enumerate(every) if each >= high and at > first)
        found = every[first : last + 1]
        if len(found) <= MOST_TICKS:
            break
    return found


def _raster(axes: Axes, visit: SessionRecord, kinds: Sequence[OutcomeKind]) -> None:
    own = [kind for kind in kinds if kind.members.intersection(visit.outcome)]
    for index, kind in enumerate(own):
        at = [time / 60 for time, each in zip(visit.end_s, visit.outcome, strict=True) if each in kind.members]
        axes.vlines(at, index - 0.4, index + 0.4, color=kind.color, lw=0.8)
        axes.annotate(f" {len(at)}", (1, index), xycoords=("axes fraction", "data"), va="center", fontsize=8)
    axes.set_yticks(range(len(own)), [kind.name for kind in own])
    axes.set_ylim(max(len(own), 1) - 0.4, -0.6)


def kinds_of(visits: Sequence[SessionRecord]) -> list[OutcomeKind]:
    """Return the outcomes of a protocol's sessions with their colors, rewarded and unrewarded first, rare ones last.

    All sessions of a protocol use the same kinds, so an outcome has one color in all of its figures.
    """
    counts: dict[str, int] = {}
    for visit in visits:
        for name in visit.outcome:
            counts[name] = counts.get(name, 0) + 1
    # Rewarded and unrewarded always keep their colors, however rare they are in a session.
    frequent = sorted(counts, key=lambda name: (name not in FIRST, -counts[name]))
    kept = frequent if len(frequent) <= MOST_OUTCOMES else frequent[: MOST_OUTCOMES - 1]
    ordered = sorted(kept, key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name))
    free = iter([color for color in FURTHER_COLORS if color not in {COLORS.get(name) for name in kept}])
    kinds = [OutcomeKind(name or "trial", frozenset({name}), COLORS.get(name) or next(free)) for name in ordered]
    others = frozenset(counts) - frozenset(kept)
    return [*kinds, OutcomeKind(OTHER, others, OTHER_COLOR)] if others else kinds


def _running(axes: Axes, minutes: Floats, rewarded: Flags) -> None:
    so_far = np.append(0, np.cumsum(rewarded))
    last = np.arange(1, len(rewarded) + 1)
    first = np.maximum(last - WINDOW, 0)
    n = last - first
    p = (so_far[last] - so_far[first]) / np.maximum(n, 1)
    # Overlapping windows share trials, so the band is for one window, not for differences between windows.
    low, high = wilson(p, n)
    axes.fill_between(minutes, low, high, color=GREEN, alpha=0.2, lw=0)
    axes.plot(minutes, p, color=GREEN)


def days(visits: Sequence[SessionRecord], kinds: Sequence[OutcomeKind]) -> Figure:
    """Draw a subject's sessions in order of their start: trials by outcome, share rewarded, amounts, duration."""
    first = visits[0]
    starts = f"{first.start[:10] or '?'} to {visits[-1].start[:10] or '?'}"
    sessions = pluralize(len(visits), "session")
    below = f"n = {sessions}, {starts}, in order of their start; bars of the share: 95 % (Wilson)"
    title = f"{first.subject}, {first.protocol}: over days"
    figure, (trials, share, amount, length) = grid_of_panels(title, below, 4, 2, (12, 7.5))
    at = np.arange(1, len(visits) + 1)
    base = np.zeros(len(visits))
    for kind in kinds:
        counts = np.array([sum(each in kind.members for each in visit.outcome) for visit in visits], float)
        if counts.any():
            trials.bar(at, counts, bottom=base, color=kind.color, width=0.8, label=kind.name)
            base += counts
    legend_above(trials)
    trials.set(ylabel="trials")
    whole_ticks(trials.yaxis)
    n = np.array([visit.trials for visit in visits], float)
    known = np.array([visit.rewarded is not None for visit in visits]) & (n > 0)
    p = np.array([visit.rewarded_trials for visit in visits], float)[known] / n[known]
    low, high = wilson(p, n[known])
    share.errorbar(at[known], p, np.array([p - low, high - p]).clip(0), fmt="o-", color=GREEN, capsize=2)
    share.set(ylabel="share of rewarded trials")
    from_zero(share, 1)
    _amounts(amount, visits, at)
    length.plot(at, [visit.duration_s / 60 for visit in visits], "o-", color=BLACK)
    length.set(ylabel="duration (min)")
    from_zero(length)
    for axes in (trials, share, amount, length):
        axes.set_xlim(0.4, max(len(visits), FEWEST_PLACES) + 0.6)
        if len(visits) > FEWEST_PLACES:
            whole_ticks(axes.xaxis)
        else:
            axes.set_xticks(at)
    for axes in (amount, length):
        axes.set_xlabel("session")
    return figure


def _amounts(axes: Axes, visits: Sequence[SessionRecord], at: Ints) -> None:
    given = [name for name in AMOUNTS if any(name in visit.given for visit in visits)]
    for name, color in zip(given, (BLUE, ORANGE, PINK), strict=False):
        axes.plot(at, [visit.given.get(name, 0.0) for visit in visits], "o-", color=color, label=AMOUNTS[name])
    if len(given) > 1:
        legend_above(axes)
    axes.set(ylabel=f"given ({AMOUNTS[given[0]]})" if len(given) == 1 else "given")
    from_zero(axes)
