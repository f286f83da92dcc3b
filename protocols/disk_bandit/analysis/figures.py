"""Figures of the disk bandit, after those of Racey et al. 2011. Needs matplotlib."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from protocols.disk_bandit.analysis.density import AROUND, DISK, densities
from protocols.disk_bandit.analysis.few_pecks import FEW, plot_sure
from protocols.disk_bandit.analysis.luce_figures import block_label, carried_over, luce, theta_by_number
from protocols.disk_bandit.analysis.pecks import Pecks
from protocols.disk_bandit.analysis.places_figures import star
from protocols.disk_bandit.analysis.results import DiskGroup, DiskResults, kept
from protocols.disk_bandit.analysis.return_figures import returns
from protocols.disk_bandit.analysis.traits_figure import against_traits
from rig.analysis.common.arrays import Floats, Ints
from rig.analysis.common.intervals import bars, wilson
from rig.analysis.common.style import BLACK, BLUE, ORANGE, SKY, from_zero, grid_of_panels, row_of_panels, whole_ticks
from rig.analysis.common.subjects import OverSubjects
from rig.terminal.format import pluralize

MOST_SUBJECTS = 24
"""Most panels; of more subjects this many are drawn, evenly spaced in the list."""

MOST_LINES = 12
"""Most lines of subjects that can be told apart in one panel."""

COLUMNS = 6
EMPTY_MAP = 1.0
"""Upper end of a map's scale if there are no pecks; imshow needs one above 0."""


def figures(found: DiskResults, sessions: Sequence[Pecks]) -> Iterator[tuple[str, Figure]]:
    """Yield file name and figure of every group of the report; ``sessions`` are those of the report."""
    groups = kept(sessions, found.settings.min_pecks)
    for name, group in found.groups.items():
        for kind, figure in _figures(group, groups[name]):
            yield f"{slug(name)}_{kind}", figure


def slug(name: str) -> str:
    """Return the group's name as part of a file name."""
    return re.sub(r"[^0-9A-Za-z.-]+", "_", name)


def _figures(group: DiskGroup, sessions: Sequence[Pecks]) -> Iterator[tuple[str, Figure]]:
    yield "shares", shares(group)
    yield "density", density(group, sessions)
    yield "blocks", blocks(group)
    if group.returns:
        several = _some(len(group.shares.subjects), MOST_LINES) if group.subjects > 1 else []
        yield "returns", returns(group, several, who(group))
    yield "rewarded", rewarded(group)
    if group.thetas is None:
        return
    yield "theta", luce(group, group.thetas, who(group))
    if group.thetas.carry_over is not None:
        yield "carry_over", carried_over(group, group.thetas.carry_over, who(group))
    if group.thetas.places is not None:
        yield "places", star(group, group.thetas.places, group.thetas.models, who(group))
    if group.traits:
        yield "traits", against_traits(group, who(group))
    if group.thetas.by_number:
        yield "sessions", theta_by_number(group, group.thetas, who(group))


def who(group: DiskGroup) -> str:
    """Return the sample sizes for a caption."""
    sessions, subjects = pluralize(group.sessions, "session"), pluralize(group.subjects, "subject")
    return f"n = {sessions} of {subjects}, {pluralize(group.pecks, 'peck')} on disks"


def shares(group: DiskGroup) -> Figure:
    """Draw P(disk) by VI or odds, with Luce's rule fitted to every subject and to all (after figures 3 and 9)."""
    found, fits = group.shares, group.thetas
    theta = {each.subject: each for each in fits.own} if fits else {}
    rule = (
        "" if fits is None else f"; line: Luce's rule with each subject's θ; θ of all {_named(fits.overall.value[0])}"
    )
    over = "; all subjects: s.e.m." if group.subjects > 1 else ""
    below = f"{who(group)}\nbars: 95 % (Wilson){over}{rule}"
    chosen = _some(len(found.subjects))
    count = len(chosen) + (len(found.subjects) > 1)
    figure, axes = _grid(f"{group.name}: choices", below, count)
    # Equal steps instead of a VI axis: the VIs span a factor of 2187.
    place = np.arange(len(found.pays))
    top = float(np.nanmax(wilson(found.p_disk.by_subject, found.n_by_subject[:, None])[1]))
    for each, subject in zip(axes, chosen, strict=False):
        own, n = found.p_disk.by_subject[subject], found.n_by_subject[subject]
        each.errorbar(place, own, bars(own, n), fmt="o-", ms=4, color=BLUE, lw=1)
        fitted = theta.get(found.subjects[subject])
        title = f"{found.subjects[subject]} ({n})"
        if fitted is not None:
            title += f"\nθ {_named(fitted.theta)}, R² {_named(fitted.r2)}"
            _draw_rule(each, place, _luce(found.value, fitted.theta))
        each.set_title(title, fontsize=9)
    if len(found.subjects) > 1:
        means = found.p_disk.mean
        if fits is not None:
            _draw_rule(axes[-1], place, _luce(found.value, float(fits.overall.value[0])))
        axes[-1].errorbar(place, *_means(means), fmt="s-", ms=5, color=BLACK, lw=1.4)
        axes[-1].set_title("all subjects", fontsize=10)
    for each in axes:
        each.set_xticks(place, [f"{pays:g}" for pays in found.pays], rotation=60, fontsize=8)
        from_zero(each, top)
    _outer(axes, _columns(count), _pays_label(group), "P(disk)")
    return figure


def _named(value: float) -> str:
    return f"{value:.2f}" if np.isfinite(value) else "-"


def _draw_rule(axes: Axes, place: Ints, curve: Floats | None) -> None:
    if curve is not None:
        axes.plot(place, curve, color=ORANGE, lw=1, zorder=0)


def _luce(value: Floats, theta: float) -> Floats | None:
    if not np.isfinite(theta):
        return None
    weight = np.exp(theta * (value - value.max()))
    return np.asarray(weight / weight.sum())


def density(group: DiskGroup, sessions: Sequence[Pecks]) -> Figure:
    """Draw the density of every subject's pecks (after figure 4)."""
    found = densities(sessions)
    chosen = [found[place] for place in _some(len(found))]
    below = f"{who(group)}\ncircles: disks, at positions fitted to the pecks on them"
    figure, axes = _grid(f"{group.name}: density of pecks", below, len(chosen), square=True)
    for each, own in zip(axes, chosen, strict=True):
        shade = 100 * own.count / own.n
        reach = (own.edges_cm[0], own.edges_cm[-1])
        darkest = _darkest(own.count, own.n)
        each.imshow(shade, cmap="Grays", vmin=0, vmax=darkest, origin="lower", extent=(*reach, *reach))
        for x, y in AROUND[own.shown] * own.radius_cm:
            each.add_patch(Circle((x, y), DISK * own.radius_cm, fill=False, ec=ORANGE, lw=1))
        each.set_title(f"{own.subject} ({own.n})", fontsize=10)
    _outer(axes, _columns(len(chosen)), "cm", "cm")
    return figure


def _darkest(count: Ints, n: int) -> float:
    """Return the upper end of the scale: the 98th percentile of squares with pecks, so one hot spot hides nothing."""
    hit = count[count > 0]
    return float(100 * np.quantile(hit, 0.98) / n) if hit.size else EMPTY_MAP


def blocks(group: DiskGroup) -> Figure:
    """Draw P(disk) by block for every subject."""
    found, course = group.shares, group.course
    chosen = _some(len(found.subjects))
    below = f"{who(group)}\none line per disk, by its VI or odds; {FEW} in the block"
    figure, axes = _grid(f"{group.name}: choices by block", below, len(chosen))
    colors = mpl.colormaps["viridis"](np.linspace(0, 0.92, len(found.pays)))
    top = float(np.nanmax(course.p_disk_by_subject))
    for each, subject in zip(axes, chosen, strict=True):
        for disk, (pays, color) in enumerate(zip(found.pays, colors, strict=True)):
            own = course.p_disk_by_subject[subject, :, disk]
            plot_sure(each, course.block, own, course.n_by_subject[subject], color, f"{pays:g}")
        each.set(title=found.subjects[subject], xlim=(0.5, course.block[-1] + 0.5))
        from_zero(each, top)
        each.title.set_fontsize(10)
        whole_ticks(each.xaxis)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center", fontsize=8, frameon=False, title=_unit(group))
    _outer(axes, _columns(len(chosen)), block_label(group), "P(disk)")
    return figure


def rewarded(group: DiskGroup) -> Figure:
    """Draw the share of rewarded pecks by value and by block (after figures 2 and 5)."""
    found, course = group.shares, group.course
    several = group.subjects > 1
    thin = f"thin: every subject; {FEW}; thick: all pecks; " if several else ""
    below = f"{who(group)}\n{thin}bars: 95 % (Wilson)"
    figure, (met, over) = row_of_panels(f"{group.name}: rewarded pecks", below, 2, 11)
    for own, n in zip(found.p_reward.by_subject, found.n_of_disks, strict=True) if several else ():
        plot_sure(met, found.value, own, n, SKY)
    met.errorbar(found.value, found.p_reward.pooled, bars(found.p_reward.pooled, found.n), fmt="o-", ms=5, color=BLUE)
    labels = [f"{value:.1f}\n{pays:g}" for value, pays in zip(found.value, found.pays, strict=True)]
    shown = np.isfinite(found.value)
    met.set_xticks(found.value[shown], [label for label, known in zip(labels, shown, strict=True) if known], fontsize=8)
    met.set(xlabel=_value_label(group), ylabel="share of a disk's pecks that were rewarded")
    from_zero(met)
    for own, n in zip(course.rewarded.by_subject, course.n_by_subject, strict=True) if several else ():
        plot_sure(over, course.block, own, n, SKY)
    over.errorbar(
        course.block, course.rewarded.pooled, bars(course.rewarded.pooled, course.n), fmt="o-", ms=5, color=BLUE
    )
    over.set(xlabel=block_label(group), ylabel="share of the pecks that were rewarded")
    from_zero(over)
    whole_ticks(over.xaxis)
    return figure


def _means(found: Sequence[OverSubjects]) -> tuple[Floats, Floats]:
    """Return means and standard errors; the error is 0 with one subject."""
    return np.array([each.mean for each in found]), np.nan_to_num([each.sem for each in found])


def _some(count: int, most: int | None = None) -> list[int]:
    chosen: list[int] = np.unique(np.linspace(0, count - 1, min(count, most or MOST_SUBJECTS)).astype(int)).tolist()
    return chosen


def _columns(count: int) -> int:
    """Return the number of columns, at most six: a grid not taller than wide, with the fewest empty panels."""
    wide = (columns for columns in range(1, COLUMNS + 1) if -(-count // columns) <= columns)
    return min(wide, key=lambda columns: -count % columns)


def _grid(title: str, below: str, count: int, square: bool = False) -> tuple[Figure, list[Axes]]:
    columns = _columns(count)
    rows = -(-count // columns)
    wide, high = (2.9, 2.9) if square else (3.2, 2.6)
    return grid_of_panels(title, below, count, columns, (max(6.5, 1 + wide * columns), 1.6 + high * rows))


def _outer(axes: Sequence[Axes], columns: int, x: str, y: str) -> None:
    """Set axis labels on the left and bottom edges of a grid."""
    for place, each in enumerate(axes):
        if place % columns == 0:
            each.set_ylabel(y)
        if place + columns >= len(axes):
            each.set_xlabel(x)


def _timed(group: DiskGroup) -> bool:
    """Whether disks pay by intervals."""
    return bool(group.returns)


def _unit(group: DiskGroup) -> str:
    return "VI (s)" if _timed(group) else "P(reward)"


def _pays_label(group: DiskGroup) -> str:
    return "VI of the disk (s)" if _timed(group) else "reward probability of the disk"


def _value_label(group: DiskGroup) -> str:
    return "ln(1/VI); below: VI (s)" if _timed(group) else "ln of the reward probability; below: reward probability"
