"""Figures of models that were fitted to the risky bandit (Schulz et al. 2018). Needs matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from protocols.searching.analysis.bands import draw_band
from protocols.searching.analysis.fits import Fits
from protocols.searching.analysis.fitted_play import PLAYED
from protocols.searching.analysis.models import RISKY_LEARNERS, RISKY_STRATEGIES
from protocols.searching.analysis.results import FittedRounds
from protocols.searching.analysis.risky_fit_comparisons import averaged_r2
from rig.analysis.common.arrays import Floats, mean
from rig.analysis.common.style import BLACK, BLUE, ORANGE, from_zero, grid_of_panels, row_of_panels, whole_ticks
from rig.analysis.common.subjects import standard_error


def learners_and_strategies(fits: Fits) -> Figure:
    """Draw R² of each learner, averaged over strategies, and of each strategy, averaged over learners."""
    below = "cross-validated McFadden R², first averaged within each person; points: people; bars: mean ± s.e.m."
    figure, (left, right) = row_of_panels("learners and strategies", below, 2, 9)
    _bars(left, {name: averaged_r2(fits, [f"{name}_{each}" for each in RISKY_STRATEGIES]) for name in RISKY_LEARNERS})
    _bars(right, {name: averaged_r2(fits, [f"{each}_{name}" for each in RISKY_LEARNERS]) for name in RISKY_STRATEGIES})
    left.set(ylabel="R²", title="averaged over strategies")
    right.set_title("averaged over learners")
    return figure


def _bars(axes: Axes, values: Mapping[str, Floats]) -> None:
    draw = np.random.default_rng(1)
    for place, own in enumerate(values.values()):
        axes.plot(place + draw.uniform(-0.15, 0.15, own.size), own, ".", ms=4, color=BLUE, alpha=0.5)
        axes.errorbar(place, mean(own), np.nan_to_num(standard_error(own)), fmt="_", ms=22, color=BLACK, zorder=3)
    axes.set_xticks(range(len(values)), list(values))
    axes.axhline(0, color="0.5", lw=0.8)


def lambda_against_score(lam: Floats, score: Floats) -> Figure:
    """Draw the score of each person against the fitted lambda, with the regression line."""
    below = (
        f"{lam.size} sessions; lambda of {PLAYED}, median over the rounds left out; line: least squares of ln lambda"
    )
    figure, (axes,) = row_of_panels("lambda and score", below, 1, 6)
    axes.plot(np.exp(lam), score, "o", ms=5, color=BLUE, alpha=0.6)
    if lam.size > 1 and np.ptp(lam) > 0:
        slope, intercept = np.polyfit(lam, score, 1)
        ends = np.array([lam.min(), lam.max()])
        axes.plot(np.exp(ends), intercept + slope * ends, color=BLACK, lw=1.2)
    axes.set_xscale("log")
    axes.set(xlabel="lambda", ylabel="score: reward of a planned click")
    return figure


def played(found: Sequence[FittedRounds]) -> Figure:
    """Draw people beside the model that plays their rounds with their parameters (figures 6 and 11 of the paper)."""
    below = (
        f"{PLAYED} plays the rounds of each person with that person's parameters; shaded: s.e.m. over people\n"
        "dotted: random choices; trial 1 is the revealed tile; rewards of the rounds that reached the trial"
    )
    size = (10, 1.5 + 3.3 * len(found))
    figure, axes = grid_of_panels("people and the fitted model", below, 2 * len(found), 2, size)
    for row, rounds in enumerate(found):
        reward, reached = axes[2 * row : 2 * row + 2]
        group = rounds.people
        for label, color, own in (("people", BLUE, group), (PLAYED, ORANGE, rounds.model)):
            for curve in own.curves:
                draw_band(reward, curve, "reward", color, label)
                reached.plot(curve.trial[1:] - 1, curve.reached[1:], "o-", ms=3, lw=1.3, color=color, label=label)
        reward.axhline(group.random_outcome, ls=":", color="0.4", lw=1.2)
        reached.plot(np.arange(1, group.random_reached.size + 1), group.random_reached, ":", color="0.4", lw=1.2)
        reward.set(xlabel="trial", ylabel="reward", title=f"{group.name} rounds, {group.people} people")
        reached.set(xlabel="click", ylabel="share of rounds with this click")
        from_zero(reached, 1.0)
        for panel in (reward, reached):
            whole_ticks(panel.xaxis)
    axes[1].legend(fontsize=8, frameon=False)
    return figure
