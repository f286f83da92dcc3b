"""Figures of the study of models, after those of Beron et al. 2022. Needs matplotlib and scipy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from matplotlib.figure import Figure

from protocols.two_armed_bandit.analysis.generative import SUBJECTS
from protocols.two_armed_bandit.analysis.lengths import Lag, Length
from protocols.two_armed_bandit.analysis.results import BanditGroup
from protocols.two_armed_bandit.analysis.settings import BanditSettings
from protocols.two_armed_bandit.analysis.study import Study
from protocols.two_armed_bandit.analysis.style import MODEL_NAMES, panels
from protocols.two_armed_bandit.analysis.surface import Surface
from protocols.two_armed_bandit.analysis.swap_figures import swaps_of_agents
from rig.analysis.common.style import BLACK, BLUE, ORANGE, RED

SHALLOWEST = 0.5
"""Nats per trial below the best at which a surface is cut; low temperatures would take up the whole scale."""


def study_figures(group: BanditGroup, settings: BanditSettings, found: Study) -> Iterator[tuple[str, Figure]]:
    """Yield name and figure of one condition's study."""
    yield "lengths", lengths(group, settings, found)
    if found.surface is not None:
        yield "surface", surfaces(group, settings, found.surface)
    if found.played:
        yield "agents", agents(group, settings, found)
        yield "swaps", swaps_of_agents(group, settings, found)


def lengths(group: BanditGroup, settings: BanditSettings, found: Study) -> Figure:
    """Draw the log-likelihood against the length of history (after figure S3)."""
    note = "filled: test sessions; open: training sessions; regressions: the other lags are 1, 5 and 0"
    figure, axes = panels(group, settings, "prediction by length of history", 4, note, 16)
    all_of = found.lengths
    series: tuple[tuple[list[int], Sequence[Length | Lag], str], ...] = (
        ([each.length for each in all_of.words], all_of.words, "length of words of sides"),
        ([each.lags.choices for each in all_of.choices], all_of.choices, "choices back (L1)"),
        (
            [each.lags.rewarded_choices for each in all_of.rewarded_choices],
            all_of.rewarded_choices,
            "rewarded choices back (L2)",
        ),
        ([each.lags.rewards for each in all_of.rewards], all_of.rewards, "rewards back (L3)"),
    )
    for each, (lags, values, label) in zip(axes, series, strict=True):
        each.plot(lags, [value.ll_test for value in values], "o-", color=BLUE)
        each.plot(lags, [value.ll_train for value in values], "o--", mfc="none", color=BLACK, lw=0.8)
        each.set(xlabel=label)
    axes[0].set_ylabel("log-likelihood per trial (nats)")
    return figure


def surfaces(group: BanditGroup, settings: BanditSettings, found: Surface) -> Figure:
    """Draw the log-likelihood over p and q at temperature 1 and at the best one, and its maximum by temperature."""
    note = "all sessions, trials 2 to the last; cross: best of the panel; circle: p and q of the task"
    figure, axes = panels(group, settings, "hidden Markov models", 3, note, 14)
    best = int(np.argmax(found.ll.max(axis=(1, 2))))
    one = int(np.flatnonzero(found.temperature == 1.0)[0])
    truth = found.at_truth[0]
    for each, place, title in ((axes[0], one, "Thompson (T = 1)"), (axes[1], best, f"T = {found.temperature[best]:g}")):
        plane = found.ll[place]
        levels = np.linspace(max(float(plane.min()), float(plane.max()) - SHALLOWEST), float(plane.max()), 17)
        filled = each.contourf(found.q, found.p, plane, levels, cmap="cividis", extend="min")
        figure.colorbar(filled, ax=each, format="%.2f", label="log-likelihood per trial")
        row, column = np.unravel_index(int(np.argmax(plane)), plane.shape)
        each.plot(found.q[column], found.p[row], "x", color=RED, ms=10, mew=2.5)
        each.plot(truth.q, truth.p, "o", mfc="none", mec=RED, ms=10, mew=2)
        each.set(xlabel="q, probability that the ports stay", ylabel="p, reward of the high port", title=title)
    axes[2].plot(found.temperature, found.ll.max(axis=(1, 2)), "o-", color=BLUE, label="best p and q")
    axes[2].plot(found.temperature, [each.ll for each in found.at_truth], "s--", color=RED, label="p and q of the task")
    axes[2].set(xlabel="temperature of the softmax", ylabel="log-likelihood per trial")
    axes[2].legend(fontsize=8, frameon=False)
    return figure


def agents(group: BanditGroup, settings: BanditSettings, found: Study) -> Figure:
    """Draw the results of fitted policies in simulated sessions, and those of the subjects (after figure 7C)."""
    note = "simulated sessions of 744 trials, same random numbers for all; dashed: subjects; bars: SD over sessions"
    figure, axes = panels(group, settings, "fitted policies in simulated sessions", 4, note, 16)
    own = next(each for each in found.played if each.name == SUBJECTS)
    others = [each for each in reversed(found.played) if each.name != SUBJECTS]
    at = np.arange(len(others))
    for each, rate, label in zip(
        axes,
        ("reward_rate", "p_high", "p_switch", "rewards_per_switch"),
        ("rewards per trial", "P(high port)", "P(switch)", "rewards per switch"),
        strict=True,
    ):
        spreads = {"p_high": [o.p_high_sd for o in others], "p_switch": [o.p_switch_sd for o in others]}
        each.errorbar([o.rates[rate] for o in others], at, xerr=spreads.get(rate), fmt="o", color=BLUE, lw=0.8)
        each.axvline(own.rates[rate], color=ORANGE, ls="--")
        each.set(xlabel=label)
        each.set_yticks(at, [MODEL_NAMES[o.name] for o in others] if each is axes[0] else [])
    return figure
