"""Figures that compare conditions, after those of Beron et al. 2022. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from protocols.two_armed_bandit.analysis.results import BanditGroup
from protocols.two_armed_bandit.analysis.style import BAND
from rig.analysis.common.style import BLUE, GREEN, ORANGE, PINK, RED, SKY, legend_above, row_of_panels
from rig.terminal.format import pluralize

LABELS = ("α, last choice", "β, reward", "τ, memory (trials)")

FEWEST = 2
"""Fewest conditions to compare."""

_COLORS = (BLUE, ORANGE, GREEN, RED, PINK, SKY)
_SPREAD = 0.6


def weights_by_condition(groups: Mapping[str, BanditGroup]) -> Figure | None:
    """Draw the parameters of the RFLR by condition in one panel (after figure 5C); None without two conditions.

    Large dots are fits to all sessions of a condition, small ones fits to each subject.
    """
    fits = {name: group.fits for name, group in groups.items() if group.fits is not None}
    found = {name: fit.rflr for name, fit in fits.items() if fit.rflr is not None}
    if len(found) < FEWEST:
        return None
    sizes = ", ".join(f"{name} {pluralize(groups[name].sessions, 'session')}" for name in found)
    below = f"n: {sizes}; bars: 95 % of the fit to all sessions; small: each subject"
    figure, (axes,) = row_of_panels("parameters of the RFLR by condition", below, 1, 8)
    for place, (name, fit) in enumerate(found.items()):
        color = _COLORS[place % len(_COLORS)]
        at = np.arange(len(LABELS)) + _SPREAD * ((place + 0.5) / len(found) - 0.5)
        for own in fits[name].rflr_of_subject.values():
            if own is not None and not own.at_bound:
                axes.plot(at, (own.alpha, own.beta, own.tau), ".", ms=5, color=color, alpha=0.5)
        errors = BAND * np.array((fit.alpha_se, fit.beta_se, fit.tau_se))
        axes.errorbar(at, (fit.alpha, fit.beta, fit.tau), errors, fmt="o", color=color, label=name)
    axes.set_xticks(range(len(LABELS)), LABELS)
    axes.axhline(0, color="gray", lw=0.8)
    axes.set_ylabel("log-odds; trials")
    legend_above(axes)
    return figure
