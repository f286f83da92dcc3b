"""Theta against traits of subjects: sex, grades, strategy, or any other column of a table. Needs scipy.

Racey et al. (2011, experiment 2) found that none of these three predicts a person's theta.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from rig.analysis.common.arrays import Floats
from rig.analysis.common.statistics import KruskalWallis, Spearman, kruskal_wallis, spearman

Table: TypeAlias = Mapping[str, Mapping[str, str]]
"""Value of each column, by subject."""


@dataclass(frozen=True)
class Trait:
    """Theta against one trait, over the subjects with both.

    A numeric trait has a rank correlation, any other trait a Kruskal-Wallis test between its values; None with too few
    subjects.
    """

    name: str
    subjects: tuple[str, ...]
    theta: Floats
    values: tuple[str, ...]
    correlation: Spearman | None
    difference: KruskalWallis | None

    @property
    def numbers(self) -> Floats | None:
        """Return the values as numbers; None if one of them is not a number."""
        return _numbers(self.values)


def traits(thetas: Mapping[str, float], people: Table) -> tuple[Trait, ...]:
    """Return comparisons of theta with every trait; each excludes the subjects without a theta or a value."""
    names = list(next(iter(people.values()), {}))
    return tuple(_trait(name, thetas, people) for name in names)


def _trait(name: str, thetas: Mapping[str, float], people: Table) -> Trait:
    known = [
        subject for subject, theta in thetas.items() if math.isfinite(theta) and people.get(subject, {}).get(name, "")
    ]
    theta, values = np.array([thetas[subject] for subject in known], float), tuple(people[each][name] for each in known)
    # Codes such as 1 and 2 for sex count as numbers: a rank correlation of two values is still a valid test.
    numbers = _numbers(values)
    if numbers is not None:
        return Trait(name, tuple(known), theta, values, spearman(numbers, theta), None)
    kinds = np.unique(values, return_inverse=True)[1].astype(float)
    return Trait(name, tuple(known), theta, values, None, kruskal_wallis(theta, kinds))


def _numbers(values: Sequence[str]) -> Floats | None:
    try:
        found = np.array([float(value) for value in values])
    except ValueError:
        return None
    return found if len(found) and np.isfinite(found).all() else None
