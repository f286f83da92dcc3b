"""Two figures for every protocol: a session at a glance, and a subject over its days. Needs matplotlib."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from rig.analysis.common.arrays import Flags, Floats, Ints
from rig.analysis.common.intervals import wilson
from rig.analysis.common.style import BLACK, BLUE, GREEN, ORANGE, PINK, RED, SKY, grid_of_panels, legend_above
from rig.analysis.sessions.visits import AMOUNTS, Visit

WINDOW = 20
"""Trials of the running share of rewarded ones."""

MOST_OUTCOMES = 6
"""Outcomes that have a color; rarer ones share the last."""

COLOURS = (GREEN, BLACK, ORANGE, RED, SKY, PINK)
FIRST = ("rewarded", "unrewarded")
OTHER = "other"


def figures(by_subject: Mapping[tuple[str, str], Sequence[Visit]], drawn: int) -> Iterator[tuple[str, Figure]]:
    """Yield the figures of every subject in every protocol, by the names of their files."""
    for (subject, protocol), own in by_subject.items():
        yield _file_name(f"{subject}_{protocol}_days"), days(own)
        for visit in own[len(own) - min(drawn, len(own)) :]:
            yield _file_name(f"{visit.name}_session"), glance(visit)


def _file_name(text: str) -> str:
    return re.sub(r"[^0-9A-Za-z._-]+", "_", text)


def glance(visit: Visit) -> Figure:
    """Draw one session: each trial by its outcome, the running count, the share rewarded, and the pace."""
    given = ", ".join(f"{amount:g} {AMOUNTS[name]}" for name, amount in visit.given.items()) or "nothing noted"
    below = (
        f"{visit.start or 'start unknown'}; ended by {visit.reason or 'nothing: no footer'} after "
        f"{visit.duration_s / 60:.1f} min; given: {given}\n"
        f"share of rewarded trials: the last {WINDOW}, with 95 % (Wilson); dots: time since the trial before"
    )
    title = f"{visit.subject}, {visit.protocol}: {visit.trials} trials"
    figure, (raster, counted, share, pace) = grid_of_panels(title, below, 4, 1, (11, 9))
    minutes = visit.end_s / 60
    _raster(raster, visit)
    counted.step(np.append(0, minutes), np.arange(visit.trials + 1), where="post", color=BLACK, label="trials")
    if visit.rewarded is not None:
        rewarded = np.append(0, np.cumsum(visit.rewarded))
        counted.step(np.append(0, minutes), rewarded, where="post", color=GREEN, label="rewarded trials")
        _running(share, minutes, visit.rewarded)
    counted.set(ylabel="so far", ylim=(0, None))
    legend_above(counted)
    share.set(ylabel="share rewarded", ylim=(0, 1))
    if visit.trials > 1:
        pace.plot(minutes[1:], np.diff(visit.end_s), ".", color=BLUE, ms=4)
        pace.set_yscale("log")
        plain = FuncFormatter(lambda value, _: f"{value:g}")
        pace.yaxis.set(major_formatter=plain, minor_formatter=plain)
    pace.set(ylabel="from trial to trial (s)", xlabel="time in the session (min)")
    for axes in (raster, counted, share, pace):
        axes.set_xlim(0, max(visit.duration_s / 60, float(minutes.max(initial=0.0)), 1e-3))
    return figure


def _raster(axes: Axes, visit: Visit) -> None:
    groups = _groups([visit])
    for place, members in enumerate(groups.values()):
        at = [time / 60 for time, each in zip(visit.end_s, visit.outcome, strict=True) if each in members]
        axes.vlines(at, place - 0.4, place + 0.4, color=COLOURS[place], lw=0.8)
        axes.annotate(f" {len(at)}", (1, place), xycoords=("axes fraction", "data"), va="center", fontsize=8)
    axes.set_yticks(range(len(groups)), list(groups))
    axes.set_ylim(max(len(groups), 1) - 0.4, -0.6)


def _groups(visits: Sequence[Visit]) -> dict[str, set[str]]:
    """Return the outcomes that are drawn by themselves, the usual ones first, and the others together."""
    counts: dict[str, int] = {}
    for visit in visits:
        for name in visit.outcome:
            counts[name] = counts.get(name, 0) + 1
    frequent = sorted(counts, key=lambda name: (name not in FIRST, -counts[name]))
    kept = frequent if len(frequent) <= MOST_OUTCOMES else frequent[: MOST_OUTCOMES - 1]
    ordered = sorted(kept, key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name))
    others = {OTHER: set(counts) - set(kept)} if len(kept) < len(frequent) else {}
    return {**{name or "trial": {name} for name in ordered}, **others}


def _running(axes: Axes, minutes: Floats, rewarded: Flags) -> None:
    so_far = np.append(0, np.cumsum(rewarded))
    last = np.arange(1, len(rewarded) + 1)
    first = np.maximum(last - WINDOW, 0)
    n = last - first
    p = (so_far[last] - so_far[first]) / np.maximum(n, 1)
    low, high = wilson(p, n)
    axes.fill_between(minutes, low, high, color=GREEN, alpha=0.2, lw=0)
    axes.plot(minutes, p, color=GREEN)


def days(visits: Sequence[Visit]) -> Figure:
    """Draw a subject's sessions in the order in which they began: trials by outcome, share rewarded, amounts."""
    first = visits[0]
    starts = f"{first.start[:10] or '?'} to {visits[-1].start[:10] or '?'}"
    below = f"n = {len(visits)} sessions, {starts}, in the order in which they began; bars of the share: 95 % (Wilson)"
    title = f"{first.subject}, {first.protocol}: over days"
    figure, (trials, share, amount, length) = grid_of_panels(title, below, 4, 2, (12, 7.5))
    at = np.arange(1, len(visits) + 1)
    base = np.zeros(len(visits))
    for (name, members), colour in zip(_groups(visits).items(), COLOURS, strict=False):
        counts = np.array([sum(each in members for each in visit.outcome) for visit in visits], float)
        trials.bar(at, counts, bottom=base, color=colour, width=0.8, label=name)
        base += counts
    legend_above(trials)
    trials.set(ylabel="trials")
    n = np.array([visit.trials for visit in visits], float)
    told = np.array([visit.rewarded is not None for visit in visits]) & (n > 0)
    p = np.array([visit.rewarded_trials for visit in visits], float)[told] / n[told]
    low, high = wilson(p, n[told])
    share.errorbar(at[told], p, np.array([p - low, high - p]).clip(0), fmt="o-", color=GREEN, capsize=2)
    share.set(ylabel="share of rewarded trials", ylim=(0, 1))
    _amounts(amount, visits, at)
    length.plot(at, [visit.duration_s / 60 for visit in visits], "o-", color=BLACK)
    length.set(ylabel="duration (min)", ylim=(0, 1.1 * max(1e-3, *(visit.duration_s / 60 for visit in visits))))
    for axes in (trials, share, amount, length):
        axes.set_xlim(0.4, len(visits) + 0.6)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    for axes in (amount, length):
        axes.set_xlabel("session")
    return figure


def _amounts(axes: Axes, visits: Sequence[Visit], at: Ints) -> None:
    given = [name for name in AMOUNTS if any(name in visit.given for visit in visits)]
    for name, colour in zip(given, (BLUE, ORANGE, PINK), strict=False):
        axes.plot(at, [visit.given.get(name, 0.0) for visit in visits], "o-", color=colour, label=AMOUNTS[name])
    if len(given) > 1:
        legend_above(axes)
    axes.set(ylabel=f"given ({AMOUNTS[given[0]]})" if len(given) == 1 else "given", ylim=(0, None))
