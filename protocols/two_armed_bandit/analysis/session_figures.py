"""Figures of sessions of two-armed bandits: an example, changes within sessions, and times. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from protocols.two_armed_bandit.analysis import hmm, rflr
from protocols.two_armed_bandit.analysis.results import BanditGroup
from protocols.two_armed_bandit.analysis.sessions import ChoiceSession
from protocols.two_armed_bandit.analysis.settings import BanditSettings
from protocols.two_armed_bandit.analysis.simulate import Q_STAY
from protocols.two_armed_bandit.analysis.stability import Part
from protocols.two_armed_bandit.analysis.stack import Stack
from protocols.two_armed_bandit.analysis.style import panels
from rig.analysis.common.arrays import Floats
from rig.analysis.common.style import (
    BLACK,
    BLUE,
    GREEN,
    ORANGE,
    RED,
    SKY,
    from_zero,
    grid_of_panels,
    legend_above,
)

WINDOW = 11
"""Trials in the moving average of left choices."""

SHOWN = 250
"""Trials of the example; more lines cannot be told apart at the figure's width."""


def typical(sessions: Sequence[ChoiceSession]) -> ChoiceSession:
    """Return the session whose number of trials is nearest to the median."""
    trials = np.array([session.trials for session in sessions])
    return sessions[int(np.argmin(np.abs(trials - np.median(trials))))]


def example(group: BanditGroup, session: ChoiceSession) -> Figure:
    """Draw the first trials of a session: choices, rewards, model predictions, and the belief of an ideal observer."""
    stack = Stack.of([session])
    shown = min(session.trials, SHOWN)
    trial = np.arange(1.0, shown + 1) + session.skipped
    blue = "blue where left is high" if (session.high[:shown] > 0).any() else "left is not high in these trials"
    below = (
        f"{session.name}, trials {trial[0]:g} to {trial[-1]:g} of {session.trials + session.skipped}; above: choices "
        f"of left, below: of right; long: rewarded\nbackground: {blue}; belief: of an observer that "
        f"knows the task's p, and q = {Q_STAY:g}"
    )
    figure, axes = grid_of_panels(f"{group.name}: a session", below, 3, 1, (13, 8))
    for each in axes:
        _shade(each, session.high[:shown], trial)
    _choices(axes[0], session, trial)
    fitted = group.fits.rflr if group.fits else None
    odds = session.odds
    if fitted is not None:
        psi = rflr.log_odds(stack, fitted.model)[0, :shown]
        axes[1].plot(trial, 1 / (1 + np.exp(-psi)), color=BLUE, label="RFLR: P(left)")
        axes[2].plot(trial, psi, color=BLUE, label="RFLR")
    if odds is not None and odds[0] > odds[1]:
        # The observer has the session's true p, so the line shows what the rewards say, not what a fit makes of them.
        belief = np.array(list(hmm.beliefs(stack, np.array([odds[0]]), np.array([Q_STAY]))))[:shown, 0, 0]
        axes[1].plot(trial, belief, color=RED, lw=1, label="belief that left is high")
        axes[2].plot(trial, np.log(belief / (1 - belief)), color=RED, lw=1, label="belief")
    axes[1].set(ylabel="probability", ylim=(-0.02, 1.02))
    axes[2].axhline(0, color="gray", lw=0.8)
    axes[2].set(ylabel="log-odds of left", xlabel="trial")
    for each in axes[1:]:
        if each.get_legend_handles_labels()[0]:
            legend_above(each)
    return figure


def _shade(axes: Axes, high: np.ndarray[tuple[int, ...], np.dtype[np.int8]], trial: Floats) -> None:
    edges = np.flatnonzero(np.diff(high)) + 1
    for first, last in zip((0, *edges), (*edges, len(high)), strict=True):
        if high[first] > 0:
            axes.axvspan(trial[first] - 0.5, trial[last - 1] + 0.5, color=SKY, alpha=0.25, lw=0)
    axes.set_xlim(trial[0] - 1, trial[-1] + 1)


def _choices(axes: Axes, session: ChoiceSession, trial: Floats) -> None:
    choice, reward = session.choice[: len(trial)], session.reward[: len(trial)] > 0
    for rewarded, length, color in ((True, 0.28, GREEN), (False, 0.14, BLACK)):
        at = reward == rewarded
        base = np.where(choice[at] > 0, 1.05, -0.05)
        axes.vlines(trial[at], base, base + length * choice[at], color=color, lw=1)
    window = np.ones(min(WINDOW, len(choice)))
    # Divided by the number of trials in the window, which is smaller at both ends.
    left = np.convolve(choice > 0, window, "same") / np.convolve(np.ones(len(choice)), window, "same")
    axes.plot(trial, left, color=ORANGE, lw=1.2)
    axes.set(ylabel=f"share of left, {WINDOW} trials", ylim=(-0.4, 1.4), yticks=(0, 0.5, 1))


def course(group: BanditGroup, settings: BanditSettings) -> Figure:
    """Draw rates by quarter and in the first trials of sessions, and trial durations (after figure S4)."""
    found = group.stability
    note = f"breaks: trials of more than 10 s; trends over a subject's sessions: {_trend(group)}"
    figure, axes = panels(group, settings, "changes within sessions", 3, note, 14)
    for each, parts in ((axes[0], found.quarters), (axes[1], found.early)):
        _rates(each, parts)
    at = np.arange(len(found.quarters))
    axes[2].plot(at, [part.duration_median_s for part in found.quarters], "o-", color=BLUE, label="median")
    axes[2].plot(at, [part.duration_mean_s for part in found.quarters], "s--", color=BLUE, label="mean")
    axes[2].set_xticks(at, [part.name for part in found.quarters], fontsize=8)
    axes[2].set(ylabel="duration of a trial (s)")
    from_zero(axes[2])
    breaks = axes[2].twinx()
    breaks.plot(at, [part.breaks for part in found.quarters], "^:", color=ORANGE)
    breaks.set_ylabel("share of breaks", color=ORANGE)
    breaks.spines["top"].set_visible(False)
    from_zero(breaks)
    legend_above(axes[2])
    return figure


def _trend(group: BanditGroup) -> str:
    trend = group.stability.trends.get("p_high")
    if trend is None:
        return "computed for single conditions only"
    slope = trend.slope
    if not slope.n:
        return "fewer than three sessions per subject"
    error = "" if np.isnan(slope.sem) else f" ± {slope.sem:.4f}"
    return f"P(high) {slope.mean:+.4f}{error} per session"


def _rates(axes: Axes, parts: Sequence[Part]) -> None:
    at = np.arange(len(parts))
    for name, label, color in (
        ("p_high", "P(high port)", BLUE),
        ("p_switch", "P(switch)", ORANGE),
        ("p_switch_after_reward", "P(switch) after reward", GREEN),
        ("p_switch_after_none", "P(switch) after none", RED),
    ):
        axes.plot(at, [part.rates[name] for part in parts], "o-", ms=4, color=color, label=label)
    axes.set_xticks(at, [part.name.replace("trials ", "") for part in parts], fontsize=8)
    axes.set(ylabel="probability")
    from_zero(axes, 1)
    legend_above(axes, 2)


def times_by_history(group: BanditGroup, settings: BanditSettings) -> Figure:
    """Draw times from center to side and to the next initiation, by the previous trial (after figure S1)."""
    found = group.timing_by_history
    note = "filled: median; open: mean; lines: mean ± mean absolute deviation from it, not below 0; n above each"
    figure, axes = panels(group, settings, "times by history", 2, note, 12)
    for each, kinds, title in (
        (axes[0], found.center_to_side_s, "center to side (s)"),
        (axes[1], found.initiation_s, "initiation, last poke to center (s)"),
    ):
        for place, (name, times) in enumerate(reversed(kinds.items())):
            color = GREEN if "reward" in name else BLACK
            if times.n:
                reach = [[min(times.mad, times.mean)], [times.mad]]
                each.errorbar(times.mean, place, xerr=reach, fmt="o", mfc="white", color=color, lw=0.8)
                each.plot(times.median, place, "o", color=color)
                each.annotate(f" {times.n}", (times.median, place), (2, 6), textcoords="offset points", fontsize=7)
        each.set_yticks(range(len(kinds)), list(reversed(kinds)))
        each.set(xlabel=title)
    axes[0].set_xlim(0, None)
    axes[1].set_xlim(0, None)
    return figure
