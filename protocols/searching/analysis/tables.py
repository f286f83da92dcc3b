"""Tables of a report of a search on grids: one row per measure, trial, model, comparison or person."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from protocols.searching.analysis.results import GridGroup, GridResults, PersonResults
from rig.analysis.common.subjects import OverSubjects
from rig.analysis.common.tables import Rows, Table, number, spread

if TYPE_CHECKING:
    from protocols.searching.analysis.comparisons import Comparison
    from protocols.searching.analysis.fits import Fits
    from protocols.searching.analysis.recovery import Recovery
    from rig.analysis.common.mixed_logistic import MixedLogistic

LABELS = {
    "reward": ("reward of a click", 2),
    "score": ("reward of a planned click", 2),
    "largest": ("largest reward", 2),
    "unique": ("unique tiles", 2),
    "repeats": ("clicks on known tiles", 2),
    "variance": ("variance of locations", 2),
    "distance": ("distance from the tile before", 2),
    "survived": ("clicks of a round", 2),
    "full": ("rounds with all clicks", 3),
    "interval_s": ("median time between clicks (s)", 2),
}
PERSON_COLUMNS = (
    *("session", "condition", "rounds", "clicks", "reward", "score", "largest", "unique", "distance", "full", "bonus"),
)


def tables(found: GridResults) -> Iterator[Table]:
    """Yield the measures of all conditions, curves, comparisons and fits, then the people."""
    groups = list(found.groups.values())
    header = ("", *(group.name for group in groups))
    yield Table.of("people by condition; means over people ± s.e.m. of unscaled rewards", header, _measures(groups))
    if math.isfinite(found.bonus.mean):
        paid = (number(found.bonus.mean, 3), number(found.bonus.sd, 3), str(len(found.people)))
        yield Table.of("bonus of a session", ("mean", "SD", "people"), [paid])
    yield from _curves(groups)
    yield Table.of("comparisons", ("", "n", "test", "p", "difference"), map(_comparison, found.comparisons))
    if found.sets is not None:
        title = "chosen ~ S + M + G + (1 | participant): log-odds ± s.e., over all tiles before every click"
        yield Table.of(title, ("", "log-odds", "z", "p"), _sets(found.sets))
    if found.fits is not None:
        yield from _fits("all", found.fits)
        for group in groups:
            if group.fits is not None and len(groups) > 1:
                yield from _fits(group.name, group.fits)
    if found.recovery is not None:
        yield _recovery(found.recovery)
    aged = any(math.isfinite(each.age) for each in found.people)
    columns = (*PERSON_COLUMNS, "age") if aged else PERSON_COLUMNS
    yield Table.of_sessions(columns, (_person(each, aged=aged) for each in found.people))


def _measures(groups: Sequence[GridGroup]) -> Rows:
    yield ("people", *(str(group.people) for group in groups))
    yield ("rounds (clicks)", *(f"{group.rounds} ({group.clicks})" for group in groups))
    for name, (label, digits) in LABELS.items():
        yield (label, *(_mean(group.over[name], digits) for group in groups))
    yield ("distance of random choices", *(number(group.random_distance, 2) for group in groups))


def _mean(found: OverSubjects, digits: int) -> str:
    return spread(found.mean, found.sem, digits)


def _curves(groups: Sequence[GridGroup]) -> Iterator[Table]:
    for horizon in sorted({curve.horizon for group in groups for curve in group.curves}):
        shown = [group for group in groups if any(curve.horizon == horizon for curve in group.curves)]
        title = f"horizon {horizon}: reward, largest reward and share of rounds by clicks (bins of 5)"
        yield Table.of(title, ("clicks", *(group.name for group in shown)), _bins(shown, horizon))


def _bins(groups: Sequence[GridGroup], horizon: int) -> Rows:
    places = [next(at for at, curve in enumerate(group.curves) if curve.horizon == horizon) for group in groups]
    for at, first in enumerate(groups[0].binned[places[0]].first.tolist()):
        cells = []
        for group, place in zip(groups, places, strict=True):
            bins, reached = group.binned[place], group.curves[place].reached
            share = float(reached[first : first + 5].mean())
            cells.append(f"{number(bins.reward[at], 1)} {number(bins.largest[at], 1)} {number(share, 2)}")
        yield (f"{first}-{min(first + 4, horizon)}", *cells)


def _comparison(each: Comparison) -> tuple[str, ...]:
    if each.t_test is not None:
        found = each.t_test
        n = " + ".join(map(str, found.n))
        difference = f"{number(found.difference, 2)} (d = {number(found.d, 2)})"
        return (each.name, n, f"t({found.df}) = {found.t:.2f}", f"{found.p:.2g}", difference)
    if each.correlation is not None:
        return (each.name, str(each.correlation.n), f"r = {each.correlation.r:.2f}", f"{each.correlation.p:.2g}", "")
    if each.sign_test is not None:
        pairs = each.sign_test.n
        return (each.name, str(pairs), f"{each.sign_test.larger} of {pairs}", f"{each.sign_test.p:.2g}", "")
    return (each.name, "", "-", "-", "")


def _sets(found: MixedLogistic) -> Rows:
    for name, value, se, z, p in zip(found.names, found.value, found.se, found.z, found.p, strict=True):
        yield (name, spread(float(value), float(se), 3), number(float(z), 2), f"{float(p):.2g}")
    yield ("SD of participants", number(found.subject_sd, 3), "", "")
    if found.at_bound:
        yield ("a coefficient grows without limit: these values mean nothing", "", "", "")


def _fits(name: str, found: Fits) -> Iterator[Table]:
    people = len({each.person for each in found.people})
    title = f"{name}: cross-validated models, {people} people: R² ± s.e.m., whom a model predicts best, medians"
    yield Table.of(title, ("", "R²", "best of", "behind the best: t, p", "parameters"), _models(found))


def _models(found: Fits) -> Rows:
    for each in found.models:
        test = each.against_best
        behind = "" if test is None else f"t({test.df}) = {test.t:.2f}, {test.p:.2g}"
        medians = ", ".join(f"{name} {value:.3g}" for name, value in each.medians.items())
        yield (each.model, _mean(each.r2, 3), str(each.best), behind, medians)


def _recovery(found: Recovery) -> Table:
    title = (
        f"model recovery: {found.right:.0%} right; {found.people} simulated people in each row, best model in columns"
    )
    rows = ((name, *map(str, counts)) for name, counts in zip(found.models, found.counts.tolist(), strict=True))
    return Table.of(title, ("simulated with", *found.models), rows)


def _person(each: PersonResults, *, aged: bool) -> tuple[str, ...]:
    own = each.behavior
    age = (number(each.age, 0),) if aged else ()
    values = (own.reward, own.score, own.largest, own.unique, own.distance, own.full, each.bonus)
    condition = " + ".join(each.by_condition)
    return (each.name, condition, str(own.rounds), str(own.clicks), *(number(value, 2) for value in values), *age)
