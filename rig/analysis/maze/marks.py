"""Marks that the figures of the maze share. Needs matplotlib."""

from __future__ import annotations

from matplotlib.axes import Axes

from rig.analysis.common.arrays import Ints

COUNT_GREY = "0.6"


def count_axis(axes: Axes, position: Ints, n: Ints, what: str) -> None:
    """Draw how many values each position has against an axis on the right, if they are not equally many everywhere.

    Late laps have few sessions: without their number a curve looks as sure at its end as at its beginning. The line is
    behind the panel's own lines.
    """
    if n.size == 0 or n.min() == n.max():
        return
    right = axes.twinx()
    right.step(position, n, where="mid", color=COUNT_GREY, lw=0.9)
    right.set_ylim(0, 1.05 * float(n.max()))
    right.set_ylabel(what, color=COUNT_GREY)
    right.tick_params(axis="y", colors=COUNT_GREY)
    right.spines[["top", "left", "bottom"]].set_visible(False)
    right.spines["right"].set_color(COUNT_GREY)
    axes.set_zorder(right.get_zorder() + 1)
    axes.patch.set_visible(False)
