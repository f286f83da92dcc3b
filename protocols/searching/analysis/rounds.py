"""Rounds of a search on a grid or a line, from any source, as all analyses read them."""

from __future__ import annotations

import datetime
import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from protocols.searching.grids.places import Grid
from protocols.searching.grids.reward_scales import PERCENT, RewardRange
from rig.analysis.common.arrays import Flags, Floats, Ints

LEFT = "left"
"""End of a round in which the person left the session."""


@dataclass(frozen=True)
class GridRound:
    """One round: the revealed tile at index 0, then the clicks; all arrays have the shape (clicks + 1,).

    ``drawn`` are unscaled values with noise, ``latent`` those without, ``shown`` what the person saw. Unknown values
    are NaN; an unknown ``environment``, scale, threshold or bonus is None. ``kept`` is false for a value below the
    threshold of a risky round, which is forgone. ``level`` is the threshold also in a safe round, which has none;
    ``values`` are those of all tiles without noise, None if unknown. ``range`` is that of ``drawn`` without noise.
    ``end`` is ``all_clicks``, ``below`` or ``left``.
    """

    number: int
    grid: Grid
    condition: str
    horizon: int
    tile: Ints
    drawn: Floats
    shown: Floats
    latent: Floats
    kept: Flags
    time_s: Floats
    environment: int | None = None
    scale: float | None = None
    threshold: float | None = None
    level: float | None = None
    values: Floats | None = None
    risky: bool = False
    end: str = "all_clicks"
    bonus: float | None = None
    guess: int | None = None
    range: RewardRange = PERCENT

    @property
    def clicks(self) -> int:
        """Return the number of clicks, without the revealed tile."""
        return len(self.tile) - 1

    @property
    def complete(self) -> bool:
        """Whether the round came to its end, by its last click or below the threshold."""
        return self.end != LEFT

    @cached_property
    def reward(self) -> Floats:
        """Return the unscaled value of each click, 0 where it is forgone; shape (clicks,)."""
        return np.where(self.kept[1:], self.drawn[1:], 0.0)

    @cached_property
    def largest(self) -> Floats:
        """Return the largest unscaled value so far, the revealed one included; shape (clicks + 1,)."""
        return np.maximum.accumulate(self.drawn)


@dataclass(frozen=True)
class GridPerson:
    """The rounds of one person's session; ``payoff`` is ``average``, ``maximum`` or empty.

    ``environments`` is the class of the environments, such as ``smooth``. ``start`` and ``end`` are local times, if
    known.
    """

    name: str
    subject: str
    rounds: tuple[GridRound, ...]
    payoff: str = ""
    environments: str = ""
    number: str = "1"
    start: datetime.datetime | None = None
    end: datetime.datetime | None = None
    paid: float = math.nan
    """Bonus of the session where the rounds have none, as in a public table; NaN if unknown."""
    lam: float | None = None
    """Lambda of the kernel exp(-d² / lambda) of the session's environments, if the record has it."""
    age: float = math.nan
    """In years; NaN if unknown."""
    kernels_known: bool = True
    """Whether ``rough`` and ``smooth`` environments have the kernels of Wu et al. 2017."""

    @property
    def bonus(self) -> float:
        """Return the bonus of all rounds; NaN if unknown."""
        known = [each.bonus for each in self.rounds if each.bonus is not None]
        return float(sum(known)) if known else self.paid

    @property
    def condition(self) -> str:
        """Return the words of the person's condition; those of all rounds if they are the same."""
        words = dict.fromkeys(each.condition for each in self.rounds)
        return next(iter(words)) if len(words) == 1 else " + ".join(sorted(words))


@dataclass(frozen=True)
class GridVisit:
    """What one source has: a session of ``rig`` with one person, or a public table with many."""

    name: str
    people: tuple[GridPerson, ...]
    notes: tuple[str, ...] = ()
    doubt: str = ""
    """Why the range of a table's rewards is uncertain: no model can be fitted then."""

    @property
    def trials(self) -> int:
        """Return the number of clicks."""
        return sum(each.clicks for person in self.people for each in person.rounds)

    @property
    def fingerprint(self) -> bytes:
        """Return bytes that are equal only for the same recording."""
        digest = hashlib.sha256()
        for person in self.people:
            for each in person.rounds:
                for values in (each.tile, each.drawn, each.time_s):
                    digest.update(values.tobytes())
        return digest.digest()


def people_of(visits: Sequence[GridVisit]) -> list[GridPerson]:
    """Return the people of all visits who have clicked."""
    return [person for visit in visits for person in visit.people if any(each.clicks for each in person.rounds)]
