"""Axes shared by the figures of the maze. Needs matplotlib."""

from __future__ import annotations

from matplotlib.axes import Axes

from rig.analysis.common.arrays import Ints

COUNT_GRAY = "0.6"


def count_axis(axes: Axes, position: Ints, n: Ints, what: str) -> None:
    """Draw the number of values at each position on a right axis, behind the panel; nothing if all are equal."""
    # Late laps have few sessions: without the number a curve looks as certain at its end as at its start.
    if n.size == 0 or n.min() == n.max():
        return
    right = axes.twinx()
    right.step(position, n, where="mid", color=COUNT_GRAY, lw=0.9)
    right.set_ylim(0, 1.05 * float(n.max()))
    right.set_ylabel(what, color=COUNT_GRAY)
    right.tick_params(axis="y", colors=COUNT_GRAY)
    right.spines[["top", "left", "bottom"]].set_visible(False)
    right.spines["right"].set_color(COUNT_GRAY)
    axes.set_zorder(right.get_zorder() + 1)
    axes.patch.set_visible(False)
