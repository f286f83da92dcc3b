"""Figures of vicarious trial and error, after those of Papale et al. 2012. Needs matplotlib."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from protocols.delay_discounting.analysis.count_axis import count_axis
from protocols.delay_discounting.analysis.phases import PHASES
from protocols.delay_discounting.analysis.results import MazeGroup
from protocols.delay_discounting.analysis.vte import BIN, Mean, Vte, VteCurve, VteSplit
from rig.analysis.common.style import BLACK, BLUE, GREEN, ORANGE, SKY, legend_above, row_of_panels, whole_ticks
from rig.terminal.format import pluralize

# A standard error needs two passes; from fewer than five it is uncertain by 40 % or more: such points are open.
FEWEST_SHOWN = 2
FEWEST_SURE = 5
KINDS = (("adjustment", ORANGE), ("alternation", BLUE))
PHASE_COLORS = dict(zip(PHASES, (SKY, ORANGE, GREEN), strict=True))


def vte_by_lap(group: MazeGroup, found: Vte) -> Figure:
    """Draw zIdPhi by lap of the session, of all laps and by type (after figure 6)."""
    return _by(group, found, "lap", found.by_lap, found.by_lap_bins)


def vte_by_delay(group: MazeGroup, found: Vte) -> Figure:
    """Draw zIdPhi by delay in force, of all laps and by type (after figure 7)."""
    return _by(group, found, "delay in force (s)", found.by_delay, found.by_delay_bins)


def _by(group: MazeGroup, found: Vte, label: str, single: VteSplit, binned: VteSplit) -> Figure:
    title = f"{group.name}: turning at the choice point by {label.partition(' ')[0]}"
    figure, (every, kinds, types) = row_of_panels(title, f"{_measured(found)}\nbars: s.e.m. over passes", 3, 14)
    shown = single.all.n >= FEWEST_SHOWN
    every.plot(single.all.position[shown], single.all.mean[shown], "o", ms=3, mfc="none", color=SKY)
    _curve(every, binned.all, BLACK, "all", (BIN - 1) / 2)
    for name, color in KINDS:
        _curve(kinds, getattr(binned, name), color, name, (BIN - 1) / 2)
    legend_above(kinds)
    for each in (every, kinds):
        each.set(xlabel=f"{label}; lines: bins of {BIN}", ylabel="zIdPhi")
        each.axhline(0, color="gray", lw=0.8)
    count_axis(every, single.all.position, single.all.n, "passes")
    _bars(types, {name: found.by_type[name] for name, _ in KINDS})
    return figure


def vte_by_phase(group: MazeGroup, found: Vte) -> Figure:
    """Draw zIdPhi by phase, by lap within each phase (figure 8a), and by phase and type of lap (figure 8b)."""
    bars = f"bars: s.e.m. over passes; phases by the sliding rule; open: fewer than {FEWEST_SURE} passes"
    title = f"{group.name}: turning at the choice point by phase"
    figure, (phases, laps, types) = row_of_panels(title, f"{_measured(found)}\n{bars}", 3, 15)
    _bars(phases, {name: found.by_phase[name] for name in PHASES})
    for name, color in PHASE_COLORS.items():
        _curve(laps, found.by_lap_in_phase[name], color, name, (BIN - 1) / 2)
    laps.axhline(0, color="gray", lw=0.8)
    laps.set(xlabel=f"lap of the session; bins of {BIN}", ylabel="zIdPhi")
    legend_above(laps)
    for aside, (kind, color) in zip((-0.1, 0.1), KINDS, strict=True):
        means = [found.by_phase_and_type[name][kind] for name in PHASES]
        at, value = np.arange(len(PHASES)) + aside, np.array([each.mean for each in means])
        types.errorbar(at, value, [each.sem for each in means], fmt="o-", ms=6, color=color, label=kind)
        for x, y, each in zip(at, value, means, strict=True):
            if np.isfinite(y):
                types.annotate(
                    str(each.n),
                    (x, y),
                    (4 if aside > 0 else -4, 5),
                    textcoords="offset points",
                    fontsize=7,
                    ha="left" if aside > 0 else "right",
                )
    types.axhline(0, color="gray", lw=0.8)
    types.set_xticks(range(len(PHASES)), PHASES)
    types.set(ylabel="zIdPhi", xlim=(-0.6, len(PHASES) - 0.4))
    legend_above(types)
    return figure


def vte_by_neighbors(group: MazeGroup, found: Vte) -> Figure:
    """Draw zIdPhi by type of lap and number of adjustment laps around it, for windows of 5, 11 and 15 (figure 9)."""
    below = f"{_measured(found)}\nbars: s.e.m. over passes; open: fewer than {FEWEST_SURE} passes"
    title = f"{group.name}: turning by adjustment laps around a lap"
    figure, axes = row_of_panels(title, below, len(found.neighborhoods), 14)
    for each, around in zip(axes, found.neighborhoods, strict=True):
        for name, color in KINDS:
            _curve(each, getattr(around, name), color, name)
        each.axhline(0, color="gray", lw=0.8)
        each.set(xlabel=f"other adjustment laps, {around.reach} before to {around.reach} after", ylabel="zIdPhi")
        whole_ticks(each.xaxis)
        legend_above(each)
    return figure


def _measured(found: Vte) -> str:
    sessions, out = pluralize(found.sessions, "session"), pluralize(found.left_out, "lap")
    return f"n = {found.passes} passes in {sessions}; {out} excluded"


def _curve(axes: Axes, curve: VteCurve, color: str, label: str, middle: float = 0) -> None:
    shown = curve.n >= FEWEST_SHOWN
    at = (curve.position + middle)[shown]
    axes.errorbar(at, curve.mean[shown], curve.sem[shown], fmt="o-", ms=5, color=color, label=label)
    few = shown & (curve.n < FEWEST_SURE)
    axes.plot((curve.position + middle)[few], curve.mean[few], "o", ms=5, mfc="white", mec=color, zorder=3)


def _bars(axes: Axes, means: dict[str, Mean]) -> None:
    place = np.arange(len(means))
    axes.bar(
        place,
        [each.mean for each in means.values()],
        yerr=[each.sem for each in means.values()],
        color=SKY,
        width=0.6,
        error_kw={"lw": 1},
    )
    axes.axhline(0, color="gray", lw=0.8)
    axes.set_xticks(place, [f"{name}\n{each.n}" for name, each in means.items()])
    axes.set(ylabel="zIdPhi")
