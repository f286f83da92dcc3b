"""Figures of searches on grids, after those of Wu et al. 2017 and Schulz et al. 2018. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from protocols.searching.analysis.bands import Earned, draw_band
from protocols.searching.analysis.behavior import behavior
from protocols.searching.analysis.fit_figures import confusion, parameters, r_squared, simulated
from protocols.searching.analysis.fits import Fits
from protocols.searching.analysis.models import RISKY_MODELS
from protocols.searching.analysis.results import GridGroup, GridResults, GridSettings
from protocols.searching.analysis.risky_fit_comparisons import lambda_and_score
from protocols.searching.analysis.risky_fit_figures import lambda_against_score, learners_and_strategies, played
from protocols.searching.analysis.rounds import GridPerson, GridRound
from rig.analysis.common.arrays import Floats, mean
from rig.analysis.common.intervals import Z_95
from rig.analysis.common.mixed_logistic import MixedLogistic
from rig.analysis.common.style import (
    BLACK,
    BLUE,
    GREEN,
    ORANGE,
    PINK,
    RED,
    SKY,
    from_zero,
    grid_of_panels,
    legend_above,
    row_of_panels,
    whole_ticks,
)
from rig.analysis.common.subjects import over_subjects
from rig.terminal.format import pluralize

COLORS = (BLUE, ORANGE, GREEN, RED, PINK, SKY, BLACK)
EARNED: Mapping[Earned, str] = {"reward": "reward of a click", "largest": "largest reward"}


def figures(found: GridResults, people: Sequence[GridPerson], settings: GridSettings) -> Iterator[tuple[str, Figure]]:
    """Yield file name and figure."""
    groups = list(found.groups.values())
    yield "curves", curves(groups, settings.risky)
    yield "search", search(groups, found, settings.risky)
    if settings.risky:
        yield "rounds", survival(groups, found)
    else:
        yield from _of_the_grid(found, people, settings)
    if found.sets is not None:
        yield "sets", sets(found.sets)
    if found.fits is not None:
        yield "models", r_squared(found.fits, groups)
        if figure := parameters(found.fits, groups):
            yield "parameters", figure
        if settings.risky:
            yield from _of_risky_fits(found, found.fits)
    if found.recovery is not None:
        yield "recovery", confusion(found.recovery)


def _of_risky_fits(found: GridResults, fits: Fits) -> Iterator[tuple[str, Figure]]:
    if {each.model for each in fits.models} >= set(RISKY_MODELS):
        yield "learners", learners_and_strategies(fits)
    if found.fitted_rounds:
        yield "played", played(list(found.fitted_rounds.values()))
        scores = {each.name: each.behavior.score for each in found.people}
        yield "lambda", lambda_against_score(*lambda_and_score(fits, scores))


def _of_the_grid(
    found: GridResults, people: Sequence[GridPerson], settings: GridSettings
) -> Iterator[tuple[str, Figure]]:
    if any(person.environments for person in people):
        yield "conditions", conditions(people)
    if settings.tests:
        from protocols.searching.analysis.belief_figure import belief_figure

        if figure := belief_figure(people, found.fits):
            yield "belief", figure
    if found.fits is not None:
        from protocols.searching.analysis.played import played_models

        if played := played_models(people, found.fits, settings.seed):
            yield "simulated", simulated(played, people)


def who(groups: Sequence[GridGroup]) -> str:
    """Return the sample sizes for a caption."""
    each = (
        f"{group.name}: {pluralize(group.people, 'session')}, {pluralize(group.clicks, 'click')}" for group in groups
    )
    return "; ".join(each)


def curves(groups: Sequence[GridGroup], risky: bool) -> Figure:
    """Draw reward and largest reward by trial, for each horizon (figure 3A and B of Wu et al. 2017)."""
    horizons = sorted({curve.horizon for group in groups for curve in group.curves})
    below = f"{who(groups)}\ntrial 1 is the revealed tile; shaded: s.e.m. over sessions; unscaled rewards"
    if risky:
        below += "; only rounds that reached the trial; dotted: random clicks"
    count = 2 * len(horizons)
    figure, axes = grid_of_panels("rewards by trial", below, count, 2, (10, 1.5 + 3.3 * len(horizons)))
    for row, horizon in enumerate(horizons):
        for panel, (name, label) in zip(axes[2 * row : 2 * row + 2], EARNED.items(), strict=True):
            for color, group in zip(_colors(len(groups)), groups, strict=True):
                for own in group.curves:
                    if own.horizon == horizon:
                        draw_band(panel, own, name, color, group.name)
            if risky and name == "reward":
                panel.axhline(_mean_outcome(groups), ls=":", color="0.4", lw=1.2)
            panel.set(xlabel="trial", ylabel=label, title=f"{horizon} clicks")
            panel.title.set_fontsize(10)
            whole_ticks(panel.xaxis)
    _one_legend(figure, axes[0])
    return figure


def _mean_outcome(groups: Sequence[GridGroup]) -> float:
    """Return the mean value of random clicks, over groups."""
    return mean(np.array([group.random_outcome for group in groups]))


def search(groups: Sequence[GridGroup], found: GridResults, risky: bool) -> Figure:
    """Draw how people search: unique tiles, clicks on known tiles, variance of locations, and distance.

    The first three are in figure 3C and D of Wu et al. 2017.
    """
    names = (("unique", "unique tiles"), ("repeats", "clicks on known tiles"), ("variance", "variance of locations"))
    shown = (*names, ("distance", "distance from the tile before"))
    below = f"{who(groups)}\npoints: sessions, means over rounds; bars: mean ± s.e.m.; dotted: random choices"
    figure, axes = row_of_panels("search", below, len(shown), 13)
    for panel, (name, label) in zip(axes, shown, strict=True):
        _points_of_groups(panel, groups, found, name)
        panel.set_ylabel(label)
        from_zero(panel)
    for place, group in enumerate(groups):
        axes[-1].plot([place - 0.35, place + 0.35], [group.random_distance] * 2, ":", color="0.4", lw=1.2)
    from_zero(axes[-1], max(axes[-1].dataLim.y1, *(group.random_distance for group in groups), 0))
    return figure


def _points_of_groups(axes: Axes, groups: Sequence[GridGroup], found: GridResults, name: str) -> None:
    draw = np.random.default_rng(1)
    for place, (group, color) in enumerate(zip(groups, _colors(len(groups)), strict=True)):
        own = (each.by_condition[group.name] for each in found.people if group.name in each.by_condition)
        values = np.array([getattr(each, name) for each in own], float)
        axes.plot(place + draw.uniform(-0.15, 0.15, values.size), values, ".", ms=4, color=color, alpha=0.6)
        mean = group.over[name]
        axes.errorbar(place, mean.mean, np.nan_to_num(mean.sem), fmt="_", ms=22, color=BLACK, lw=1.5, zorder=3)
    axes.set_xticks(range(len(groups)), [group.name for group in groups], rotation=25, fontsize=8, ha="right")
    axes.set_xlim(-0.6, len(groups) - 0.4)


def conditions(people: Sequence[GridPerson]) -> Figure:
    """Draw reward and largest reward by environments and horizon (figure 3E of Wu et al. 2017)."""
    below = "points: people, means over rounds; bars: mean ± s.e.m. over people; unscaled rewards"
    figure, axes = row_of_panels("performance by environments and horizon", below, 2, 9)
    classes = sorted({person.environments for person in people if person.environments}, reverse=True)
    horizons = sorted({each.horizon for person in people for each in person.rounds})
    draw = np.random.default_rng(1)
    for panel, (name, label) in zip(axes, EARNED.items(), strict=True):
        for place, environments in enumerate(classes):
            for horizon, color, side in zip(horizons, _colors(len(horizons)), _sides(len(horizons)), strict=True):
                own = [person.rounds for person in people if person.environments == environments]
                values = np.array([_measure(rounds, horizon, name) for rounds in own])
                x = place + side
                panel.plot(x + draw.uniform(-0.06, 0.06, values.size), values, ".", ms=4, color=color, alpha=0.5)
                mean = over_subjects(values)
                panel.errorbar(x, mean.mean, np.nan_to_num(mean.sem), fmt="_", ms=18, color=BLACK, zorder=3)
                panel.plot([], [], "o", ms=5, color=color, label=f"{horizon} clicks" if place == 0 else None)
        panel.set_xticks(range(len(classes)), classes)
        panel.set(ylabel=label, xlim=(-0.6, len(classes) - 0.4))
        legend_above(panel)
    return figure


def _measure(rounds: Sequence[GridRound], horizon: int, name: str) -> float:
    return float(getattr(behavior([each for each in rounds if each.horizon == horizon]), name))


def _sides(count: int) -> list[float]:
    """Return where the points of ``count`` horizons lie beside a tick."""
    return list(0.4 * (np.arange(count) - (count - 1) / 2) / max(1, count - 1))


def survival(groups: Sequence[GridGroup], found: GridResults) -> Figure:
    """Draw the share of rounds that go on by click, the clicks of a round, and the rewards of sessions."""
    below = (
        f"{who(groups)}\nleft: share of all rounds; middle and right: points are sessions, bars mean ± s.e.m.\n"
        "dotted: random choices; right: what a random click keeps, on average"
    )
    figure, (going, clicks, score) = row_of_panels("rounds", below, 3, 12)
    for color, group in zip(_colors(len(groups)), groups, strict=True):
        for own in group.curves:
            going.plot(own.trial[1:] - 1, own.reached[1:], "o-", ms=3, lw=1.3, color=color, label=group.name)
        random = group.random_reached
        going.plot(np.arange(1, random.size + 1), random, ":", color=color, lw=1.2)
    going.set(xlabel="click", ylabel="share of rounds with this click")
    from_zero(going, 1.0)
    whole_ticks(going.xaxis)
    legend_above(going)
    _points_of_groups(clicks, groups, found, "survived")
    clicks.set_ylabel("clicks of a round")
    from_zero(clicks)
    _points_of_groups(score, groups, found, "score")
    score.set_ylabel("reward of a planned click")
    for place, group in enumerate(groups):
        for panel, chance in ((clicks, float(group.random_reached.sum())), (score, group.random_reward)):
            panel.plot([place - 0.35, place + 0.35], [chance] * 2, ":", color="0.4", lw=1.2)
    from_zero(score)
    return figure


def sets(found: MixedLogistic) -> Figure:
    """Draw the coefficients of the regression on the sets of SafeOpt, with 95 % intervals (Wald)."""
    below = (
        f"n = {found.subjects} sessions, {found.answers} tiles before clicks; SD of sessions {found.subject_sd:.2f}\n"
        "chosen ~ S + M + G + (1 | participant), log-odds; bars: 95 % (Wald)"
    )
    figure, (axes,) = row_of_panels("choices by the sets of SafeOpt", below, 1, 6)
    place = np.arange(1, len(found.names))
    axes.errorbar(place, found.value[1:], Z_95 * _finite(found.se[1:]), fmt="o", color=BLUE, ms=6)
    axes.axhline(0, color="0.5", lw=0.8)
    axes.set_xticks(place, found.names[1:])
    axes.set(ylabel="log-odds", xlim=(0.4, len(found.names) - 0.4))
    return figure


def _finite(values: Floats) -> Floats:
    return np.asarray(np.nan_to_num(values))


def _colors(count: int) -> list[str]:
    return [COLORS[place % len(COLORS)] for place in range(count)]


def _one_legend(figure: Figure, axes: Axes) -> None:
    handles, labels = axes.get_legend_handles_labels()
    if len(labels) > 1:
        figure.legend(handles, labels, loc="outside right center", fontsize=8, frameon=False)
