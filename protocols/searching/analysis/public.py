"""Rounds of public tables: the wide one of Wu et al. 2017, and the long one of later studies."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np

from protocols.searching.analysis.degenerate import uneven_rounds
from protocols.searching.analysis.reward_range import check_values, doubt_about, range_of
from protocols.searching.analysis.rounds import GridPerson, GridRound, GridVisit
from protocols.searching.grids.places import Grid
from protocols.searching.grids.reward_scales import RewardRange
from protocols.searching.tables.grid_long import LongRound, LongTable, is_long, read_long
from protocols.searching.tables.grid_wide import WidePerson, WideRound, read_wide
from rig.analysis.common.arrays import Floats

Told = dict[tuple[str, str, int], tuple[float, float] | None]
"""The range that a table says for each round, by subject, session and number."""

WIDE_GRID = Grid(11, 11)
"""The grid of the study, which a wide table does not name; one with tiles beyond it gets the smallest square."""


def of_file(path: Path, stated: RewardRange | None = None) -> GridVisit:
    """Read the visit of a public table; ``stated`` is the range of its rewards. Raises ``ConfigError``."""
    told: Told = {}
    if is_long(path):
        table = read_long(path)
        visit = of_long(path.stem, table)
        told = {(each.id, each.session, each.round): each.clicks[0].range for each in table.rounds}
    else:
        people = read_wide(path)
        visit = of_wide(path.stem, people)
        for person, row in zip(visit.people, people, strict=True):
            told |= {(person.subject, person.number, each.number): row.range for each in person.rounds}
    return _with_ranges(path, visit, told, stated)


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


def of_wide(name: str, people: list[WidePerson]) -> GridVisit:
    """Return the visit of a wide table."""
    largest = max((max(*each.x, *each.y) for person in people for each in person.rounds), default=0)
    grid = WIDE_GRID if largest < WIDE_GRID.width else Grid(largest + 1, largest + 1)
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


def of_long(name: str, table: LongTable) -> GridVisit:
    """Return the visit of a long table; each session of a person is one of its own."""
    grid = Grid(table.width, table.height)
    sessions: dict[tuple[str, str], list[LongRound]] = {}
    for each in table.rounds:
        sessions.setdefault((each.id, each.session), []).append(each)
    several = len({person for person, _ in sessions}) < len(sessions)
    found = (
        GridPerson(
            f"{name}/{person}" + (f"/{number}" if several else ""),
            person,
            _long_rounds(grid, rounds),
            number=number,
        )
        for (person, number), rounds in sessions.items()
    )
    return GridVisit(name, tuple(found))


def _long_rounds(grid: Grid, rounds: list[LongRound]) -> tuple[GridRound, ...]:
    return tuple(
        GridRound(
            number=each.round,
            grid=grid,
            condition="",
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
