"""Sessions of birds that choose by Luce's rule, made without a rig: what they were made with must be found again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from protocols.disk_bandit.analysis.pecks import Pecks, of_rows
from protocols.disk_bandit.tables.pecks import PLACES
from rig.analysis.common.arrays import Floats

VI_S = (3, 9, 27, 81, 243, 729, 2187, 6561)

Row = dict[str, Any]


@dataclass(frozen=True)
class Bird:
    """Who pecks: theta by block, the share of the day before in it, what locations are worth, pecks a block.

    With ``stays`` a peck repeats the one before, whatever its worth.
    """

    theta: Sequence[float] = (0.3,) * 12
    previous: Sequence[float] = ()
    bias: Sequence[float] = (0,) * PLACES
    pecks: Sequence[int] = (60,) * 12
    stays: float = 0.0


def rows(
    bird: Bird,
    vi_s: Sequence[float],
    prev_vi_s: Sequence[float] | None,
    draw: np.random.Generator,
    number: int = 1,
    block_s: float = 300,
) -> list[Row]:
    """Peck rows of one session, in which a peck is paid when the disk's interval, drawn at the last one, is over."""
    armed = {place: vi * draw.uniform(0.5, 1.5) for place, vi in enumerate(vi_s)}
    made, disk = list[Row](), -1
    for block, (theta, n) in enumerate(zip(bird.theta, bird.pecks, strict=True)):
        p = _luce(bird, block, theta, vi_s, prev_vi_s)
        times = np.sort(draw.uniform(block * block_s, (block + 1) * block_s, n)).tolist()
        fresh, again = draw.choice(len(vi_s), n, p=p).tolist(), (draw.random(n) < bird.stays).tolist()
        for t, new, stay in zip(times, fresh, again, strict=True):
            disk = disk if stay and disk >= 0 else new
            rewarded = armed[disk] <= t
            made.append(
                peck(disk, t, vi_s[disk], prev_vi_s[disk] if prev_vi_s else None, rewarded, block_s, number, draw)
            )
            if rewarded:
                armed[disk] = t + vi_s[disk] * draw.uniform(0.5, 1.5)
    return made


def _luce(bird: Bird, block: int, theta: float, vi_s: Sequence[float], prev_vi_s: Sequence[float] | None) -> Floats:
    weight = -theta * np.log(vi_s) + np.array(bird.bias)[: len(vi_s)]
    if prev_vi_s is not None and bird.previous:
        weight -= bird.previous[block] * np.log(prev_vi_s)
    p = np.exp(weight - weight.max())
    return np.asarray(p / p.sum())


def peck(
    disk: int,
    t: float = 1.0,
    vi_s: float | None = 3,
    prev_vi_s: float | None = None,
    rewarded: bool = False,
    block_s: float = 300,
    number: int = 1,
    draw: np.random.Generator | None = None,
    **others: Any,
) -> Row:
    """One peck on a disk of a ring of 4 cm whose center is at 15, 8; -1 is beside all of them."""
    radius = 4 if 0 <= disk < PLACES else 0 if disk == PLACES else 7
    x, y = draw.normal(0, 0.35, 2) if draw else (0.0, 0.0)
    return {
        "t": t,
        "x_cm": 15 + radius * math.sin(math.radians(45 * disk)) + x,
        "y_cm": 8 + radius * math.cos(math.radians(45 * disk)) + y,
        "disk": disk,
        "vi_s": vi_s,
        "prev_vi_s": prev_vi_s,
        "on_target": disk >= 0,
        "armed_before": rewarded,
        "rewarded": rewarded,
        "block": int(t // block_s) + 1,
        "phase": "respond",
        "session": number,
    } | others


def days(
    bird: Bird, count: int, seed: int = 1, subject: str = "Cosmo", vi_s: Sequence[float] = VI_S
) -> list[list[Row]]:
    """Rows of sessions of consecutive days, each with the VIs in another order."""
    draw, made, previous = np.random.default_rng([seed, *subject.encode()]), list[list[Row]](), None
    for _ in range(count):
        today = [float(vi_s[place]) for place in draw.permutation(len(vi_s))]
        made.append(rows(bird, today, previous, draw))
        previous = today
    return made


def life(bird: Bird, count: int, seed: int = 1, subject: str = "Cosmo", vi_s: Sequence[float] = VI_S) -> list[Pecks]:
    """Sessions of consecutive days, as their tables tell of them."""
    tables = days(bird, count, seed, subject, vi_s)
    return [
        pecks
        for day, table in enumerate(tables, start=1)
        for pecks in of_rows(f"{subject}/{day:02}", subject, table).named()
    ]
