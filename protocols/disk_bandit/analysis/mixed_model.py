"""Nonlinear mixed model of the shares of disks: theta has fixed effects, and a random offset for each subject.

After Racey et al. (2011): the expected share of a disk is exp(theta v_i) / sum of exp(theta v_j), with v = ln(1/VI) and
the theta of that disk's observation; errors are normal with one variance. The fit is by maximum likelihood, with the
alternation of Lindstrom and Bates (1990, Biometrics 46: 673), as R's nlme does it. Needs scipy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from protocols.disk_bandit.analysis.luce import ENDLESS, UNTOLD, Refusal
from rig.analysis.common.arrays import Floats, Ints

STEPS = 50
SETTLED = 1e-8
"""Smallest relative decrease of the sum of squares for a further step."""

RATIO_SETTLED = 1e-4
"""Largest change of the logarithm of the ratio of variances between the last two alternations."""

LOG_RATIOS = (-15.0, 15.0)
"""Range of the logarithm of the ratio: variance of subjects over variance of shares. At its lower end there is none."""

LARGEST = 10.0
"""Largest theta. With 10 the best of the paper's disks gets all but 1 in 50,000 pecks; data cannot show more."""


@dataclass(frozen=True)
class Shares:
    """Observations: the share of a disk, and the values of all disks of its cell (-inf for a dark location).

    ``place``, ``block``, ``number``, ``subject`` and ``session`` are the levels of each observation.
    """

    share: Floats
    place: Ints
    block: Ints
    number: Ints
    subject: Ints
    session: Ints
    own_value: Floats
    values: Floats

    def where(self, kept: np.ndarray) -> Shares:
        """Return the observations where ``kept`` is true."""
        return Shares(*(values[kept] for values in vars(self).values()))


@dataclass(frozen=True)
class Explained:
    """Goodness of a model of shares.

    ``parameters`` counts the fixed effects, the variance of shares and that of subjects. ``bic`` is parameters times
    ln(n) minus twice the log-likelihood. ``r2`` is the part of the variance of shares that fixed effects and subjects
    explain together. ``subjects_sd`` is the standard deviation of theta between subjects; 0 with one subject.
    """

    parameters: int
    n: int
    residual_df: int
    r2: float
    bic: float
    subjects_sd: float


@dataclass(frozen=True)
class MixedFit:
    """Fixed effects, their covariance by the model and for independent sessions, and goodness."""

    fixed: Floats
    covariance: Floats
    robust: Floats
    explained: Explained


@dataclass(frozen=True)
class _Point:
    """Fixed effects followed by offsets of subjects; residuals and the slope of the expected shares by theta."""

    at: Floats
    off: Floats
    slope: Floats


@dataclass(frozen=True)
class _Linear:
    """Products of a linear mixed model: of the fixed columns, of each subject's random column, and of the target."""

    n: int
    fixed: Floats
    crossed: Floats
    random: Floats
    fixed_target: Floats
    random_target: Floats
    target: float


def fit(seen: Shares, design: Floats) -> MixedFit | Refusal:
    """Fit the model with these columns of fixed effects (observations x effects).

    With one subject there are no random offsets: then it is a fit by least squares.
    """
    n, effects = design.shape
    subjects = np.unique(seen.subject)
    own = np.asarray(seen.subject[:, None] == subjects, float) if len(subjects) > 1 else np.zeros((n, 0))
    if n <= effects + own.shape[1] or np.linalg.matrix_rank(design.T @ design) < effects:
        return Refusal(UNTOLD)
    columns = np.column_stack([design, own])
    point, log_ratio = _start(seen, columns), 0.0
    for _ in range(STEPS):
        moved = _least_squares(seen, columns, _penalty(effects, own, log_ratio), point)
        if isinstance(moved, Refusal):
            return moved
        point = moved
        if np.linalg.matrix_rank(_information(point, design)) < effects:
            return Refusal(UNTOLD)
        before, log_ratio = log_ratio, _best_ratio(_linearize(point, design, own)) if own.shape[1] else 0.0
        if abs(log_ratio - before) < RATIO_SETTLED:
            break
    return _fitted(seen, point, design, own, log_ratio)


def _start(seen: Shares, columns: Floats) -> _Point:
    at = np.zeros(columns.shape[1])
    return _Point(at, *_evaluate(seen, columns @ at))


def _penalty(effects: int, own: Floats, log_ratio: float) -> Floats:
    """Return the weight of every coefficient's square: none for fixed effects, 1 / ratio for subjects."""
    return np.concatenate([np.zeros(effects), np.full(own.shape[1], math.exp(-log_ratio))])


def _information(point: _Point, columns: Floats) -> Floats:
    jacobian = point.slope[:, None] * columns
    return np.asarray(jacobian.T @ jacobian)


def _least_squares(seen: Shares, columns: Floats, penalty: Floats, point: _Point) -> _Point | Refusal:
    """Return the minimum of the penalized sum of squares, by Gauss-Newton steps, halved while it would increase."""
    for _ in range(STEPS):
        gradient = columns.T @ (point.slope * point.off) - penalty * point.at
        step = np.linalg.lstsq(_information(point, columns) + np.diag(penalty), gradient, rcond=None)[0]
        squares = _squares(point, penalty)
        for halved in range(STEPS):
            at = point.at + step / 2**halved
            there = _Point(at, *_evaluate(seen, columns @ at))
            if _squares(there, penalty) <= squares:
                break
        else:
            return point
        point = there
        if np.abs(columns @ point.at).max() > LARGEST:
            return Refusal(ENDLESS)
        if squares - _squares(point, penalty) <= SETTLED * squares:
            return point
    return point


def _squares(point: _Point, penalty: Floats) -> float:
    return float(point.off @ point.off + penalty @ point.at**2)


def _evaluate(seen: Shares, theta: Floats) -> tuple[Floats, Floats]:
    """Return observed minus expected shares, and the derivative of the expected shares by theta."""
    with np.errstate(invalid="ignore"):
        weight = np.where(np.isfinite(seen.values), theta[:, None] * seen.values, -np.inf)
    p = np.exp(weight - weight.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    own = p[np.arange(len(theta)), seen.place]
    mean = (p * np.where(np.isfinite(seen.values), seen.values, 0.0)).sum(axis=1)
    return seen.share - own, own * (seen.own_value - mean)


def _linearize(point: _Point, design: Floats, own: Floats) -> _Linear:
    """Return the linear mixed model that approximates the nonlinear one at a point."""
    fixed, random = point.slope[:, None] * design, point.slope[:, None] * own
    target = point.off + np.column_stack([fixed, random]) @ point.at
    return _Linear(
        n=len(target),
        fixed=fixed.T @ fixed,
        crossed=fixed.T @ random,
        random=(random**2).sum(axis=0),
        fixed_target=fixed.T @ target,
        random_target=random.T @ target,
        target=float(target @ target),
    )


def _best_ratio(linear: _Linear) -> float:
    """Return the logarithm of the ratio of variances with the largest likelihood."""
    from scipy.optimize import minimize_scalar

    found = minimize_scalar(lambda log_ratio: -_likelihood(linear, log_ratio)[0], bounds=LOG_RATIOS, method="bounded")
    return float(found.x)


def _likelihood(linear: _Linear, log_ratio: float) -> tuple[float, float, Floats]:
    """Return the log-likelihood at its best fixed effects and variance, this variance, and the effects' information.

    The information is in units of the variance. One random column for each subject makes the covariance of its
    observations the identity plus a matrix of rank 1, whose inverse is known (Sherman and Morrison).
    """
    ratio = math.exp(log_ratio)
    shrunk = ratio / (1 + ratio * linear.random)
    information = linear.fixed - (linear.crossed * shrunk) @ linear.crossed.T
    score = linear.fixed_target - linear.crossed @ (shrunk * linear.random_target)
    explained = shrunk @ linear.random_target**2 + score @ np.linalg.solve(information, score)
    # A perfect fit has an infinite likelihood.
    variance = max(linear.target - float(explained), 0.0) / linear.n
    spread = linear.n * (math.log(2 * math.pi * variance) + 1) if variance > 0 else -math.inf
    return -0.5 * (spread + float(np.log1p(ratio * linear.random).sum())), variance, np.asarray(information)


def _fitted(seen: Shares, point: _Point, design: Floats, own: Floats, log_ratio: float) -> MixedFit:
    linear, columns = _linearize(point, design, own), np.column_stack([design, own])
    effects, subjects = linear.crossed.shape
    likelihood, variance, information = _likelihood(linear, log_ratio)
    parameters = effects + (2 if subjects else 1)
    total = float(((seen.share - seen.share.mean()) ** 2).sum())
    return MixedFit(
        fixed=point.at[:effects],
        # As nlme: the variance with n - effects in place of the n of maximum likelihood.
        covariance=np.linalg.inv(information) * variance * linear.n / (linear.n - effects),
        robust=_robust(seen, point, columns, _penalty(effects, own, log_ratio))[:effects, :effects],
        explained=Explained(
            parameters=parameters,
            n=linear.n,
            residual_df=linear.n - effects - max(0, subjects - 1),
            r2=1 - float(point.off @ point.off) / total if total > 0 else math.nan,
            bic=parameters * math.log(linear.n) - 2 * likelihood,
            subjects_sd=math.sqrt(math.exp(log_ratio) * variance) if subjects else 0.0,
        ),
    )


def _robust(seen: Shares, point: _Point, columns: Floats, penalty: Floats) -> Floats:
    """Return the covariance for independent sessions (sandwich estimator, with n / (n - 1))."""
    sessions, row = np.unique(seen.session, return_inverse=True)
    scores = np.zeros((sessions.size, columns.shape[1]))
    np.add.at(scores, row, (point.slope * point.off)[:, None] * columns)
    inverse = np.linalg.inv(_information(point, columns) + np.diag(penalty))
    return np.asarray(inverse @ (scores.T @ scores) @ inverse * sessions.size / max(1, sessions.size - 1))
