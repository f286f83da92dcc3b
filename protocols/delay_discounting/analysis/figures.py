"""Figures of a report, after those of Papale et al. 2012. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from protocols.delay_discounting.analysis.count_axis import count_axis
from protocols.delay_discounting.analysis.delays import FINAL_LAPS, LONGEST_S, SETTLED_S, delay_counts
from protocols.delay_discounting.analysis.laps import Laps
from protocols.delay_discounting.analysis.paths_figure import paths
from protocols.delay_discounting.analysis.phases import LAST_INVESTIGATION, PHASES, RULES
from protocols.delay_discounting.analysis.prediction_figure import prediction
from protocols.delay_discounting.analysis.results import SIDES, MazeGroup, MazeResults, Ratios
from protocols.delay_discounting.analysis.vte_figures import vte_by_delay, vte_by_lap, vte_by_neighbors, vte_by_phase
from rig.analysis.common.arrays import Floats, mean, ratio
from rig.analysis.common.intervals import bars
from rig.analysis.common.style import (
    BLACK,
    BLUE,
    GREEN,
    ORANGE,
    SKY,
    from_zero,
    grid_of_panels,
    legend_above,
    row_of_panels,
    whole_ticks,
)
from rig.terminal.format import pluralize

EXAMPLES = 3
PHASE_COLORS = (SKY, ORANGE, GREEN)
RULE_LINES = {"sliding": "-", "binned": ":"}


def figures(found: MazeResults, sessions: Sequence[Laps]) -> Iterator[tuple[str, Figure]]:
    """Yield file name and figure of the sessions and of every group of the report."""
    kept = {each.name for each in found.sessions if not each.excluded}
    shown = [laps for laps in sessions if laps.name in kept] or [laps for laps in sessions if laps.trials]
    yield "sessions", examples(shown)
    if tracked := [laps for laps in shown if any(len(path) for path in laps.paths_cm)]:
        yield "paths", paths(tracked)
    if np.unique(found.ratios.ratio).size > 1:
        yield "ratios", by_ratio(found.ratios)
    for group in found.groups.values():
        for name, figure in _figures(group):
            yield f"{group.name.replace(':', '-')}_{name}", figure


def _figures(group: MazeGroup) -> Iterator[tuple[str, Figure]]:
    if np.isfinite(group.discount_rate):
        yield "prediction", prediction(group)
    yield "delays", delays(group)
    yield "phases", course(group)
    if group.vte is not None:
        yield "vte_by_lap", vte_by_lap(group, group.vte)
        yield "vte_by_delay", vte_by_delay(group, group.vte)
        yield "vte_by_phase", vte_by_phase(group, group.vte)
        yield "vte_by_neighbors", vte_by_neighbors(group, group.vte)


def who(group: MazeGroup) -> str:
    """Return the sample sizes for a caption."""
    sessions, subjects = pluralize(group.sessions, "session"), pluralize(group.subjects, "subject")
    return f"n = {sessions} of {subjects}, {pluralize(group.laps, 'lap')}"


def examples(sessions: Sequence[Laps]) -> Figure:
    """Draw the delay by lap in some sessions, evenly spaced in the list (after figure 2)."""
    chosen = [sessions[place] for place in np.unique(np.linspace(0, len(sessions) - 1, EXAMPLES).astype(int))]
    which = (
        ""
        if len(chosen) == len(sessions)
        else f"{len(chosen)} of {len(sessions)} sessions, evenly spaced in the list\n"
    )
    below = f"{which}filled: the delayed side was chosen; dashed: mean of the final {FINAL_LAPS} laps"
    figure, axes = row_of_panels("delay in force, lap by lap", below, len(chosen), 1 + 4 * len(chosen))
    for each, laps in zip(axes, chosen, strict=True):
        final = mean(laps.in_force_s[-FINAL_LAPS:])
        each.plot(laps.lap, laps.in_force_s, "-", color="gray", lw=0.8)
        for which, face in ((laps.delayed, BLUE), (~laps.delayed, "white")):
            each.plot(laps.lap[which], laps.in_force_s[which], "o", ms=4, mfc=face, mec=BLUE, mew=0.8)
        each.hlines(final, *laps.lap[[-min(FINAL_LAPS, laps.trials), -1]], color=BLACK, ls="--")
        each.set(xlabel="lap", ylabel="delay of the delayed side (s)")
        from_zero(each)
        whole_ticks(each.xaxis)
        each.set_title(f"{laps.name}, {laps.condition}: {final:.1f} s", fontsize=10)
    return figure


def by_ratio(found: Ratios) -> Figure:
    """Draw indifference against the ratio of the rewards as box plots, with its regression (after figure 2)."""
    ratios = np.unique(found.ratio[np.isfinite(found.ratio)])
    boxes = "boxes: median and quartiles, whiskers to the last session within 1.5 interquartile ranges"
    below = (
        f"n = {found.ratio.size} sessions; {boxes}\nopen: each session; square: mean; line: regression on all of them"
    )
    figure, (axes,) = row_of_panels("indifference against the ratio of the rewards", below, 1, 6.5)
    for each in ratios:
        values = found.indifference_s[found.ratio == each]
        # Points are spread sideways by rank: sessions with equal delays would hide each other.
        aside = each + 0.25 * (np.arange(values.size) / max(1, values.size - 1) - 0.5)
        axes.plot(aside, np.sort(values), "o", mfc="none", ms=3, color=SKY)
        axes.boxplot(
            values, positions=[each], widths=0.5, showfliers=False, manage_ticks=False, medianprops={"color": BLUE}
        )
        axes.plot(each, mean(values), "s", color=BLUE, ms=5)
    if found.line is not None:
        ends = ratios[[0, -1]]
        axes.plot(ends, found.line.intercept + found.line.slope * ends, color=BLACK)
        axes.set_title(
            f"{found.line.slope:.2f} ± {found.line.slope_se:.2f} s per pellet, R² = {found.line.r2:.2f}", fontsize=10
        )
    axes.set_xticks(ratios, [f"{each:g}:1\n{(found.ratio == each).sum()}" for each in ratios])
    axes.set(
        xlabel="pellets, delayed side : other side; sessions",
        ylabel="delay of the final laps (s)",
        ylim=(0, None),
    )
    return figure


def delays(group: MazeGroup) -> Figure:
    """Draw initial delays, delays by lap and by third, and final delays (after figure 4)."""
    low, high = SETTLED_S
    of_thirds = "thirds: share of the laps of each third of a session"
    below = f"{who(group)}\n{of_thirds}; between the dotted lines: {low} to {high} s"
    figure, (first, middle, thirds, last, sides, reached) = grid_of_panels(
        f"{group.name}: delays", below, 6, 3, (13, 8)
    )
    for axes, values, title in (
        (first, group.initial_s, "initial delays"),
        (last, group.final_s, f"mean of the final {FINAL_LAPS} laps"),
    ):
        axes.bar(_steps(), ratio(delay_counts(values), values.size), width=0.9, color=BLUE)
        axes.set(xlabel="delay (s)", ylabel="share of the sessions", title=title)
    curves = group.by_lap
    edges = (np.append(curves.lap, curves.lap[-1:] + 1) - 0.5, np.append(_steps(), LONGEST_S + 2) - 0.5)
    # The color scale ends at the 99th percentile: single cells of late laps with few sessions would set it.
    mesh = middle.pcolormesh(*edges, curves.delays.T, cmap="cividis", vmin=0, vmax=np.nanquantile(curves.delays, 0.99))
    figure.colorbar(mesh, ax=middle, label="share of the sessions", location="bottom")
    middle.plot(curves.lap, curves.delay_mean_s, color="white", lw=1.5)
    middle.set(xlabel="lap", ylabel="delay in force (s)", title="by lap; white: mean")
    reached.step(curves.lap, curves.n, where="mid", color=BLACK)
    reached.set(xlabel="lap", ylabel="sessions", title="sessions that reached a lap")
    from_zero(reached)
    whole_ticks(reached.yaxis)
    _by_side(sides, group)
    for third, color in zip(group.thirds, PHASE_COLORS, strict=True):
        label = f"{third.name}: {100 * third.settled:.0f} % at {low} to {high} s"
        thirds.plot(_steps(), third.share, color=color, label=label)
    for edge in (low - 0.5, high + 0.5):
        thirds.axvline(edge, color="gray", ls=":", lw=0.8)
    thirds.set(xlabel=f"delay in force (s); {LONGEST_S + 1}: longer", ylabel="share of the laps", title="by third")
    thirds.set_ylim(0, None)
    thirds.legend(fontsize=8, frameon=False, loc="upper right")
    return figure


def _by_side(axes: Axes, group: MazeGroup) -> None:
    """Draw final delays by the delayed side; a side bias makes the two distributions differ."""
    for place, (name, left) in enumerate(SIDES.items()):
        values = group.final_s[[side is left for side in group.delayed_left]]
        if values.size:
            axes.boxplot(values, positions=[place], widths=0.5, manage_ticks=False, medianprops={"color": BLUE})
            axes.plot(place, group.by_side[name].mean, "s", color=BLUE, ms=5)
    axes.set_xticks(range(len(SIDES)), [f"{name}\n{group.by_side[name].n}" for name in SIDES])
    axes.set(xlabel="delayed side; sessions", ylabel="delay (s)", xlim=(-0.6, 1.6), ylim=(0, None))
    title = "final delays by side"
    axes.set_title(title if group.sides is None else f"{title}: p = {group.sides.p:.2g}")


def _steps() -> Floats:
    return np.arange(1.0, LONGEST_S + 2)


def course(group: MazeGroup) -> Figure:
    """Draw the share of adjustment laps and of phases by lap (after figure 5)."""
    left = "left: open: single laps; filled: bins of 5 laps, 95 % (Wilson)"
    right = f"right: solid: sliding window; dotted: bins of 5; dashed: lap {LAST_INVESTIGATION}"
    below = f"{who(group)}\n{left}; {right}"
    figure, (adjustment, phase) = row_of_panels(f"{group.name}: adjustment and phases", below, 2, 12)
    curves = group.by_lap
    adjustment.plot(curves.lap, curves.adjustment, "o", ms=3, mfc="none", color=SKY)
    _binned(adjustment, curves.lap.astype(float), curves.adjustment, curves.n.astype(float))
    adjustment.set(xlabel="lap", ylabel="share of adjustment laps")
    from_zero(adjustment)
    for axes in (adjustment, phase):
        count_axis(axes, curves.lap, curves.n, "sessions")
    for name, color in zip(PHASES, PHASE_COLORS, strict=True):
        for rule in RULES:
            label = name if rule == "sliding" else None
            phase.plot(curves.lap, curves.phases[rule][name], RULE_LINES[rule], color=color, label=label)
    phase.axvline(LAST_INVESTIGATION, color="gray", ls="--", lw=0.8)
    phase.set(xlabel="lap", ylabel="share of the sessions")
    from_zero(phase, 1)
    legend_above(phase)
    return figure


def _binned(axes: Axes, lap: Floats, share: Floats, n: Floats, width: int = 5) -> None:
    """Draw shares in bins of laps, with Wilson intervals (95 %)."""
    known = np.isfinite(share)
    place = ((lap[known] - 1) // width).astype(int)
    total = np.bincount(place, n[known])
    p = ratio(np.bincount(place, (share * n)[known]), total)
    at = np.arange(total.size) * width + (width + 1) / 2
    axes.errorbar(at, p, bars(p, total), fmt="o-", ms=5, color=BLUE)
