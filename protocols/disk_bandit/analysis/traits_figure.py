"""Theta against traits of subjects. Needs matplotlib and scipy."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from protocols.disk_bandit.analysis.people import Trait
from protocols.disk_bandit.analysis.results import DiskGroup
from rig.analysis.common.style import BLUE, row_of_panels


def against_traits(group: DiskGroup, who: str) -> Figure:
    """Draw every subject's theta against each trait."""
    below = f"{who}\none point per subject; bars: means of groups"
    count = len(group.traits)
    figure, axes = row_of_panels(f"{group.name}: θ against traits", below, count, max(6.5, 4 * count))
    for each, trait in zip(axes, group.traits, strict=True):
        _draw(each, trait)
    return figure


def _draw(axes: Axes, trait: Trait) -> None:
    numbers = trait.numbers
    if numbers is not None:
        axes.plot(numbers, trait.theta, "o", ms=5, mfc="none", color=BLUE)
    else:
        kinds, place = np.unique(trait.values, return_inverse=True)
        for at, _ in enumerate(kinds):
            own = np.sort(trait.theta[place == at])
            axes.plot(at + np.linspace(-0.15, 0.15, own.size) * (own.size > 1), own, "o", ms=5, mfc="none", color=BLUE)
            axes.plot([at - 0.3, at + 0.3], [own.mean()] * 2, "-", color=BLUE, lw=1.5)
        axes.set_xticks(range(len(kinds)), [f"{kind}\n{(place == at).sum()}" for at, kind in enumerate(kinds)])
        axes.set_xlim(-0.6, len(kinds) - 0.4)
    axes.set(xlabel=trait.name, ylabel="θ")
    axes.set_title(_tested(trait), fontsize=9)


def _tested(trait: Trait) -> str:
    if trait.correlation is not None:
        return f"rank correlation {trait.correlation.rho:.2f}, p = {trait.correlation.p:.2g}"
    if trait.difference is not None:
        return f"H({trait.difference.df}) = {trait.difference.h:.2f}, p = {trait.difference.p:.2g}"
    return "too few subjects for a test"
