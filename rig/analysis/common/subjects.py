"""Numbers over sessions and over subjects."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rig.analysis.common.arrays import Floats, Ints, finite, mean, sd

POOLED = "pooled"
"""The group of all sessions, whatever their condition."""

FEWEST_FOR_AN_ERROR = 3
"""The standard error of fewer values is mostly chance: of two, its own relative standard error is 76 %."""


@dataclass(frozen=True)
class OverSubjects:
    """The mean over subjects, its standard error with n - 1, and how many subjects it could be told of.

    ``sem`` is NaN with fewer than three subjects.
    """

    n: int
    mean: float
    sem: float


@dataclass(frozen=True)
class PerSession:
    """A number over sessions."""

    mean: float
    sd: float


def per_session(values: npt.ArrayLike) -> PerSession:
    """Return the mean and the standard deviation, with n - 1, of one value a session."""
    known = np.asarray(values, float)
    return PerSession(mean(known), sd(known))


def over_subjects(values: npt.ArrayLike) -> OverSubjects:
    """Average one value a subject; those that are not known are left out."""
    known = finite(np.asarray(values, float))
    return OverSubjects(known.size, mean(known), standard_error(known))


def standard_error(values: Floats) -> float:
    """Return the standard error of the mean of the known values, with n - 1; NaN of fewer than three."""
    known = finite(values)
    return sd(known) / math.sqrt(known.size) if known.size >= FEWEST_FOR_AN_ERROR else math.nan


def places(subjects: Sequence[str]) -> list[Ints]:
    """Return the places of every subject's sessions, in the subjects' alphabetical order."""
    names = np.array(subjects)
    return [np.flatnonzero(names == name) for name in sorted(set(subjects))]
