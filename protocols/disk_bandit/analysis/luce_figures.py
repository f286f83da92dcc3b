"""Figures of Luce's theta, after those of Racey et al. 2011. Needs matplotlib and scipy."""

from __future__ import annotations

import math
from textwrap import fill
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from protocols.disk_bandit.analysis.few_pecks import FEWEST_SURE
from protocols.disk_bandit.analysis.results import DiskGroup
from protocols.disk_bandit.analysis.thetas import CarryOver, Coefficient, Thetas
from rig.analysis.common.style import BLACK, BLUE, GREEN, ORANGE, from_zero, legend_above, row_of_panels, whole_ticks

MIDDLE: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 9}


def luce(group: DiskGroup, found: Thetas, who: str) -> Figure:
    """Draw theta and the relative number of pecks by block."""
    over = "; mean of subjects: s.e.m." if group.subjects > 1 else ""
    below = f"{who}\nbars: the larger s.e., of independent pecks or of independent sessions (three or more){over}"
    figure, (theta, rate) = row_of_panels(f"{group.name}: Luce's θ", below, 2, 11)
    _draw_theta(theta, group, found)
    _draw_rate(rate, group)
    return figure


def _draw_theta(axes: Axes, group: DiskGroup, found: Thetas) -> None:
    course(axes, found.by_block, BLUE, "all pecks", -0.1)
    if group.subjects > 1:
        means = found.by_block.by_subject
        mean, sem = np.array([block.mean for block in means]), np.nan_to_num([block.sem for block in means])
        axes.errorbar(found.by_block.block, mean, sem, fmt="s", ms=4, mfc="none", color=BLACK, label="mean of subjects")
    if found.locations is not None:
        beside = found.locations
        axes.errorbar(
            beside.block + 0.1,
            beside.theta,
            np.nan_to_num(np.maximum(beside.se, beside.robust_se)),
            fmt="^:",
            ms=4,
            color=ORANGE,
            label="with locations",
        )
    if not found.by_block.fitted.size:
        axes.text(
            0.5,
            0.5,
            fill(f"θ {found.refused.get('theta', 'has no value in any block')}", 40),
            transform=axes.transAxes,
            **MIDDLE,
        )
        axes.set_yticks([])
    _by_block(axes, group, "θ")


def _draw_rate(axes: Axes, group: DiskGroup) -> None:
    axes.plot(group.course.block, group.course.rate, "o-", ms=4, color=BLUE, label="all sessions")
    axes.plot(
        group.course.block,
        group.course.rate_where_any,
        "s:",
        ms=8,
        mfc="none",
        color=BLACK,
        label="sessions with pecks in the block",
    )
    _by_block(axes, group, "pecks, relative to the highest")
    from_zero(axes, 1)


def carried_over(group: DiskGroup, found: CarryOver, who: str) -> Figure:
    """Draw the weights of the intervals of this session and of the previous one by block."""
    below = f"{who}; {found.sessions} sessions with a known previous session\nbars: the larger s.e."
    figure, (axes,) = row_of_panels(f"{group.name}: intervals of this and the previous session", below, 1, 7)
    course(axes, found.current, BLUE, "this session", -0.08)
    course(axes, found.previous, ORANGE, "previous session", 0.08)
    axes.axhline(0, color="gray", lw=0.8)
    _by_block(axes, group, "weight of ln(1/VI)")
    return figure


def theta_by_number(group: DiskGroup, found: Thetas, who: str) -> Figure:
    """Draw theta by block in a person's first, second, … session (after figure 10)."""
    below = f"{who}\nbars: the larger s.e., of independent pecks or of independent sessions (three or more)"
    figure, (by_block, overall) = row_of_panels(f"{group.name}: Luce's θ by session", below, 2, 12)
    colors = mpl.colormaps["viridis"](np.linspace(0, 0.85, len(found.by_number)))
    for (name, own), color in zip(found.by_number.items(), colors, strict=True):
        by_block.plot(own.block, own.value, "o-", ms=3, lw=1.2, color=color, label=name)
    _by_block(by_block, group, "θ")
    course(overall, found.by_block, GREEN, "all sessions", 0)
    _by_block(overall, group, "θ")
    overall.set_ylim(by_block.get_ylim())
    return figure


def course(axes: Axes, found: Coefficient, color: str, label: str, aside: float) -> None:
    """Draw a coefficient by block; missing values are gaps, values from few pecks are open."""
    # Pecks come in bouts, so errors for independent pecks are too small; with few sessions the robust ones are.
    bars = np.nan_to_num(np.maximum(found.se, found.robust_se))
    axes.errorbar(found.block + aside, found.value, bars, fmt="o-", ms=4, lw=1.2, color=color, label=label)
    few = found.n < FEWEST_SURE
    axes.plot((found.block + aside)[few], found.value[few], "o", ms=4, mfc="white", mec=color, zorder=3)


def block_label(group: DiskGroup) -> str:
    """Return the label of the axis of blocks, with their length if it is known."""
    return "block" if math.isnan(group.block_s) else f"block of {group.block_s:g} s"


def _by_block(axes: Axes, group: DiskGroup, label: str) -> None:
    axes.set(xlabel=block_label(group), ylabel=label, xlim=(0.5, group.course.block[-1] + 0.5))
    whole_ticks(axes.xaxis)
    low, high = axes.get_ylim()
    axes.set_ylim(min(0.0, low), max(0.0, high))
    legend_above(axes)
