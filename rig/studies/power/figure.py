"""The figure of a power analysis. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rig.analysis.common.style import (
    BLACK,
    BLUE,
    GREEN,
    ORANGE,
    PINK,
    RED,
    SKY,
    legend_above,
    row_of_panels,
    whole_ticks,
)
from rig.studies.power.result import TARGETS, Design, PowerResult, Rate
from rig.studies.power.tables import per_group, test_text
from rig.terminal.format import pluralize

_COLORS = (BLUE, ORANGE, GREEN, PINK, SKY, RED, BLACK)
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
"""Each line also has a marker of its own, for prints without color."""
_LEGEND_COLUMNS = 3
_NARROW = 0.012
"""Shift of the lines of false alarms, as a part of the number of subjects: their bars would cover each other."""


def figure(result: PowerResult) -> Figure:
    """Return power and false-alarm rate over the number of subjects, a line for each number of sessions."""
    title = f"{result.statistic}: {result.effect} against {result.baseline}"
    below = (
        f"{result.experiments} simulated experiments for each point; {test_text(result)}; level {result.alpha:g}; "
        "bands and bars: 95 % intervals"
    )
    drawn, (power, alarms) = row_of_panels(title, below, 2, 11)
    for index, (sessions, color, marker) in enumerate(zip(result.sessions, cycle(_COLORS), cycle(_MARKERS))):
        label = pluralize(sessions, "session")
        designs = result.designs_with(sessions)
        _draw_power(power, designs, color, marker, label)
        shift = 1 + _NARROW * (index - (len(result.sessions) - 1) / 2)
        _draw_alarms(alarms, designs, color, marker, label, shift)
    for target in TARGETS:
        power.axhline(100 * target, color=BLACK, linewidth=0.8, linestyle="--", zorder=0)
    alarms.axhline(100 * result.alpha, color=BLACK, linewidth=0.8, linestyle="--", zorder=0)
    power.set(ylabel="power (%)", ylim=(-2, 102), yticks=[0, 20, 40, 60, 80, 90, 100])
    alarms.set(ylabel="false alarms without an effect (%)", ylim=(0, _top(result)))
    for axes in (power, alarms):
        axes.set_xlabel(per_group(result))
        whole_ticks(axes.xaxis)
        legend_above(axes, min(_LEGEND_COLUMNS, len(result.sessions)))
    _same_range(result, power, alarms)
    return drawn


def _draw_power(axes: Axes, designs: list[Design], color: str, marker: str, label: str) -> None:
    x, rates = _known(designs, lambda design: design.power)
    axes.plot(x, [100 * rate.value for rate in rates], color=color, marker=marker, markersize=5, label=label)
    axes.fill_between(
        x,
        [100 * rate.low for rate in rates],
        [100 * rate.high for rate in rates],
        color=color,
        alpha=0.15,
        linewidth=0.8,
    )


def _draw_alarms(axes: Axes, designs: list[Design], color: str, marker: str, label: str, shift: float) -> None:
    x, rates = _known(designs, lambda design: design.false_alarms)
    bars = [
        [100 * (rate.value - rate.low) for rate in rates],
        [100 * (rate.high - rate.value) for rate in rates],
    ]
    axes.errorbar(
        [shift * each for each in x],
        [100 * rate.value for rate in rates],
        yerr=bars,
        color=color,
        marker=marker,
        markersize=5,
        linewidth=0.8,
        label=label,
    )


def _known(designs: list[Design], rate_of: Callable[[Design], Rate | None]) -> tuple[list[int], list[Rate]]:
    known = [(design.subjects, rate) for design in designs if (rate := rate_of(design)) is not None]
    return [subjects for subjects, _ in known], [rate for _, rate in known]


def _top(result: PowerResult) -> float:
    highest = max(
        (design.false_alarms.high for design in result.designs if design.false_alarms is not None), default=0.0
    )
    return 100 * 1.1 * max(highest, 2 * result.alpha)


def _same_range(result: PowerResult, *panels: Axes) -> None:
    """Set the same range of subjects on all panels, with room at its ends, though some designs have no value."""
    asked = [design.subjects for design in result.designs]
    room = max(1.0, 0.04 * (max(asked) - min(asked)))
    for axes in panels:
        axes.set_xlim(min(asked) - room, max(asked) + room)
