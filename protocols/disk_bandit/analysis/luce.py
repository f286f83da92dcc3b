"""Luce's rule, P(i) = exp(x_i b) / sum of exp(x_j b), fitted to counts by maximum likelihood. Needs scipy."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rig.analysis.common.arrays import Flags, Floats, Ints
from rig.analysis.common.subjects import FEWEST_FOR_AN_ERROR

STEPS = 100
SETTLED = 1e-12
"""Stop criterion: twice the gain in log-likelihood that a further step predicts."""

NOTHING_TOLD = 1e-9
LITTLE_TOLD = 1e-3
"""Smallest eigenvalue of the information, relative to equal choice. Below the first a direction is undetermined. Below
the second it may have no finite maximum, which a linear program then decides."""

ENDLESS = "has no finite value: in these pecks the better disk is always chosen"
WORTHLESS = "has no value: a disk that never pays has the value minus infinity"
UNTOLD = "is not determined: in these sessions disks do not differ, or two predictors never vary separately"


@dataclass(frozen=True)
class LuceFit:
    """Maximum of the likelihood: coefficients, log-likelihood and number of choices.

    ``se`` assumes independent pecks, ``robust_se`` independent sessions (NaN with fewer than three). ``r2`` is the
    share of the variance of the cells' proportions that the rule explains; NaN if they do not vary.
    """

    # Pecks come in bouts, so ``se`` is too small for pigeons: tables and figures show the larger of the two.

    at: Floats
    se: Floats
    robust_se: Floats
    ll: float
    n: int
    r2: float


@dataclass(frozen=True)
class Goodness:
    """Goodness of fit: ``bic`` is parameters times ln(n) minus twice the log-likelihood; smaller is better."""

    parameters: int
    n: int
    ll: float
    bic: float
    r2: float


@dataclass(frozen=True)
class Refusal:
    """Reason why there is no finite maximum."""

    why: str


@dataclass(frozen=True)
class _Point:
    at: Floats
    p: Floats
    ll: float
    scores: Floats
    information: Floats


def fit(count: Ints, features: Floats, shown: Flags, session: Ints) -> LuceFit | Refusal:
    """Fit the rule to counts (cells x disks) and features (cells x disks x features); ``session`` is that of each cell.

    The log-likelihood is concave, so Newton's steps reach its maximum from 0.
    """
    some = count.sum(axis=1) > 0
    count, features, shown, session = count[some], features[some], shown[some], session[some]
    # Dark locations have NaN values; they are excluded by ``shown``, and 0 keeps the products finite.
    features = np.where(shown[..., None], features, 0.0)
    if not some.any():
        return Refusal("is not determined: there are no pecks")
    if not np.isfinite(features).all():
        return Refusal(WORTHLESS)
    here = at_chance = _evaluate(np.zeros(features.shape[2]), count, features, shown)
    scale = np.sqrt(np.diag(at_chance.information))
    least = SETTLED * count.sum() * np.max(features**2, axis=(0, 1))
    if np.any(scale**2 <= least) or _least(at_chance.information, scale) < NOTHING_TOLD:
        return Refusal(UNTOLD)
    for _ in range(STEPS):
        step = np.linalg.lstsq(here.information, here.scores.sum(axis=0), rcond=None)[0]
        if step @ here.scores.sum(axis=0) < SETTLED:
            break
        here = _climb(here, step, count, features, shown)
    if _least(here.information, scale) < LITTLE_TOLD and _endless(count, features / scale, shown):
        return Refusal(ENDLESS)
    covariance: Floats = np.linalg.inv(here.information).astype(float)
    return LuceFit(
        here.at,
        np.sqrt(np.diag(covariance)),
        _robust(here.scores, covariance, session),
        here.ll,
        int(count.sum()),
        _r2(count, shown, here.p),
    )


def goodness(found: LuceFit | Refusal, further: int = 0) -> Goodness | None:
    """Return the goodness of a fit, with ``further`` parameters that are not in it; None for a ``Refusal``."""
    if isinstance(found, Refusal):
        return None
    parameters = len(found.at) + further
    return Goodness(parameters, found.n, found.ll, parameters * math.log(found.n) - 2 * found.ll, found.r2)


def _evaluate(at: Floats, count: Ints, features: Floats, shown: Flags) -> _Point:
    weight = np.where(shown, features @ at, -np.inf)
    # The largest exponent becomes 0, so exp cannot overflow at a large theta.
    weight -= weight.max(axis=1, keepdims=True)
    log_p = weight - np.log(np.exp(weight).sum(axis=1, keepdims=True))
    p, n = np.exp(log_p), count.sum(axis=1, keepdims=True)
    centered = features - np.einsum("cd,cdk->ck", p, features)[:, None, :]
    flat = centered.reshape(-1, centered.shape[2])
    return _Point(
        at,
        p,
        float(np.sum(count[shown] * log_p[shown])),
        np.einsum("cd,cdk->ck", count - n * p, features),
        flat.T @ (flat * (n * p).reshape(-1, 1)),
    )


def _climb(here: _Point, step: Floats, count: Ints, features: Floats, shown: Flags) -> _Point:
    # A full Newton step can overshoot where the likelihood is flat; halving it finds a better point.
    for halved in range(STEPS):
        there = _evaluate(here.at + step / 2**halved, count, features, shown)
        if there.ll >= here.ll:
            return there
    return here


def _least(information: Floats, scale: Floats) -> float:
    return float(np.linalg.eigvalsh(information / np.outer(scale, scale))[0])


def _robust(scores: Floats, covariance: Floats, session: Ints) -> Floats:
    kinds, place = np.unique(session, return_inverse=True)
    if kinds.size < FEWEST_FOR_AN_ERROR:
        return np.full(len(covariance), np.nan)
    summed = np.zeros((kinds.size, scores.shape[1]))
    np.add.at(summed, place, scores)
    # Sandwich estimator with scores summed by session, and the small-sample factor n / (n - 1).
    middle = summed.T @ summed * kinds.size / (kinds.size - 1)
    return np.asarray(np.sqrt(np.diag(covariance @ middle @ covariance)))


def _endless(count: Ints, features: Floats, shown: Flags) -> bool:
    """Whether the likelihood grows without bound in some direction, by a linear program over the choices."""
    from scipy.optimize import linprog

    # Such a direction separates: along it no chosen disk is worse than another, and some is better than one not chosen.
    best = features[np.arange(len(count)), count.argmax(axis=1)][:, None, :] - features
    alike = np.unique(best[(count > 0) & shown], axis=0)
    beaten = np.unique(best[(count == 0) & shown], axis=0)
    if not beaten.size:
        return False
    found = linprog(
        -beaten.sum(axis=0),
        A_ub=-beaten,
        b_ub=np.zeros(len(beaten)),
        A_eq=alike,
        b_eq=np.zeros(len(alike)),
        bounds=(-1, 1),
    )
    return found.fun is not None and found.fun < -NOTHING_TOLD


def _r2(count: Ints, shown: Flags, expected: Floats) -> float:
    observed = (count / count.sum(axis=1, keepdims=True))[shown]
    total = float(((observed - observed.mean()) ** 2).sum())
    return 1 - float(((observed - expected[shown]) ** 2).sum()) / total if total else math.nan
