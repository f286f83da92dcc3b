"""Rounds of a session that ``rig`` recorded, from the rows of its trials and of its rounds."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from typing import Any, get_args

import numpy as np

from protocols.searching.analysis.rounds import GridPerson, GridRound, GridVisit
from protocols.searching.grids.kernels import Reading, read_kernel, with_step
from protocols.searching.grids.places import Grid
from protocols.searching.grids.reward_scales import PERCENT
from rig.analysis.common.arrays import Floats, column
from rig.core.errors import ConfigError
from rig.core.journal.header import Header
from rig.records.journal.read import Row
from rig.records.recorded_session import RecordedSession

ROUNDS = "rounds"
"""The further table with one row per round."""

DECIMALS = 4
"""Of a reward without noise, as the task compares it with the line."""
PAYOFFS = ("average", "maximum")
MOST_ROUNDS = 10_000
MOST_SIDE = 1000


def of_session(session: RecordedSession) -> GridVisit:
    """Return the visit of a recorded session. Raises ``ConfigError`` for rows that cannot be."""
    rows, rounds = session.rows(), session.rows(ROUNDS)
    clicks: dict[int, list[Row]] = {}
    for row in rows:
        clicks.setdefault(_whole(session, row, "round"), []).append(row)
    grid = _grid(session.header, [*rows, *rounds])
    by_number = {_whole(session, row, "round"): row for row in rounds}
    found = tuple(_round(session, grid, number, clicks[number], by_number.get(number, {})) for number in sorted(clicks))
    start = _time(session.header.start)
    last_s = max((float(each.time_s[-1]) for each in found if each.clicks), default=math.nan)
    end = start + datetime.timedelta(seconds=last_s) if start is not None and math.isfinite(last_s) else None
    params = session.header.params
    payoff = params.get("payoff") if params.get("payoff") in PAYOFFS else ""
    person = GridPerson(
        session.full_name,
        session.subject_label,
        found,
        payoff or "",
        _environments(found),
        "1",
        start,
        end,
        lam=_lambda(params, grid),
    )
    return GridVisit(session.full_name, (person,))


def _round(session: RecordedSession, grid: Grid, number: int, rows: Sequence[Row], told: Row) -> GridRound:
    first = rows[0]
    level, values = _plan_of(session.header, number, told)
    risky = told.get("risk", "risky" if first.get("threshold") is not None else "safe") == "risky"
    horizon = _whole(session, first, "horizon")
    revealed = _known(told, "initial_tile", int)
    kept = [bool(row.get("kept", True)) for row in rows]
    tiles = [*([] if revealed is None else [revealed]), *(_whole(session, row, "tile") for row in rows)]
    if any(not 0 <= tile < grid.count for tile in tiles):
        raise ConfigError(
            f"{session.full_name}: round {number}: has a tile outside of its {grid.width} x {grid.height} tiles"
        )
    # A round without a row was not finished: its revealed tile is unknown, and its first click stands for it.
    whole = revealed is not None
    return GridRound(
        number=number,
        grid=grid,
        condition=str(first.get("condition") or ""),
        horizon=horizon,
        tile=np.array(tiles, np.int64),
        drawn=_values(told, rows, "initial_drawn", "drawn", whole),
        shown=_values(told, rows, "initial_shown", "shown", whole),
        latent=_values(told, rows, "initial_latent", "latent", whole),
        kept=np.array([*([True] if whole else []), *kept]),
        time_s=_values(told, rows, "t_began", "t", whole),
        environment=_known(told, "environment", int),
        scale=_known(told, "scale", float),
        threshold=_known(first, "threshold", float),
        level=level,
        values=values,
        risky=risky,
        end=str(told.get("end") or "left"),
        bonus=_known(told, "bonus", float),
        guess=_known(told, "guess_tile", int),
    )


def _values(told: Row, rows: Sequence[Row], initial: str, name: str, whole: bool) -> Floats:
    values = column(rows, name)
    first = _known(told, initial, float)
    return np.concatenate([[math.nan if first is None else first], values]) if whole else values


def _known(row: Row, name: str, kind: Any) -> Any:
    value = row.get(name)
    return kind(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _whole(session: RecordedSession, row: Row, name: str) -> int:
    value = _known(row, name, int)
    if value is None or not 0 <= value <= MOST_ROUNDS * MOST_SIDE:
        raise ConfigError(f"{session.full_name}: {name} is {row.get(name)!r:.40}: wanted a whole number in every row")
    return int(value)


def _plan_of(header: Header, number: int, told: Row) -> tuple[float | None, Floats | None]:
    """Return the level of the line in a round, and the values of its tiles without noise, from the header's plan."""
    plan = header.drawn
    try:
        planned = plan["rounds"][number - 1]
        shares: Floats = np.asarray(plan["environments"][planned["environment"]], np.float64)
        level = None if planned["level"] is None else float(planned["level"])
        # Without a line it is the grid bandit, whose scale is that of the rewards as they are shown.
        largest = PERCENT.high if level is None else float(planned["scale"])
        values: Floats = np.round(shares * largest, DECIMALS)
    except (TypeError, KeyError, IndexError, ValueError):
        return _known(told, "threshold", float), None
    return level, values if values.size else None


def _lambda(params: Row, grid: Grid) -> float | None:
    """Return lambda of the kernel of a risky session, as its parameters read it."""
    value = _known(params, "lam", float)
    reading: Reading | None = next((each for each in get_args(Reading) if each == params.get("kernel")), None)
    if value is None or value <= 0 or reading is None:
        return None
    return read_kernel(reading, value, with_step(grid)).lam


def _environments(rounds: Sequence[GridRound]) -> str:
    """Return the second part of the condition's word, such as ``smooth`` of ``average-smooth``."""
    words = {each.condition.partition("-")[2] for each in rounds}
    return words.pop() if len(words) == 1 else ""


def _time(text: str | None) -> datetime.datetime | None:
    return None if text is None else datetime.datetime.fromisoformat(text)


def _grid(header: Header, rows: Sequence[Row]) -> Grid:
    """Return the grid of the parameters; without them, the smallest grid that has all tiles of the rows."""
    width, height = header.params.get("width", 0), header.params.get("height", 1)
    if all(isinstance(side, int) and 1 <= side <= MOST_SIDE for side in (width, height)):
        return Grid(width, height)
    return _smallest([row for row in rows if {"x", "y", "tile"} <= set(row)])


def _smallest(rows: Sequence[Row]) -> Grid:
    x, y, tile = (column(rows, name) for name in ("x", "y", "tile"))
    below = np.flatnonzero(y > 0)
    width = (tile[below[0]] - x[below[0]]) // y[below[0]] if below.size else np.max(x, initial=1) + 1
    return Grid(int(np.clip(width, 1, MOST_SIDE)), int(np.clip(np.max(y, initial=0) + 1, 1, MOST_SIDE)))
