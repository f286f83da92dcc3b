"""Notes about a public table: what was taken for certain that it does not say, and how models read its rewards."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from protocols.searching.analysis.reward_range import OPTION as RANGE_OPTION
from protocols.searching.analysis.rounds import GridPerson, GridVisit
from protocols.searching.analysis.table_sizes import OPTION as SIZE_OPTION
from protocols.searching.grids.kernels import KERNELS
from protocols.searching.grids.places import Grid
from protocols.searching.grids.reward_scales import GRID, PERCENT, RewardRange
from protocols.searching.tables.grid_long import COLUMNS, CONDITION, FURTHER, LongTable
from protocols.searching.tables.grid_range import RANGE
from rig.system.delimited_text import header_of
from rig.table_files.read_table import known_names
from rig.terminal.format import pluralize


def size_note(path: Path, size: Grid, stated: Grid | None, width_known: bool, *, is_study: bool = False) -> str:
    """Return where the size of the grids is from."""
    if stated is not None:
        source = f"as {SIZE_OPTION} says"
    elif is_study:
        source = "as in the study"
    else:
        source = f"{'by chosen and' if width_known else 'by the largest x and'} the largest y"
    return f"{path.name}: grids of {size.width} x {size.height} tiles, {source}; {SIZE_OPTION} states another size"


def long_notes(path: Path, table: LongTable, people: Sequence[GridPerson]) -> Iterator[str]:
    """Yield what a long table has: rounds, conditions, ages, and columns that are not read."""
    horizons = sorted({each.clicks for person in people for each in person.rounds})
    rounds = pluralize(len(table.rounds), "round")
    yield (
        f"{path.name}: {pluralize(len(people), 'person', 'people')}, {rounds} of {_listed(horizons)} clicks; trial 0 "
        "is the revealed tile, which is no click"
    )
    conditions = Counter(person.condition for person in people)
    if set(conditions) == {""}:
        yield f"{path.name}: no column {' or '.join(CONDITION)}: all rounds form one group"
    else:
        counts = ", ".join(f"{name or 'none'} ({count})" for name, count in sorted(conditions.items()))
        yield f"{path.name}: people by condition: {counts}"
    if any(person.environments in KERNELS for person in people):
        yield f"{path.name}: the lambda of its rough and smooth environments is unknown: no test against it"
    ages = [person.age for person in people if math.isfinite(person.age)]
    if ages:
        yield f"{path.name}: {len(ages)} of {len(people)} people have an age: {min(ages):g} to {max(ages):g} years"
    names = [name for name in known_names(header_of(path), (*COLUMNS, *FURTHER)) if name]
    if unread := [name for name in names if name not in (*COLUMNS, *FURTHER)]:
        yield f"{path.name}: columns that are not read: {', '.join(unread)}"


def range_notes(path: Path, visit: GridVisit, stated: RewardRange | None) -> Iterator[str]:
    """Yield how models read the rewards; nothing while the range is in doubt."""
    if visit.doubt:
        return
    rounds = [each for person in visit.people for each in person.rounds]
    drawn = np.concatenate([each.drawn[np.isfinite(each.drawn)] for each in rounds])
    if not drawn.size:
        return
    ranges = sorted({each.range for each in rounds})
    source = f"as {RANGE_OPTION} says" if stated else f"as neither {RANGE_OPTION} nor {' and '.join(RANGE)} say another"
    if not stated and ranges != [PERCENT]:
        source = f"as {' and '.join(RANGE)} say"
    for low, high in ranges:
        width = (high - low) / 100
        center, spread = low + GRID.center * width, GRID.spread * width
        yield (
            f"{path.name}: rewards are {drawn.min():g} to {drawn.max():g}, with noise; their range is {low:g} to "
            f"{high:g}, {source}; models read (reward - {center:g}) / {spread:g}"
        )


def _listed(numbers: Sequence[int]) -> str:
    if len(numbers) > 3:
        return f"{numbers[0]} to {numbers[-1]}"
    return " or ".join(map(str, numbers))
