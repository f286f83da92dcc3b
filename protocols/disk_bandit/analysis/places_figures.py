"""Theta by location as stars, after figure 7 of Racey et al. 2011. Needs matplotlib and scipy."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from protocols.disk_bandit.analysis.density import AROUND
from protocols.disk_bandit.analysis.few_pecks import FEWEST_SURE
from protocols.disk_bandit.analysis.places import Places
from protocols.disk_bandit.analysis.results import DiskGroup
from protocols.disk_bandit.analysis.share_models import ShareModel, ShareModels
from rig.analysis.common.arrays import Flags, Floats
from rig.analysis.common.style import BLACK, BLUE, ORANGE, grid_of_panels

MOST_STARS = 23
COLUMNS = 6

BETWEEN_SPOKES = np.array([np.sin(np.pi / 8), np.cos(np.pi / 8)])
"""Direction of the labels of circles: right of the top, between two locations."""

LEVEL: dict[str, Any] = {
    "fontsize": 6,
    "color": "0.4",
    "ha": "center",
    "va": "center",
    "zorder": 4,
    "bbox": {"fc": "white", "ec": "none", "pad": 0.6, "alpha": 0.85},
}


def star(group: DiskGroup, found: Places, models: ShareModels | None, who: str) -> Figure:
    """Draw theta by location, in the direction of the location on the ring, for each subject and for all."""
    several = len(found.subjects) > 1
    stars = [
        (name, own, found.own_n[place] >= FEWEST_SURE, BLUE)
        for place, (name, own) in enumerate(zip(found.subjects, found.own, strict=True))
        if np.isfinite(own).any()
    ][:MOST_STARS]
    everyone = ("all subjects" if several else "block and place", found.theta, np.isfinite(found.theta), BLACK)
    stars = [*stars, everyone]
    all_thetas = np.concatenate([each[1] for each in stars])
    low = min(0.0, float(np.nanmin(all_thetas)))
    high = float(np.nanmax(all_thetas))
    columns = min(COLUMNS, len(stars)) if len(stars) <= COLUMNS else -(-len(stars) // (-(-len(stars) // COLUMNS)))
    rows = -(-len(stars) // columns)
    below = f"{who}\n{_compared(models)}\nopen: fewer than {FEWEST_SURE} pecks at the location; top of the screen is up"
    size = (max(7.5, 2.9 * columns), 1.6 + 2.7 * rows)
    figure, axes = grid_of_panels(f"{group.name}: θ by location", below, len(stars), columns, size)
    for each, (name, theta, sure, color) in zip(axes, stars, strict=True):
        _star(each, theta, sure, (low, high), color)
        each.set_title(name, fontsize=10)
    return figure


def _star(axes: Axes, theta: Floats, sure: Flags, reach: tuple[float, float], color: str) -> None:
    """Draw one star; its middle is the lowest theta, its tips reach the highest."""
    low, high = reach
    span = (high - low) or 1.0
    for level in _levels(low, high):
        zero = level == 0 and low < 0
        axes.add_patch(Circle((0, 0), level - low, fill=False, ec=ORANGE if zero else "0.85", lw=0.8))
        right, up = (level - low) * BETWEEN_SPOKES
        axes.text(right, up, f"{level:g}", **LEVEL)
    for out in AROUND:
        axes.plot([0, span * out[0]], [0, span * out[1]], "-", color="0.85", lw=0.8, zorder=0)
    known = np.isfinite(theta)
    tips = AROUND * np.where(known, theta - low, 0)[:, None]
    drawn = tips[known]
    axes.plot(*np.vstack([drawn, drawn[:1]]).T, "-", color=color, lw=1.2)
    for which, face in ((known & sure, color), (known & ~sure, "white")):
        axes.plot(*tips[which].T, "o", ms=4, mfc=face, mec=color)
    axes.set_aspect("equal")
    reach_of_axes = 1.12 * span
    axes.set(xlim=(-reach_of_axes, reach_of_axes), ylim=(-reach_of_axes, reach_of_axes))
    axes.axis("off")


def _levels(low: float, high: float) -> list[float]:
    """Return round values of theta for two to four circles."""
    step = 10.0 ** np.floor(np.log10((high - low) or 1.0))
    while (high - low) / step < 2:
        step /= 2
    while (high - low) / step > 4:
        step *= 2
    return [round(float(level), 6) + 0.0 for level in np.arange(np.ceil(low / step) * step, high + step / 2, step)]


def _compared(models: ShareModels | None) -> str:
    if models is None:
        return "no model of the shares"
    compared = {
        "block": models.block,
        "block and place": models.block_and_place,
        "block by place": models.block_by_place,
    }
    return "BIC of the shares, θ by " + "; ".join(f"{name}: {_bic(model)}" for name, model in compared.items())


def _bic(model: ShareModel | None) -> str:
    return "-" if model is None else f"{model.explained.bic:.0f} (R² {model.explained.r2:.2f})"
