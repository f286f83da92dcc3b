"""Maximum likelihood of binary choices for any model that gives their log-odds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from rig.analysis.common.arrays import Flags, Floats

Walk: TypeAlias = Callable[[Floats], tuple[Floats, Floats]]
"""Function from parameters to log-odds of left of every scored trial, and their derivatives: trials x parameters."""

# Per trial and parameter: a step or a gradient below these changes no printed digit.
_STEPS = 200
_FLAT = 1e-10
_SMALL = 1e-9
_NO_GAIN = 1e-14
_MOST_DAMPING = 1e9
_WORST_CONDITION = 1e12


@dataclass(frozen=True)
class Maximum:
    """Result of the search and its mean log-likelihood; ``at_bound`` if the likelihood still grows at a bound.

    ``se`` are the standard errors of the parameters, from the expected information with independent trials; NaN for a
    parameter at its bound, and for all if the information is singular.
    """

    at: tuple[float, ...]
    ll: float
    at_bound: bool
    se: tuple[float, ...]


@dataclass(frozen=True)
class _Point:
    at: Floats
    value: float
    slope: Floats
    curve: Floats


def log_likelihood(signed: Floats) -> Floats:
    """Return the log-probability of choices from their log-odds times the choice (+1, -1), without overflow."""
    return np.minimum(signed, 0.0) - np.log1p(np.exp(-np.abs(signed)))


def maximize(
    walk: Walk, choice: Floats, begin: Sequence[float], bounds: Sequence[tuple[float, float]], ridge: float = 0.0
) -> Maximum:
    """Return the maximum within bounds by Fisher scoring with the damping of Levenberg and Marquardt.

    ``choice`` is +1 or -1 for every scored trial. ``ridge`` is the weight of half the squared parameters against the
    summed log-likelihood.
    """
    low, high = np.array(bounds, float).T

    def look(at: Floats) -> _Point:
        psi, slopes = walk(at)
        return _point(at, choice, psi, slopes, ridge)

    here, damping = look(np.clip(np.array(begin, float), low, high)), 1e-3
    for _ in range(_STEPS):
        free = _free(here, low, high)
        if not free.any() or np.abs(here.slope[free]).max() < _FLAT:
            break
        found, damping = _climb(here, free, damping, look, (low, high))
        settled = found is None or np.abs(found.at - here.at).max() < _SMALL
        here = found or here
        if settled:
            break
    ll = float(log_likelihood(choice * walk(here.at)[0]).mean())
    free = _free(here, low, high)
    at = tuple(float(value) for value in here.at)
    return Maximum(at, ll, not bool(free.all()), _errors(here.curve * len(choice), free))


def _errors(information: Floats, free: Flags) -> tuple[float, ...]:
    """Return the standard errors of the free parameters: the root of the diagonal of the inverse information."""
    se = np.full(len(free), np.nan)
    inner = information[np.ix_(free, free)]
    # Parameters at a bound are left out: their information is not that of an interior maximum.
    if inner.size and np.linalg.cond(inner) < _WORST_CONDITION:
        se[free] = np.sqrt(np.diag(np.linalg.inv(inner)))
    return tuple(float(value) for value in se)


def _point(at: Floats, choice: Floats, psi: Floats, slopes: Floats, ridge: float) -> _Point:
    signed, n = choice * psi, len(choice)
    likely = log_likelihood(signed)
    # 1 - p of the choice made, from its logarithm: exact also where p is near 1.
    missed = -np.expm1(likely)
    weight = missed * (1 - missed)
    return _Point(
        at,
        float(likely.mean()) - ridge / 2 * float(at @ at) / n,
        ((choice * missed) @ slopes - ridge * at) / n,
        ((slopes.T * weight) @ slopes + ridge * np.eye(len(at))) / n,
    )


def _free(here: _Point, low: Floats, high: Floats) -> Flags:
    """Return a mask of the parameters that can still increase the likelihood within their bounds."""
    stopped = ((here.at <= low) & (here.slope < 0)) | ((here.at >= high) & (here.slope > 0))
    return np.asarray(~stopped)


def _climb(
    here: _Point, free: Flags, damping: float, look: Callable[[Floats], _Point], bounds: tuple[Floats, Floats]
) -> tuple[_Point | None, float]:
    """Return the next better point and the new damping; None if there is no better point."""
    curve = here.curve[np.ix_(free, free)]
    while damping < _MOST_DAMPING:
        # The small constant keeps the system solvable if a parameter has no effect at this point.
        stiff = curve + np.diag(damping * np.diag(curve) + 1e-12)
        step = np.linalg.solve(stiff, here.slope[free])
        if step @ here.slope[free] < _NO_GAIN:
            break
        at = here.at.copy()
        at[free] += step
        there = look(np.clip(at, *bounds))
        if there.value > here.value:
            # Less damping after success approaches a Newton step; more after failure approaches a short gradient step.
            return there, max(damping / 10, 1e-9)
        damping = max(damping, 1e-6) * 10
    return None, damping
