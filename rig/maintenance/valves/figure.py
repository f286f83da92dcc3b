"""The figure of a valve's curve. Needs matplotlib."""

from __future__ import annotations

from pathlib import Path

from rig.analysis.common.style import BLUE, OBSERVED, ORANGE, from_zero, row_of_panels, save
from rig.maintenance.valves.curve import Curve


def save_curve(path: Path, name: str, curve: Curve) -> Path:
    """Write the curve and the residuals of its bursts as PNG. Raises ``RecordError``."""
    below = f"drift from the first burst to the last one {curve.drift_pct:+.1f} %"
    figure, (volumes, residuals) = row_of_panels(name, below, 2, 9)
    trusted = curve.trusted
    volumes.plot([p.open_us / 1000 for p in curve.points], [p.ul for p in curve.points], color=ORANGE, zorder=1)
    volumes.errorbar(
        [p.open_us / 1000 for p in trusted],
        [p.ul for p in trusted],
        yerr=[p.ul * p.uncertainty_pct / 100 for p in trusted],
        fmt="o",
        color=OBSERVED,
        capsize=3,
    )
    volumes.set(xlabel="open time (ms)", ylabel="volume of a drop (µl)", xlim=(0, None))
    from_zero(volumes)
    residuals.axhline(0, color=OBSERVED, linewidth=0.8)
    residuals.plot(range(1, len(curve.residuals_pct) + 1), curve.residuals_pct, "o", color=BLUE)
    residuals.set(xlabel="burst, in the order of giving", ylabel="deviation from the curve (%)")
    return save(figure, path)
