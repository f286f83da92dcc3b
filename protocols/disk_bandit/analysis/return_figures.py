"""Returns to a disk after its reward, after figure 6 of Racey et al. 2011. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from protocols.disk_bandit.analysis.results import DiskGroup
from protocols.disk_bandit.analysis.returns import Return
from rig.analysis.common.intervals import bars
from rig.analysis.common.style import BLACK, from_zero, row_of_panels

FEWEST_OF_A_STEP = 10


def returns(group: DiskGroup, subjects: Sequence[int], who: str) -> Figure:
    """Draw the share of pecks on a disk by the time since its last reward: of all pecks, and of these subjects."""
    own = f"; colors: {'each subject' if len(subjects) == group.subjects else 'some subjects'}" if subjects else ""
    hopper = f"; shaded: hopper up, {group.hopper_s:g} s" if np.isfinite(group.hopper_s) else ""
    points = f"points of {FEWEST_OF_A_STEP} pecks or more; lines: smoothing splines; dotted: P(disk){hopper}"
    below = f"{who}\nblack: all pecks, with 95 % (Wilson){own}\n{points}"
    figure, axes = row_of_panels(f"{group.name}: return to a rewarded disk", below, len(group.returns), 14)
    for each, found in zip(axes, group.returns, strict=True):
        if np.isfinite(group.hopper_s):
            each.axvspan(0, group.hopper_s, color="0.9", lw=0)
        _draw_points(each, group, found, subjects)
        # The dotted line is the share without regard to time, so a dip after reward shows as a value below it.
        level = group.shares.p_disk.pooled[group.shares.pays == found.vi_s]
        each.axhline(float(level[0]), color="gray", ls=":", lw=1)
        step = found.since_s[0]
        each.set(
            xlabel="time since its last reward (s)",
            ylabel="P(peck on the disk)",
            xlim=(0, found.since_s[-1] + step),
        )
        each.set_title(f"VI {found.vi_s:g} s, {found.n.sum()} pecks", fontsize=10)
    # Without scipy there are no splines.
    for each, spline in zip(axes, group.return_splines, strict=False):
        for subject, color in zip(subjects, _colors(len(subjects)), strict=True):
            each.plot(spline.since_s, spline.own[subject], "-", lw=0.9, color=color)
        each.plot(spline.since_s, spline.share, "-", lw=1.4, color=BLACK)
    for each in axes:
        from_zero(each)
    if subjects:
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside right center", fontsize=8, frameon=False)
    return figure


def _draw_points(axes: Axes, group: DiskGroup, found: Return, subjects: Sequence[int]) -> None:
    for subject, color in zip(subjects, _colors(len(subjects)), strict=True):
        enough = found.own_n[subject] >= FEWEST_OF_A_STEP
        share = np.where(enough, found.own[subject], np.nan)
        axes.plot(found.since_s, share, "o", ms=3, color=color, label=group.shares.subjects[subject])
    enough = found.n >= FEWEST_OF_A_STEP
    reach = bars(found.share[enough], found.n[enough])
    axes.errorbar(found.since_s[enough], found.share[enough], reach, fmt="o", ms=4, lw=1.4, color=BLACK)


def _colors(count: int) -> Sequence[tuple[float, ...]]:
    return [tuple(color) for color in mpl.colormaps["turbo"](np.linspace(0.08, 0.92, count))]
