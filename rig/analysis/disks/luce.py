"""Luce's rule, P(i) = exp(x_i b) / sum of exp(x_j b), by maximum likelihood of counted choices. Needs scipy."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rig.analysis.common.arrays import Flags, Floats, Ints
from rig.analysis.common.subjects import FEWEST_FOR_AN_ERROR

STEPS = 100
SETTLED = 1e-12
"""Twice what a further step would add to the log-likelihood."""

NOTHING_TOLD = 1e-9
LITTLE_TOLD = 1e-3
"""Shares of the information at chance: below, data say nothing of a direction, or perhaps that it has no end."""

ENDLESS = "grows without end: in these pecks the better disk always wins"
WORTHLESS = "has no number: a disk that never pays is worth minus infinity"
UNTOLD = "cannot be told: in these sessions disks do not differ, or never in one thing without the other"


@dataclass(frozen=True)
class Fit:
    """The maximum, the likelihood there and how many choices it is of.

    ``se`` holds if pecks are independent, ``robust_se`` if only sessions are (NaN of fewer than three). ``r2`` is the
    share of the variance of the cells' proportions that the rule explains; NaN if they do not vary.
    """

    at: Floats
    se: Floats
    robust_se: Floats
    ll: float
    n: int
    r2: float


@dataclass(frozen=True)
class Goodness:
    """How well a model fits: ``bic`` is parameters times ln(n), less twice the log-likelihood; less is better."""

    parameters: int
    n: int
    ll: float
    bic: float
    r2: float


@dataclass(frozen=True)
class Refusal:
    """Why there is no finite maximum."""

    why: str


@dataclass(frozen=True)
class _Point:
    at: Floats
    p: Floats
    ll: float
    scores: Floats
    information: Floats


def fit(count: Ints, features: Floats, shown: Flags, session: Ints) -> Fit | Refusal:
    """Maximize over cells: choices counted by disk (cells x disks), what is known of each (cells x disks x features).

    The likelihood has one maximum, which Newton's steps find from anywhere. ``session`` says whose each cell is.
    """
    some = count.sum(axis=1) > 0
    count, features, shown, session = count[some], features[some], shown[some], session[some]
    features = np.where(shown[..., None], features, 0.0)
    if not some.any():
        return Refusal("cannot be told: there are no pecks")
    if not np.isfinite(features).all():
        return Refusal(WORTHLESS)
    here = at_chance = _look(np.zeros(features.shape[2]), count, features, shown)
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
    return Fit(
        here.at,
        np.sqrt(np.diag(covariance)),
        _robust(here.scores, covariance, session),
        here.ll,
        int(count.sum()),
        _r2(count, shown, here.p),
    )


def goodness(found: Fit | Refusal, further: int = 0) -> Goodness | None:
    """Judge a fit, which has had further parameters than those that were fitted; None of a refused one."""
    if isinstance(found, Refusal):
        return None
    parameters = len(found.at) + further
    return Goodness(parameters, found.n, found.ll, parameters * math.log(found.n) - 2 * found.ll, found.r2)


def _look(at: Floats, count: Ints, features: Floats, shown: Flags) -> _Point:
    weight = np.where(shown, features @ at, -np.inf)
    weight -= weight.max(axis=1, keepdims=True)
    log_p = weight - np.log(np.exp(weight).sum(axis=1, keepdims=True))
    p, n = np.exp(log_p), count.sum(axis=1, keepdims=True)
    apart = features - np.einsum("cd,cdk->ck", p, features)[:, None, :]
    flat = apart.reshape(-1, apart.shape[2])
    return _Point(
        at,
        p,
        float(np.sum(count[shown] * log_p[shown])),
        np.einsum("cd,cdk->ck", count - n * p, features),
        flat.T @ (flat * (n * p).reshape(-1, 1)),
    )


def _climb(here: _Point, step: Floats, count: Ints, features: Floats, shown: Flags) -> _Point:
    for halved in range(STEPS):
        there = _look(here.at + step / 2**halved, count, features, shown)
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
    middle = summed.T @ summed * kinds.size / (kinds.size - 1)
    return np.asarray(np.sqrt(np.diag(covariance @ middle @ covariance)))


def _endless(count: Ints, features: Floats, shown: Flags) -> bool:
    """Whether some direction never speaks against a choice, and sometimes for it (a linear program)."""
    from scipy.optimize import linprog

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
    seen = (count / count.sum(axis=1, keepdims=True))[shown]
    total = float(((seen - seen.mean()) ** 2).sum())
    return 1 - float(((seen - expected[shown]) ** 2).sum()) / total if total else math.nan
