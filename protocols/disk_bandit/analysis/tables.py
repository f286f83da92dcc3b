"""Tables of a report of the disk bandit: one row per block, disk, subject or session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from protocols.disk_bandit.analysis.results import DiskGroup, DiskResults, DiskSessionResults
from rig.analysis.common.subjects import OverSubjects
from rig.analysis.common.tables import Rows, Table, number, spread

if TYPE_CHECKING:
    from protocols.disk_bandit.analysis.luce import Goodness
    from protocols.disk_bandit.analysis.places import Places
    from protocols.disk_bandit.analysis.share_models import EffectTest, ShareModel
    from protocols.disk_bandit.analysis.thetas import Coefficient, Thetas

SESSION_COLUMNS = (*("session", "pecks", "rewards", "last block", "P(best)", "θ", "changes", "run", "latency"),)
OF_SESSIONS = (
    "sessions: pecks on disks, last block with a peck, share of the best disk, theta, changes of disk per pair of "
    "pecks, mean run of pecks on one disk, median latency (s) where disks come one by one"
)
BLOCK_COLUMNS = (
    *("block", "sessions", "pecks", "rate", "rewarded", "θ ± s.e.", "θ, subjects", "with locations"),
    *("current", "previous"),
)
OF_BLOCKS = (
    "sessions with pecks, rate relative to the highest (over sessions with pecks), share rewarded; theta ± the larger "
    "s.e., mean of subjects ± s.e.m., with constants of locations; weights of this and of the previous session's VI"
)
MOST_SUBJECTS = 24
"""Most subjects listed one by one; ``--json`` has all of them."""


def tables(found: DiskResults) -> Iterator[Table]:
    """Yield the overview of all groups, the tables of every group, and that of the sessions."""
    groups = list(found.groups.values())
    header = ("", *(group.name for group in groups))
    yield Table.of("sessions by schedule of the disks", header, _overview(groups))
    for group in groups:
        yield from _of_group(group)
    yield Table.of_sessions(SESSION_COLUMNS, map(_session, found.sessions), OF_SESSIONS)


def _overview(groups: Sequence[DiskGroup]) -> Rows:
    if not groups:
        return
    yield ("sessions (subjects)", *(f"{group.sessions} ({group.subjects})" for group in groups))
    for name in ("pecks", "rewards"):
        each = [getattr(group, f"{name}_per_session") for group in groups]
        yield (f"{name} per session, ± SD", *(spread(value.mean, value.sd, 1) for value in each))
    shares = (f"{group.with_data} of {group.session_blocks} ({group.occupancy:.3f})" for group in groups)
    yield ("session-blocks with pecks", *shares)
    for name, digits in (("changeover", 3), ("run_length", 2)):
        yield (name.replace("_", " "), *(_mean(getattr(group.stays, name), digits) for group in groups))
    fits = [group.thetas for group in groups]
    yield ("θ of all blocks ± s.e.", *("-" if fit is None else _robust(fit.overall, 0) for fit in fits))
    yield ("θ by block: ln L, BIC, R²", *(_goodness(fit.goodness if fit else None) for fit in fits))
    beside = [fit.locations if fit else None for fit in fits]
    yield ("  sessions with known locations", *(_goodness(each.without if each else None) for each in beside))
    yield ("  the same, with locations", *(_goodness(each.goodness if each else None) for each in beside))
    models = [fit.models if fit else None for fit in fits]
    for name, own in (
        ("block", [of.block if of else None for of in models]),
        ("block and place", [of.block_and_place if of else None for of in models]),
        ("block x place", [of.block_by_place if of else None for of in models]),
        ("block x session", [of.block_by_session if of else None for of in models]),
    ):
        if any(own):
            yield (f"shares, θ by {name}: BIC, R²", *map(_explained, own))
            yield ("  SD of θ of subjects; F", *map(_effects, own))


def _goodness(found: Goodness | None) -> str:
    return "-" if found is None else f"{found.ll:.1f}, {found.bic:.1f}, {number(found.r2, 3)} ({found.parameters})"


def _explained(model: ShareModel | None) -> str:
    if model is None:
        return "-"
    found = model.explained
    return f"{found.bic:.1f}, {number(found.r2, 3)} ({found.parameters})"


def _effects(model: ShareModel | None) -> str:
    if model is None:
        return "-"
    tested = (f"{name} {_effect(test)}" for name, test in model.effects.items())
    return "; ".join([number(model.explained.subjects_sd, 3), *tested])


def _effect(test: EffectTest) -> str:
    return f"F({test.df}, {test.residual_df}) = {test.f:.2f}, p = {test.p:.2g}"


def _of_group(group: DiskGroup) -> Iterator[Table]:
    yield Table.of(f"{group.name}: {OF_BLOCKS}", BLOCK_COLUMNS, _blocks(group))
    pays = [f"{pays:g}" for pays in group.shares.pays]
    yield Table.of(
        f"{group.name}: P(disk) by VI or odds; rank of the most chosen disk, and largest share of a disk in a block",
        ("", "pecks", *pays, "most", "in a block"),
        _shares(group),
    )
    if group.thetas is not None and len(group.thetas.own) <= MOST_SUBJECTS:
        title = f"{group.name}: theta of every subject ± the larger s.e., and R² of its shares by VI or odds"
        yield Table.of(title, ("", "pecks", "θ ± s.e.", "R²"), _own(group.thetas))
    if group.thetas is not None and group.thetas.places is not None:
        places = group.thetas.places
        title = f"{group.name}: theta by location, clockwise from the top: all ± s.e. over sessions, and each subject"
        yield Table.of(title, ("", *(str(place) for place in range(len(places.theta)))), _by_place(places))
    if group.traits:
        title = f"{group.name}: theta against traits"
        yield Table.of(title, ("", "subjects", "rank correlation, or difference"), _traits(group))
    if group.thetas is not None and group.thetas.by_number:
        header = ("block", *(f"session {number}" for number in group.thetas.by_number))
        yield Table.of(f"{group.name}: theta by block and session", header, _by_number(group, group.thetas))
    if group.thetas is not None and group.thetas.locations is not None:
        bias = group.thetas.locations.bias
        columns = [str(place) for place in range(len(bias))]
        title = f"{group.name}: constants of locations (log-odds, mean of subjects ± s.e.m.), clockwise from the top"
        sem = group.thetas.locations.bias_sem
        cells = (spread(float(value), float(by), 2) for value, by in zip(bias, sem, strict=True))
        yield Table.of(title, ("", *columns), iter([("location", *cells)]))


def _blocks(group: DiskGroup) -> Rows:
    course, fits = group.course, group.thetas
    locations = fits.locations if fits else None
    carry_over = fits.carry_over if fits else None
    for place, block in enumerate(course.block.tolist()):
        theta = beside = current = previous = subjects = "-"
        if fits is not None:
            theta, subjects = _at(fits.by_block, block), _subjects_at(fits.by_block, block)
        if locations is not None and block in locations.block:
            at = locations.block.tolist().index(block)
            beside = _sure(locations.theta[at], locations.se[at], locations.robust_se[at])
        if carry_over is not None:
            current, previous = _at(carry_over.current, block), _at(carry_over.previous, block)
        yield (
            *(str(value) for value in (block, course.sessions[place], course.n[place])),
            f"{number(float(course.rate[place]), 2)} ({number(float(course.rate_where_any[place]), 2)})",
            spread(float(course.rewarded.pooled[place]), float(course.rewarded.se[place]), 3),
            *(theta, subjects, beside, current, previous),
        )


def _at(found: Coefficient, block: int) -> str:
    return _robust(found, found.block.tolist().index(block)) if block in found.block else "-"


def _robust(found: Coefficient, place: int) -> str:
    return _sure(found.value[place], found.se[place], found.robust_se[place])


def _sure(value: float, se: float, robust_se: float) -> str:
    """Return a coefficient with the larger of its errors; without an error for fewer than three sessions."""
    return spread(float(value), float(np.maximum(se, robust_se)), 3)


def _subjects_at(found: Coefficient, block: int) -> str:
    return _mean(found.by_subject[found.block.tolist().index(block)], 3) if block in found.block else "-"


def _mean(found: OverSubjects, digits: int) -> str:
    return spread(found.mean, found.sem, digits)


def _shares(group: DiskGroup) -> Rows:
    found = group.shares
    if len(found.subjects) <= MOST_SUBJECTS:
        most = {each.subject: (f"no. {each.rank}", *_numbers([each.share_in_a_block])) for each in group.largest}
        for subject, n, own in zip(found.subjects, found.n_by_subject, found.p_disk.by_subject, strict=True):
            yield (subject, str(n), *_numbers(own), *most.get(subject, ("-", "-")))
    yield ("mean of subjects", "", *_numbers(each.mean for each in found.p_disk.mean), "", "")
    yield ("s.e.m.", "", *_numbers(each.sem for each in found.p_disk.mean), "", "")
    yield ("pooled", str(found.n.sum()), *_numbers(found.p_disk.pooled), "", "")
    yield ("rewarded pecks", str(group.rewards), *_numbers(found.p_reward.pooled), "", "")


def _numbers(values: Iterable[float]) -> list[str]:
    return [number(float(value), 3) for value in values]


def _own(found: Thetas) -> Rows:
    for each in found.own:
        yield (each.subject, str(each.n), _sure(each.theta, each.se, each.robust_se), number(each.r2, 3))


def _by_place(found: Places) -> Rows:
    yield ("all", *(spread(float(value), float(by), 3) for value, by in zip(found.theta, found.se, strict=True)))
    if len(found.subjects) <= MOST_SUBJECTS:
        for subject, own in zip(found.subjects, found.own, strict=True):
            yield (subject, *_numbers(own))


def _traits(group: DiskGroup) -> Rows:
    for trait in group.traits:
        tested = "-"
        if trait.correlation is not None:
            tested = f"rho = {number(trait.correlation.rho, 3)}, p = {trait.correlation.p:.2g}"
        elif trait.difference is not None:
            tested = f"H({trait.difference.df}) = {trait.difference.h:.2f}, p = {trait.difference.p:.2g}"
        yield (trait.name, str(len(trait.subjects)), tested)


def _by_number(group: DiskGroup, found: Thetas) -> Rows:
    for block in group.course.block.tolist():
        yield (str(block), *(_at(own, block) for own in found.by_number.values()))


def _session(session: DiskSessionResults) -> tuple[str, ...]:
    return (
        session.name,
        *(str(value) for value in (session.pecks, session.rewards, session.last_block)),
        *(number(value, 3) for value in (session.p_best, session.theta, session.changeover)),
        *(number(value, 2) for value in (session.run_length, session.latency_s)),
    )
