"""Figures of models, after those of Beron et al. 2022. Needs matplotlib and scipy."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from protocols.two_armed_bandit.analysis.fits import ModelComparison
from protocols.two_armed_bandit.analysis.landscape import landscape
from protocols.two_armed_bandit.analysis.likelihood import Score
from protocols.two_armed_bandit.analysis.results import BanditGroup
from protocols.two_armed_bandit.analysis.rflr import Rflr
from protocols.two_armed_bandit.analysis.settings import BanditSettings
from protocols.two_armed_bandit.analysis.simulate import TaskCondition
from protocols.two_armed_bandit.analysis.style import MODEL_COLORS, MODEL_NAMES, panels
from protocols.two_armed_bandit.analysis.swap_figures import draw_swaps
from rig.analysis.common.arrays import Floats
from rig.analysis.common.style import BLUE, ORANGE, RED, legend_above
from rig.terminal.format import pluralize

WORST_SHOWN = -0.8
"""Lowest log-likelihood drawn. Lower values are printed: those of deterministic models depend on their clipping."""

# Non-parametric, RFLR and ideal observer: the three kinds of models whose matrices Beron et al. 2022 show.
IN_MATRICES = ("ngram", "rflr", "hmm_thompson")


def coefficients(group: BanditGroup, settings: BanditSettings, comparison: ModelComparison) -> Figure:
    """Draw the weights of past rewards, and observed and predicted choices around swaps."""
    models = {score.name: score for score in comparison.models}
    note = (
        f"weights: training sessions; curves: test sessions ({_tested(comparison)}); "
        f"bands: 95 % of {settings.resamples} resamples of the sessions"
    )
    figure, axes = panels(group, settings, "fits of models", 3, note, 13)
    _weights(axes[0], models)
    shown = [
        (MODEL_NAMES[name], color, models[name].around_flip) for name, color in MODEL_COLORS.items() if name in models
    ]
    draw_swaps(axes[1], axes[2], comparison.around_flip, shown)
    return figure


def _weights(axes: Axes, models: dict[str, Score]) -> None:
    rflr, regression = (models[name].parameters for name in ("rflr", "logistic_regression"))
    back = np.arange(len(regression["beta"]))
    axes.plot(back + 1, regression["beta"], "o", color=ORANGE, label="logistic regression")
    axes.plot(back + 1, rflr["beta"] * np.exp(-back / rflr["tau"]), "-", color=BLUE, label="RFLR: β exp(-(i-1)/τ)")
    axes.plot(0.4, regression["alpha"], "s", mfc="none", color=ORANGE)
    axes.plot(0.4, rflr["alpha"], "_", ms=14, color=BLUE)
    axes.axhline(0, color="gray", lw=0.8)
    axes.set_xticks([0.4, *(back + 1)], ["choice\n(α)", *(str(place + 1) for place in back)])
    axes.set(xlabel="rewarded choice, i trials back", ylabel="weight (log-odds)")
    legend_above(axes)


def likelihoods(group: BanditGroup, settings: BanditSettings, comparison: ModelComparison) -> Figure:
    """Draw the log-likelihood per trial of every model."""
    spread_known = any(np.isfinite(score.ll_se) for score in comparison.models)
    bars = "; bars: s.e. of resampled sessions" if spread_known else ""
    note = f"{_tested(comparison)}{bars}; arrows: off the axis; scored from trial 2, n-gram: 4"
    figure, (axes,) = panels(group, settings, "log-likelihood of choices", 1, note, 9)
    for place, score in enumerate(reversed(comparison.models)):
        if score.ll < WORST_SHOWN:
            axes.plot(WORST_SHOWN, place, "<", color=RED)
        else:
            spread = None if np.isnan(score.ll_se) else score.ll_se
            axes.errorbar(score.ll, place, xerr=spread, fmt="o", color=BLUE)
        axes.text(0.005, place, f"{score.ll:.4f}", va="center", fontsize=8)
    axes.set_yticks(range(len(comparison.models)), [MODEL_NAMES[score.name] for score in reversed(comparison.models)])
    axes.set(xlabel="log-likelihood per trial (nats)", xlim=(WORST_SHOWN - 0.01, 0.07))
    return figure


def confusions(group: BanditGroup, settings: BanditSettings, comparison: ModelComparison) -> Figure:
    """Draw the confusion matrices of switches: the expected one, and those of models."""
    models = {score.name: score for score in comparison.models}
    shown = [models[name] for name in IN_MATRICES if name in models]
    note = f"{_tested(comparison)}; rows add up to 1; expected: a model with the subjects' own probabilities"
    figure, axes = panels(
        group, settings, "repeats and switches, predicted", 1 + len(shown), note, 3 + 2.6 * len(shown)
    )
    labels = shown[0].switches.labels
    _matrix(axes[0], shown[0].switches.expected, labels, "expected")
    for each, score in zip(axes[1:], shown, strict=True):
        _matrix(each, score.switches.matrix, labels, MODEL_NAMES[score.name])
    axes[0].set_ylabel("observed")
    return figure


def _matrix(axes: Axes, matrix: Floats, labels: tuple[str, str], title: str) -> None:
    axes.imshow(matrix, cmap="Blues", vmin=0, vmax=1)
    for (row, column), value in np.ndenumerate(matrix):
        text = "-" if np.isnan(value) else f"{value:.3f}"
        axes.text(column, row, text, ha="center", va="center", color="white" if value > 0.6 else "black")
    axes.set_xticks((0, 1), labels)
    axes.set_yticks((0, 1), labels, rotation=90, va="center")
    axes.set_title(title, fontsize=10)
    axes.set_xlabel("predicted")


def reward_landscape(group: BanditGroup, settings: BanditSettings, model: Rflr, odds: tuple[float, float]) -> Figure:
    """Draw the reward rates of agents with other parameters (after figure 7A and B)."""
    found = landscape(model, TaskCondition(*odds), settings.seed)
    note = (
        f"simulated: {found.sessions} sessions per point, P(ports stay) = {found.world.q_stay:g}, s.e. of a point "
        f"{found.se:.3f}; cross and dashed line: the fit to all sessions"
    )
    figure, (plane, line) = panels(group, settings, "expected reward of RFLR agents", 2, note, 11)
    levels = np.linspace(float(found.plane.min()), float(found.plane.max()), 16)
    filled = plane.contourf(found.beta, found.alpha, found.plane, levels, cmap="cividis")
    figure.colorbar(filled, ax=plane, label="rewards per trial", format="%.2f")
    plane.plot(
        *np.clip((model.beta, model.alpha), 0, (found.beta[-1], found.alpha[-1])), "x", color=RED, ms=10, mew=2.5
    )
    plane.set(xlabel="β, weight of a reward (log-odds)", ylabel="α, weight of a choice (log-odds)")
    plane.set_title(f"τ = {model.tau:.2f} trials", fontsize=10)
    line.plot(found.tau, found.line, "o-", color=BLUE, ms=4)
    line.axvline(model.tau, color=RED, ls="--")
    line.set_xscale("log")
    line.set_xticks([0.3, 1, 3, 10], ["0.3", "1", "3", "10"])
    line.set(xlabel="τ, memory of a reward (trials)", ylabel="rewards per trial")
    line.set_title(f"α = {model.alpha:.2f}, β = {model.beta:.2f}", fontsize=10)
    return figure


def _tested(comparison: ModelComparison) -> str:
    if comparison.in_sample:
        return f"in sample, {pluralize(len(comparison.test), 'session')}"
    return f"{pluralize(len(comparison.train), 'session')} for training, {len(comparison.test)} for testing"
