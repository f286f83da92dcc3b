"""Statistics over sessions and over subjects."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rig.analysis.common.arrays import Floats, Ints, finite, mean, sd

POOLED = "pooled"
"""Name of the group of all sessions of all conditions."""

FEWEST_FOR_AN_ERROR = 3
"""Fewest values for a standard error: with two values the relative standard error of the error itself is 76 %."""


@dataclass(frozen=True)
class OverSubjects:
    """Mean over subjects, its standard error with n - 1, the number of subjects with a value, and their range.

    ``sem`` is NaN with fewer than three subjects.
    """

    n: int
    mean: float
    sem: float
    least: float
    most: float

    @property
    def sd(self) -> float:
        """Return the standard deviation over subjects; NaN with fewer than three."""
        return self.sem * math.sqrt(self.n)


@dataclass(frozen=True)
class PerSession:
    """Mean and standard deviation over sessions."""

    mean: float
    sd: float


def per_session(values: npt.ArrayLike) -> PerSession:
    """Return mean and standard deviation, with n - 1, of one value per session."""
    known = np.asarray(values, float)
    return PerSession(mean(known), sd(known))


def over_subjects(values: npt.ArrayLike) -> OverSubjects:
    """Return the mean of one value per subject; NaN values are excluded."""
    known = finite(np.asarray(values, float))
    least, most = (float(known.min()), float(known.max())) if known.size else (math.nan, math.nan)
    return OverSubjects(known.size, mean(known), standard_error(known), least, most)


def standard_error(values: Floats) -> float:
    """Return the standard error of the mean of the finite values, with n - 1; NaN with fewer than three."""
    known = finite(values)
    # Over subjects, because sessions of one subject are not independent.
    return sd(known) / math.sqrt(known.size) if known.size >= FEWEST_FOR_AN_ERROR else math.nan


def places(subjects: Sequence[str]) -> list[Ints]:
    """Return the indices of every subject's sessions, subjects in alphabetical order."""
    names = np.array(subjects)
    return [np.flatnonzero(names == name) for name in sorted(set(subjects))]
