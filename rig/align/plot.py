"""A figure of an alignment: how far each recorded edge is from the mapping, and the gaps. Needs matplotlib."""

from __future__ import annotations

from pathlib import Path

from matplotlib.figure import Figure

from rig.align.alignment import Alignment
from rig.align.gaps import BRIDGED
from rig.analysis.common.style import BLUE, ORANGE, SKY, row_of_panels, save

_MOST_POINTS = 20_000


def save_residuals(found: Alignment, path: Path) -> Path:
    """Draw the residuals over the session's time, and write them as PNG. Raises ``RecordError``."""
    return save(residuals_figure(found), path)


def residuals_figure(found: Alignment) -> Figure:
    """Draw the residuals, the largest of which are always among the points that are drawn."""
    name = found.mapping.name
    figure, (axes,) = row_of_panels(f"Residuals of {name}", f"{found.matched} edges, by {found.how}", 1, 9)
    every = max(1, len(found.matched_us) // _MOST_POINTS)
    largest = abs(found.residuals_us) > found.residuals.p99_us
    chosen = largest.copy()
    chosen[::every] = True
    axes.plot(found.matched_us[chosen] / 60e6, found.residuals_us[chosen], ".", color=BLUE, markersize=2)
    for gap in found.gaps:
        color = SKY if gap.why == BRIDGED else ORANGE
        axes.axvspan(gap.from_us / 60e6, gap.to_us / 60e6, color=color, alpha=0.5, linewidth=1)
    axes.axhline(0, color="black", linewidth=0.5)
    axes.set_xlabel("time of the session (min)")
    axes.set_ylabel("recorded edge - mapping (µs)")
    return figure
