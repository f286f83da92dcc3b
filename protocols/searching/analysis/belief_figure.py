"""The belief of one participant about a grid, and what it predicts. Needs matplotlib and scipy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from protocols.searching.analysis.fit_problems import GRID_RULES, knows_rewards
from protocols.searching.analysis.fits import Fits
from protocols.searching.analysis.models import MODELS
from protocols.searching.analysis.recovery import RECOVERED
from protocols.searching.analysis.rounds import GridPerson, GridRound
from protocols.searching.grids.choice_rules import near, nonnegative, scaled, softmax, strategy_values
from protocols.searching.grids.gaussian_process import GaussianProcess
from protocols.searching.grids.kernels import Kernel
from protocols.searching.grids.reward_scales import GRID
from rig.analysis.common.arrays import Floats
from rig.analysis.common.style import row_of_panels

SEEN = 10
"""Trials before the choice that is shown, the revealed tile included."""
UCB = ("local_gp_ucb", "gp_ucb")
"""Models whose belief is shown: the first one that was fitted to the person."""


def belief_figure(people: Sequence[GridPerson], fits: Fits | None) -> Figure | None:
    """Draw a person's rewards, the belief about all tiles, and the chance of the next (figure 2 of Wu et al. 2017).

    Of the first person with a round of more than ten trials, the first such round. None without one.
    """
    person, own = next(_rounds(people), (None, None))
    if person is None or own is None:
        return None
    model, parameters, whose = _parameters(person, fits)
    mean, sd = _belief(own, parameters["lambda"])
    chance = _chance(own, mean, sd, model, parameters)
    words = ", ".join(f"{name} {value:.3g}" for name, value in parameters.items())
    below = f"{person.name}, round {own.number}, before trial {SEEN + 1} (cross: its choice)\n{model}, {whose}: {words}"
    figure, axes = row_of_panels("belief about a grid", below, 4, 15)
    seen = np.full(own.grid.count, np.nan)
    seen[own.tile[:SEEN]] = own.drawn[:SEEN]  # of a tile that was clicked twice, the last reward
    reward = mean * GRID.spread + GRID.center
    for panel, title, values in (
        (axes[0], "rewards so far", seen),
        (axes[1], "expected reward", reward),
        (axes[2], "SD of the belief", sd * GRID.spread),
        (axes[3], "chance of the next click", chance),
    ):
        _surface(panel, title, values, own)
    return figure


def _rounds(people: Sequence[GridPerson]) -> Iterator[tuple[GridPerson, GridRound]]:
    for person in people:
        for own in person.rounds:
            if own.clicks >= SEEN and own.grid.height > 1 and knows_rewards(own):
                yield person, own


def _parameters(person: GridPerson, fits: Fits | None) -> tuple[str, Mapping[str, float], str]:
    """Return a model, its parameters, and whose they are: the person's own, or the published medians."""
    for model in UCB:
        for fit in fits.of(model) if fits is not None else ():
            if fit.person == person.name:
                return model, fit.parameters, "fitted"
    return UCB[0], RECOVERED[UCB[0]], "published medians"


def _belief(own: GridRound, length: float) -> tuple[Floats, Floats]:
    """Return mean and SD of the belief about each tile, standardized."""
    process = GaussianProcess(Kernel.of("length", length).matrix(own.grid), GRID.noise_variance)
    for tile, reward in zip(own.tile[:SEEN].tolist(), own.range.percent(own.drawn[:SEEN]).tolist(), strict=True):
        process.observe(tile, GRID_RULES.scale.standard(reward))
    return process.mean, process.sd


def _chance(own: GridRound, mean: Floats, sd: Floats, model: str, parameters: Mapping[str, float]) -> Floats:
    values = nonnegative(strategy_values(MODELS[model].strategy, mean, sd, beta=parameters["beta"]))
    if MODELS[model].local:
        values = near(values, own.grid, own.tile[SEEN - 1])
    return softmax(scaled(values), parameters["tau"])


def _surface(axes: Axes, title: str, values: Floats, own: GridRound) -> None:
    grid = own.grid
    shown = axes.imshow(values.reshape(grid.height, grid.width), cmap="OrRd")
    axes.figure.colorbar(shown, ax=axes, shrink=0.75)
    axes.plot(*grid.place(int(own.tile[SEEN])), "x", color="black", ms=8, mew=2)
    axes.spines[:].set_visible(True)
    axes.set_title(title, fontsize=10)
    axes.set_xticks([])
    axes.set_yticks([])
