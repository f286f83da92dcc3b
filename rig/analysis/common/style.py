"""How figures look: colors that everybody can tell apart, and below who was measured. Needs matplotlib."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import MaxNLocator

from rig.system.atomic_files import write_atomic

DOTS_PER_INCH = 150

BLACK, ORANGE, SKY, GREEN, BLUE, RED, PINK = "#000000", "#E69F00", "#56B4E9", "#009E73", "#0072B2", "#D55E00", "#CC79A7"
"""Palette of Okabe and Ito (2008), distinguishable with every kind of color vision."""

OBSERVED = BLACK


def row_of_panels(title: str, below: str, count: int, width: float) -> tuple[Figure, list[Axes]]:
    """Build a row of panels with a title above and a caption below; ``width`` in inches."""
    return grid_of_panels(title, below, count, count, (width, 4.4))


def grid_of_panels(
    title: str, below: str, count: int, columns: int, size: tuple[float, float]
) -> tuple[Figure, list[Axes]]:
    """Build a grid of ``count`` panels with a title above and a caption below; ``size`` in inches."""
    layout = ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.1)
    figure = Figure(figsize=size, layout=layout)
    figure.suptitle(title, fontsize=12)
    axes = list(figure.subplots(-(-count // columns), columns, squeeze=False).flat)
    for spare in axes[count:]:
        spare.remove()
    axes = axes[:count]
    for each in axes:
        each.spines[["top", "right"]].set_visible(False)
    figure.supxlabel(below, fontsize=8)
    return figure, axes


def legend_above(axes: Axes, columns: int | None = None) -> None:
    """Draw the legend above a panel, in one row or in ``columns``; inside it could cover data."""
    count = len(axes.get_legend_handles_labels()[0])
    if count:
        axes.legend(fontsize=8, frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=columns or count)


def from_zero(axes: Axes, top: float | None = None) -> None:
    """Set the y axis from 0 to ``top``, or to the highest value drawn, with room for markers at both ends."""
    highest = float(axes.dataLim.y1) if top is None else top
    if not (math.isfinite(highest) and highest > 0):
        highest = 1.0
    axes.set_ylim(-0.03 * highest, 1.04 * highest)


def whole_ticks(axis: Axis) -> None:
    """Set ticks at whole numbers only, for counts."""
    axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))


def save(figure: Figure, path: Path) -> Path:
    """Write a figure as PNG. Raises ``RecordError``."""
    image = io.BytesIO()
    # Into memory first: a full disk then cannot leave half a file.
    figure.savefig(image, dpi=DOTS_PER_INCH, format="png")
    return write_atomic(path, image.getvalue())


def save_all(figures: Iterable[tuple[str, Figure]], folder: Path) -> list[Path]:
    """Write figures as PNG into a folder, by their names; return their paths. Raises ``RecordError``."""
    return [save(figure, folder / f"{name}.png") for name, figure in figures]
