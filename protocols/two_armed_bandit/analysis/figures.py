"""Figures of a report, after those of Beron et al. 2022. Needs matplotlib; figures of models need scipy too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from matplotlib.figure import Figure

from protocols.two_armed_bandit.analysis.blocks import BlockCurve
from protocols.two_armed_bandit.analysis.condition_figures import weights_by_condition
from protocols.two_armed_bandit.analysis.results import BanditGroup, BanditResults
from protocols.two_armed_bandit.analysis.session_figures import course, example, times_by_history, typical
from protocols.two_armed_bandit.analysis.sessions import ChoiceSession
from protocols.two_armed_bandit.analysis.settings import BanditSettings
from protocols.two_armed_bandit.analysis.style import panels
from rig.analysis.common.arrays import Floats, Ints
from rig.analysis.common.intervals import bars
from rig.analysis.common.style import BLUE, OBSERVED, ORANGE, from_zero, whole_ticks
from rig.analysis.common.subjects import POOLED
from rig.terminal.format import pluralize

FEWEST_OF_A_WORD = 5
"""Words with fewer trials have no bar: their Wilson interval covers about half of the axis."""


def figures(found: BanditResults, sessions: Sequence[ChoiceSession]) -> Iterator[tuple[str, Figure]]:
    """Yield file name and figure of every group of the report; ``sessions`` are those of the report."""
    for group in found.groups.values():
        own = [session for session in sessions if group.name in (session.condition, POOLED)]
        for name, figure in _figures(group, found.settings, own):
            yield f"{group.name}_{name}", figure
    weights = weights_by_condition({name: group for name, group in found.groups.items() if name != POOLED})
    if weights is not None:
        yield "conditions_weights", weights


def _figures(
    group: BanditGroup, settings: BanditSettings, sessions: Sequence[ChoiceSession]
) -> Iterator[tuple[str, Figure]]:
    if group.name != POOLED:
        # Pooled sessions have different odds, so there is no session that is typical of them.
        yield "example", example(group, typical(sessions))
    yield "course", course(group, settings)
    yield "times", times_by_history(group, settings)
    yield "position", positions(group, settings)
    if group.words.n.any():
        yield "words", words(group, settings)
    if group.fits is None:
        return
    # Here, because a report without fits should not wait for all models to be imported.
    from protocols.two_armed_bandit.analysis.model_figures import (
        coefficients,
        confusions,
        likelihoods,
        reward_landscape,
    )
    from protocols.two_armed_bandit.analysis.study_figures import study_figures

    yield "likelihood", likelihoods(group, settings, group.fits.comparison)
    yield "confusion", confusions(group, settings, group.fits.comparison)
    if group.fits.rflr is not None:
        yield "models", coefficients(group, settings, group.fits.comparison)
        if group.odds is not None:
            yield "landscape", reward_landscape(group, settings, group.fits.rflr.model, group.odds)
    if group.study is not None:
        yield from study_figures(group, settings, group.study)


def positions(group: BanditGroup, settings: BanditSettings) -> Figure:
    """Draw P(high port) and P(switch) around swaps of the ports (after figure 1C and D)."""
    note = (
        f"{pluralize(group.counts['flips'], 'swap')}; bars: 95 % (Wilson); "
        "open: the authors' trial numbers, with the first block"
    )
    figure, axes = panels(group, settings, "choices around a swap of the ports", 2, note, 10)
    for place, (label, color) in enumerate((("P(high port)", BLUE), ("P(switch)", ORANGE))):
        curve, authors = group.around_flip, group.block_trial
        value, n = _observed(curve, place)
        axes[place].errorbar(curve.position, value, bars(value, n), fmt="o-", ms=4, color=color, capsize=0)
        axes[place].plot(authors.position, _observed(authors, place)[0], "o", mfc="none", ms=7, color=OBSERVED, mew=0.6)
        axes[place].axvline(-0.5, color="gray", lw=0.8, ls="--")
        axes[place].set(xlabel="position (trials; 0 is the first after the swap)", ylabel=label)
        whole_ticks(axes[place].xaxis)
    from_zero(axes[0], 1)
    from_zero(axes[1])
    return figure


def _observed(curve: BlockCurve, place: int) -> tuple[Floats, Ints]:
    return (curve.p_high, curve.n) if place == 0 else (curve.p_switch, curve.pairs)


def words(group: BanditGroup, settings: BanditSettings) -> Figure:
    """Draw P(switch) after each word of the last three trials, smallest first (after figure 2D)."""
    table = group.words
    shown = np.flatnonzero(table.n >= min(FEWEST_OF_A_WORD, int(table.n.max())))
    order = shown[np.argsort(table.p_switch[shown], kind="stable")]
    note = f"bars: 95 % (Wilson); words with at least {FEWEST_OF_A_WORD} trials; number of trials above each bar"
    figure, (axes,) = panels(group, settings, "switches after the last three trials", 1, note, 12)
    place = np.arange(len(order))
    axes.bar(
        place, table.p_switch[order], yerr=bars(table.p_switch, table.n)[:, order], color=ORANGE, error_kw={"lw": 0.8}
    )
    for x, word in enumerate(order):
        top = float(table.high[word])
        axes.text(x, top + 0.01, str(table.n[word]), ha="center", va="bottom", fontsize=7, rotation=90)
    axes.set_xticks(place, [table.word[word] for word in order], rotation=90, family="monospace")
    axes.set(
        xlabel="last three trials, oldest first (A: direction of the first, B: the other; upper case: rewarded)",
        ylabel="P(switch)",
    )
    axes.margins(x=0.01, y=0.12)
    return figure
