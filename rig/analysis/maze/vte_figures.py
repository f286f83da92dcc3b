"""Figures of vicarious trial and error, after those of Papale et al. 2012. Needs matplotlib."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rig.analysis.common.style import BLACK, BLUE, ORANGE, SKY, legend_above, row_of_panels
from rig.analysis.maze.phases import PHASES
from rig.analysis.maze.report import Group
from rig.analysis.maze.vte import BIN, NEIGHBOURS, Curve, Mean, Split, Vte

FEWEST_SHOWN = 2
KINDS = (("adjustment", ORANGE), ("alternation", BLUE))


def vte_by_lap(group: Group, found: Vte) -> Figure:
    """Draw zIdPhi over the session, of all laps and by their type (after figure 6)."""
    return _by(group, found, "lap", found.by_lap, found.by_lap_bins)


def vte_by_delay(group: Group, found: Vte) -> Figure:
    """Draw zIdPhi over the delay in force, of all laps and by their type (after figure 7)."""
    return _by(group, found, "delay in force (s)", found.by_delay, found.by_delay_bins)


def _by(group: Group, found: Vte, label: str, single: Split, binned: Split) -> Figure:
    title = f"{group.name}: turning at the choice point by {label.partition(' ')[0]}"
    figure, (every, kinds, types) = row_of_panels(title, f"{_measured(found)}\nbars: s.e.m. over passes", 3, 14)
    shown = single.all.n >= FEWEST_SHOWN
    every.plot(single.all.position[shown], single.all.mean[shown], "o", ms=3, mfc="none", color=SKY)
    _curve(every, binned.all, BLACK, "all", (BIN - 1) / 2)
    for name, colour in KINDS:
        _curve(kinds, getattr(binned, name), colour, name, (BIN - 1) / 2)
    legend_above(kinds)
    for each in (every, kinds):
        each.set(xlabel=f"{label}; joined: bins of {BIN}", ylabel="zIdPhi")
        each.axhline(0, color="grey", lw=0.8)
    _bars(types, {name: found.by_type[name] for name, _ in KINDS})
    return figure


def vte_by_phase(group: Group, found: Vte) -> Figure:
    """Draw zIdPhi by phase, and of adjustment laps by how alone they stand (after figures 8 and 9)."""
    below = f"{_measured(found)}\nbars: s.e.m. over passes; phases by the sliding rule"
    figure, (phases, alone) = row_of_panels(f"{group.name}: turning at the choice point by phase", below, 2, 10)
    _bars(phases, {name: found.by_phase[name] for name in PHASES})
    _curve(alone, found.isolation, ORANGE, "adjustment")
    alone.axhline(0, color="grey", lw=0.8)
    alone.set(
        xlabel=f"other adjustment laps among {NEIGHBOURS} before and {NEIGHBOURS} after", ylabel="zIdPhi, adjustment"
    )
    return figure


def _measured(found: Vte) -> str:
    return f"n = {found.passes} passes in {found.sessions} sessions; {found.left_out} laps left out"


def _curve(axes: Axes, curve: Curve, colour: str, label: str, middle: float = 0) -> None:
    shown = curve.n >= FEWEST_SHOWN
    at = (curve.position + middle)[shown]
    axes.errorbar(at, curve.mean[shown], curve.sem[shown], fmt="o-", ms=5, color=colour, label=label)


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
    axes.axhline(0, color="grey", lw=0.8)
    axes.set_xticks(place, [f"{name}\n{each.n}" for name, each in means.items()])
    axes.set(ylabel="zIdPhi")
