"""Rounds of a long table as the second fit reads them, and the published fits of Schulz et al. (2019)."""

from __future__ import annotations

import csv
import hashlib
import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rig.core.errors import ConfigError

Floats = npt.NDArray[np.float64]
Size = tuple[int, int]
"""Width and height in tiles."""

PUBLISHED = ("id", "X.1", "X.2", "par1", "par2", "par3")


class Round(NamedTuple):
    """A round, without its last reward, which informs no click.

    Places have the shape (clicks, 2), rewards are standardized, ``chosen`` is the row of `tiles_of` of each click.
    """

    number: int
    places: Floats
    rewards: Floats
    chosen: npt.NDArray[np.intp]


def read_people(path: Path, low: float, high: float) -> tuple[Size, dict[str, tuple[Round, ...]]]:
    """Return the size of the grid, and the rounds of each person of a table that the program has read before."""
    rows: dict[tuple[str, int], list[tuple[float, ...]]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            own = rows.setdefault((row["id"], int(row["round"])), [])
            own.append(tuple(float(row[name]) for name in ("trial", "x", "y", "z")))
    width, height = (1 + int(max(click[axis] for own in rows.values() for click in own)) for axis in (1, 2))
    people: dict[str, tuple[Round, ...]] = {}
    for (name, number), own in rows.items():
        table = np.array(sorted(own))
        places, rewards = table[:, 1:3], (table[:, 3] - (low + high) / 2) / (high - low)
        chosen = (places[1:, 0] * height + places[1:, 1]).astype(np.intp)
        people[name] = (*people.get(name, ()), Round(number, places[:-1], rewards[:-1], chosen))
    return (width, height), people


def tiles_of(size: Size) -> Floats:
    """Return the places of all tiles, column by column; shape (tiles, 2)."""
    axes = (np.arange(count, dtype=np.float64) for count in size)
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)


def digest_of(rounds: Sequence[Round]) -> str:
    """Return letters that are the same only for the same rounds."""
    digest = hashlib.sha256()
    for own in rounds:
        for values in (own.places, own.rewards, own.chosen):
            digest.update(np.ascontiguousarray(values, float).tobytes())
    return digest.hexdigest()[:16]


def r_squared(lls: Sequence[float], rounds: Sequence[Round], size: Size) -> float:
    """Return McFadden's R² over rounds."""
    clicks = sum(len(own.chosen) for own in rounds)
    return 1 + sum(lls) / (clicks * math.log(size[0] * size[1]))


class Published(NamedTuple):
    """A fold of Schulz et al. (2019): the round left out, its log-likelihood, and logarithms of the parameters."""

    round: int
    ll: float
    at: tuple[float, float, float]


def read_published(path: Path) -> dict[str, list[Published]]:
    """Return the published folds of each person, in the order of their rounds. Raises ``ConfigError``."""
    people: dict[str, list[Published]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if not set(PUBLISHED) <= set(reader.fieldnames or ()):
            raise ConfigError(f"{path}: wanted the columns {', '.join(PUBLISHED)}, as in B2Modeldata.csv")
        for row in reader:
            at = (float(row["par1"]), float(row["par2"]), float(row["par3"]))
            people.setdefault(row["id"], []).append(Published(int(row["X.1"]), -float(row["X.2"]), at))
    return {name: sorted(folds) for name, folds in people.items()}
