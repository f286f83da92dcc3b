"""People who search grids, made without a rig."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from protocols.searching.analysis.recovery import simulated_person
from protocols.searching.analysis.rounds import GridPerson, GridRound
from protocols.searching.grids.places import Grid

SMALL = Grid(5, 5)
LINE = Grid(21)


def made_round(tiles: Sequence[int], drawn: Sequence[float], grid: Grid = SMALL, **fields: Any) -> GridRound:
    """Return a round: the revealed tile, then the clicks."""
    count = len(tiles)
    made: dict[str, Any] = {
        "number": 1,
        "grid": grid,
        "condition": "average-smooth",
        "horizon": count - 1,
        "tile": np.array(tiles),
        "drawn": np.array(drawn, float),
        "shown": np.maximum(0, np.round(np.array(drawn, float) * 0.7 + 5)),
        "latent": np.array(drawn, float),
        "kept": np.ones(count, bool),
        "time_s": np.arange(count) * 1.5,
        "environment": 3,
        "scale": 70.0,
    }
    return GridRound(**(made | fields))


def person(*rounds: GridRound, name: str = "P1", **fields: Any) -> GridPerson:
    """Return a person with these rounds."""
    numbered = tuple(replace(each, number=number) for number, each in enumerate(rounds, 1))
    return GridPerson(name, name, numbered, **({"payoff": "average", "environments": "smooth"} | fields))


def simulated(model: str, number: int = 0, rounds: int = 8) -> GridPerson:
    """Return a person who chooses by a model, with a condition of the study."""
    whole = simulated_person(model, number, "smooth", np.random.default_rng([11, number]))
    return replace(whole, rounds=tuple(replace(each, condition="average-smooth") for each in whole.rounds[:rounds]))


def risky_round(
    tiles: Sequence[int], drawn: Sequence[float], threshold: float, horizon: int = 10, **fields: Any
) -> GridRound:
    """Return a risky round on the line; the last click may be below the line."""
    kept = np.array(drawn) >= threshold
    made: dict[str, Any] = {
        "condition": "risky",
        "horizon": horizon,
        "kept": kept,
        "threshold": threshold,
        "level": threshold,
        "values": np.linspace(0, 10, LINE.count),
        "risky": True,
        "end": "all_clicks" if kept[-1] else "below",
    }
    return made_round(tiles, drawn, LINE, **(made | fields))


def careful(number: int, step: int) -> GridPerson:
    """A person who moves at most ``step`` points from the one shown, on a hill around the middle."""
    draw = np.random.default_rng(number)
    value = 9 * np.exp(-((LINE.x - 10) ** 2) / 30)
    rounds = []
    for _ in range(3):
        tiles = [10]
        while len(tiles) < 9 and value[tiles[-1]] >= 5:
            tiles.append(int(np.clip(tiles[-1] + draw.integers(-step, step + 1), 0, 20)))
        rounds.append(risky_round(tiles, value[tiles], 5.0, values=value))
    return person(*rounds, name=f"P{number}", payoff="", environments="")
