"""Rounds of public tables: the wide one of Wu et al. 2017, and the long one of later studies."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np

from protocols.searching.analysis.degenerate import uneven_rounds
from protocols.searching.analysis.reward_range import check_values, doubt_about, range_of
from protocols.searching.analysis.rounds import GridPerson, GridRound, GridVisit
from protocols.searching.analysis.table_assumptions import long_notes, range_notes, size_note
from protocols.searching.analysis.table_sizes import WIDE_GRID, size_of_long, size_of_wide
from protocols.searching.grids.kernels import KERNELS
from protocols.searching.grids.places import Grid
from protocols.searching.grids.reward_scales import RewardRange
from protocols.searching.tables.grid_long import LongRound, LongTable, is_long, read_long
from protocols.searching.tables.grid_wide import WidePerson, WideRound, read_wide
from rig.analysis.common.arrays import Floats

Told = dict[tuple[str, str, int], tuple[float, float] | None]
"""The range that a table says for each round, by subject, session and number."""


def of_file(path: Path, stated: RewardRange | None = None, grid: Grid | None = None) -> GridVisit:
    """Read the visit of a public table. Raises ``ConfigError``.

    ``stated`` is the range of its rewards, ``grid`` the size of its grids.
    """
    return _of_long_file(path, stated, grid) if is_long(path) else _of_wide_file(path, stated, grid)


def _of_long_file(path: Path, stated: RewardRange | None, grid: Grid | None) -> GridVisit:
    table = read_long(path)
    size = size_of_long(path, table, grid)
    visit = _with_ranges(path, of_long(path.stem, table, size), _told_by_long(table), stated)
    notes = (size_note(path, size, grid, table.width_known), *long_notes(path, table, visit.people))
    return replace(visit, notes=(*notes, *range_notes(path, visit, stated), *visit.notes))


def _of_wide_file(path: Path, stated: RewardRange | None, grid: Grid | None) -> GridVisit:
    people = read_wide(path)
    size = size_of_wide(path, people, grid)
    visit = of_wide(path.stem, people, size)
    told: Told = {}
    for person, row in zip(visit.people, people, strict=True):
        told |= {(person.subject, person.number, each.number): row.range for each in person.rounds}
    visit = _with_ranges(path, visit, told, stated)
    note = size_note(path, size, grid, width_known=False, is_study=size == WIDE_GRID)
    return replace(visit, notes=(note, *range_notes(path, visit, stated), *visit.notes))


def _told_by_long(table: LongTable) -> Told:
    return {(each.id, each.session, each.round): each.clicks[0].range for each in table.rounds}


def _with_ranges(path: Path, visit: GridVisit, told: Told, stated: RewardRange | None) -> GridVisit:
    """Return a visit with the range of each round, what is uneven, and a doubt about an unstated range."""
    unstated: list[GridRound] = []
    people = []
    for person in visit.people:
        rounds = []
        for each in person.rounds:
            of_table = told[person.subject, person.number, each.number]
            where = f"{person.name}, round {each.number}"
            rounds.append(replace(each, range=range_of(path, where, of_table, stated)))
            unstated += [each] if of_table is None and stated is None else []
        people.append(replace(person, rounds=tuple(rounds)))
    doubt = doubt_about(path, unstated)
    if not doubt:
        check_values(path, people)
    return GridVisit(visit.name, tuple(people), tuple(uneven_rounds(people)), doubt)


def of_wide(name: str, people: list[WidePerson], grid: Grid = WIDE_GRID) -> GridVisit:
    """Return the visit of a wide table."""
    often: Counter[str] = Counter()
    found = []
    for person in people:
        often[person.id] += 1
        again = f"/{often[person.id]}" if often[person.id] > 1 else ""
        rounds = tuple(_wide_round(number, grid, person, each) for number, each in enumerate(person.rounds, 1))
        found.append(
            GridPerson(
                f"{name}/{person.id}{again}",
                person.id,
                rounds,
                person.payoff,
                person.environments,
                str(often[person.id]),
                paid=person.reward,
            )
        )
    return GridVisit(name, tuple(found))


def _wide_round(number: int, grid: Grid, person: WidePerson, each: WideRound) -> GridRound:
    count = len(each.x)
    return GridRound(
        number=number,
        grid=grid,
        condition=f"{person.payoff}-{person.environments}",
        horizon=count - 1,
        tile=np.array(each.y) * grid.width + np.array(each.x),
        drawn=np.array(each.drawn),
        shown=np.array(each.shown),
        latent=_unknown(count),
        kept=np.ones(count, bool),
        time_s=_unknown(count),
        environment=None if each.environment < 0 else each.environment,
        scale=None if np.isnan(each.scale) else each.scale,
    )


def of_long(name: str, table: LongTable, grid: Grid | None = None) -> GridVisit:
    """Return the visit of a long table; each session of a person is one of its own."""
    size = grid or Grid(table.width, table.height)
    sessions: dict[tuple[str, str], list[LongRound]] = {}
    for each in table.rounds:
        sessions.setdefault((each.id, each.session), []).append(each)
    several = len({person for person, _ in sessions}) < len(sessions)
    people = (
        GridPerson(
            f"{name}/{person}" + (f"/{number}" if several else ""),
            person,
            _long_rounds(size, rounds),
            environments=_environments(rounds),
            number=number,
            age=rounds[0].clicks[0].age,
            kernels_known=False,
        )
        for (person, number), rounds in sessions.items()
    )
    return GridVisit(name, tuple(people))


def _environments(rounds: list[LongRound]) -> str:
    """Return the class of a person's environments, ``rough`` or ``smooth``; empty for other conditions."""
    words = {each.clicks[0].condition.casefold() for each in rounds}
    return words.pop() if len(words) == 1 and words <= set(KERNELS) else ""


def _long_rounds(grid: Grid, rounds: list[LongRound]) -> tuple[GridRound, ...]:
    return tuple(
        GridRound(
            number=each.round,
            grid=grid,
            condition=each.clicks[0].condition,
            horizon=len(each.clicks) - 1,
            tile=np.array([click.y * grid.width + click.x for click in each.clicks]),
            drawn=np.array([click.drawn for click in each.clicks]),
            shown=np.array([click.shown for click in each.clicks]),
            latent=_unknown(len(each.clicks)),
            kept=np.ones(len(each.clicks), bool),
            time_s=np.array([click.time_ms for click in each.clicks]) / 1000,
        )
        for each in rounds
    )


def _unknown(count: int) -> Floats:
    return np.full(count, np.nan)
