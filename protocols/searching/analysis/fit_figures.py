"""Figures of fitted models: predictions, parameters, what they earn, and recovery. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from protocols.searching.analysis.behavior import curve
from protocols.searching.analysis.fits import Fits, parameter
from protocols.searching.analysis.models import BOUND, MODELS
from protocols.searching.analysis.played import PlayedModel, can_be_played
from protocols.searching.analysis.recovery import Recovery
from protocols.searching.analysis.results import GridGroup
from protocols.searching.analysis.rounds import GridPerson
from rig.analysis.common.style import (
    BLACK,
    BLUE,
    GREEN,
    ORANGE,
    PINK,
    RED,
    SKY,
    grid_of_panels,
    row_of_panels,
    whole_ticks,
)

MOST_PANELS = 6
COLUMNS = 3
COLORS = (BLUE, ORANGE, GREEN, RED, PINK, SKY, "0.5", "tab:brown")
"""Of models, one for each of the grid task."""


def r_squared(fits: Fits, groups: Sequence[GridGroup]) -> Figure:
    """Draw R² of every model for every person (figure 4 of Wu et al. 2017)."""
    panels = _panels(fits, groups)
    below = (
        "cross-validated McFadden R²; points: sessions; bars: mean ± s.e.m.; 0 is a random choice, 1 a perfect model"
    )
    columns = min(COLUMNS, len(panels))
    rows = -(-len(panels) // columns)
    size = (max(6.5, 4.5 * columns), 1.8 + 3.6 * rows)
    figure, axes = grid_of_panels("predictions of models", below, len(panels), columns, size)
    draw = np.random.default_rng(1)
    order = [each.model for each in fits.models]
    for panel, (name, own) in zip(axes, panels, strict=True):
        found = {each.model: each for each in own.models}
        for place, model in enumerate(order):
            if model not in found:
                continue
            values = np.array([each.r2 for each in own.of(model)])
            panel.plot(place + draw.uniform(-0.2, 0.2, values.size), values, ".", ms=4, color=BLUE, alpha=0.5)
            mean = found[model].r2
            panel.errorbar(place, mean.mean, np.nan_to_num(mean.sem), fmt="_", ms=18, color=BLACK, zorder=3)
        panel.axhline(0, color="0.5", lw=0.8)
        panel.set_xticks(range(len(order)), order, rotation=40, fontsize=8, ha="right")
        count = len({each.person for each in own.people})
        panel.set(ylabel="R²", title=f"{name} ({count})")
        panel.title.set_fontsize(10)
    return figure


def parameters(fits: Fits, groups: Sequence[GridGroup]) -> Figure | None:
    """Draw the parameters of the best model with a belief, by group (figure 6 of Wu et al. 2017).

    None if no such model was fitted.
    """
    model = next((each.model for each in fits.models if MODELS[each.model].learner), None)
    if model is None:
        return None
    panels = _panels(fits, groups)
    names = MODELS[model].parameters
    below = "medians over the rounds left out, of every session; boxes: quartiles; dashed: bounds of the search"
    figure, axes = row_of_panels(f"parameters of {model}", below, len(names), 3.6 * len(names) + 1)
    for panel, name in zip(axes, names, strict=True):
        values = [np.log10(parameter(own.of(model), name)) for _, own in panels]
        panel.boxplot(values, widths=0.5, medianprops={"color": BLACK}, flierprops={"ms": 3})
        draw = np.random.default_rng(1)
        for place, own in enumerate(values, 1):
            panel.plot(place + draw.uniform(-0.12, 0.12, own.size), own, ".", ms=4, color=BLUE, alpha=0.5)
        for bound in (-BOUND, BOUND):
            panel.axhline(bound / np.log(10), color="0.6", ls="--", lw=0.8)
        ticks = np.arange(-2, 3)
        panel.set_yticks(ticks, [f"{10.0**tick:g}" for tick in ticks])
        panel.set_xticks(range(1, len(values) + 1), [each for each, _ in panels], rotation=25, fontsize=8, ha="right")
        panel.set_title(name, fontsize=10)
    return figure


def _panels(fits: Fits, groups: Sequence[GridGroup]) -> list[tuple[str, Fits]]:
    """Return the fits of all people, then those of each group if there are several."""
    of_groups = [(group.name, group.fits) for group in groups if group.fits is not None]
    return [("all", fits), *(of_groups if len(groups) > 1 else [])][:MOST_PANELS]


def simulated(played: Sequence[PlayedModel], people: Sequence[GridPerson]) -> Figure:
    """Draw what each model earns with people's own parameters, beside people (figure 5 of Wu et al. 2017)."""
    horizons = sorted({curve.horizon for model in played for curve in model.curves})
    known = [person.rounds for person in people if can_be_played(person)]
    below = (
        "people: mean ± s.e.m.; models: one session for each person, with the person's own fitted parameters, in new "
        "environments\ntrial 1 is the revealed tile; unscaled rewards"
    )
    size = (10, 1.8 + 3.3 * len(horizons))
    figure, axes = grid_of_panels("models with the parameters of people", below, 2 * len(horizons), 2, size)
    for row, horizon in enumerate(horizons):
        of_people = curve([[each for each in rounds if each.complete] for rounds in known], horizon)
        of_models = [(each.model, own) for each in played for own in each.curves if own.horizon == horizon]
        for panel, name, label in zip(
            axes[2 * row :], ("reward", "largest"), ("reward", "largest reward"), strict=False
        ):
            middle, error = getattr(of_people, name), np.nan_to_num(getattr(of_people, f"{name}_se"))
            panel.plot(of_people.trial, middle, color=BLACK, lw=2.2, label=f"people ({of_people.people})")
            panel.fill_between(of_people.trial, middle - error, middle + error, color=BLACK, alpha=0.15, lw=0)
            for place, (model, own) in enumerate(of_models):
                panel.plot(own.trial, getattr(own, name), color=COLORS[place % len(COLORS)], lw=1.3, label=model)
            panel.set(xlabel="trial", ylabel=label, title=f"{horizon} clicks")
            panel.title.set_fontsize(10)
            whole_ticks(panel.xaxis)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right center", fontsize=8, frameon=False)
    return figure


def confusion(found: Recovery) -> Figure:
    """Draw how often each model predicts people best who were simulated with one."""
    below = f"{found.people} simulated people in each row; {found.right:.0%} are predicted best by their own model"
    figure, (axes,) = row_of_panels("model recovery", below, 1, 6.5)
    figure.set_figheight(5.4)
    shares = found.counts / found.counts.sum(axis=1, keepdims=True)
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    for row, counts in enumerate(found.counts.tolist()):
        for column, value in enumerate(counts):
            color = "white" if shares[row, column] > 0.6 else "black"
            axes.text(column, row, str(value), ha="center", va="center", color=color)
    axes.set_xticks(range(len(found.models)), found.models, rotation=30, ha="right")
    axes.set_yticks(range(len(found.models)), found.models)
    axes.set(xlabel="predicted best by", ylabel="simulated with")
    return figure
