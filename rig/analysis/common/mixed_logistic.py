"""Logistic regression with a random intercept for each subject, by maximum likelihood. Needs scipy.

It is the model ``y ~ x1 + x2 + … + (1 | subject)`` with the Laplace approximation: the default of ``glmer`` in lme4
(Bates et al. 2015). Variational fits, such as ``BinomialBayesMixedGLM`` of statsmodels, give other values.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rig.analysis.common.arrays import Floats, Ints

MODE_STEPS = 100
MODE_FLAT = 1e-10
MOST_SD = 50.0
"""Upper bound of the SD of the intercepts, in log-odds: above it all probabilities are 0 or 1."""
MOST_LOG_ODDS = 30.0
"""Bound of the coefficients: beyond it they grow without limit, as when a predictor separates the answers."""
STEP = 1e-4
"""Step of the second differences: the error of an SE is then below 1e-5 of it."""


@dataclass(frozen=True)
class MixedLogistic:
    """Coefficients in log-odds with standard errors, z and p (Wald), and the SD of the subjects' intercepts.

    ``at_bound`` if a coefficient grows without limit; its values then mean nothing. ``ll`` includes the binomial
    coefficients, as in lme4.
    """

    names: tuple[str, ...]
    value: Floats
    se: Floats
    z: Floats
    p: Floats
    subject_sd: float
    ll: float
    answers: int
    subjects: int
    at_bound: bool


def mixed_logistic(
    names: Sequence[str], x: Floats, yes: npt.ArrayLike, of: npt.ArrayLike, subject: npt.ArrayLike
) -> MixedLogistic | None:
    """Fit the model to ``yes`` of ``of`` answers in each row of ``x``; None if it has no solution.

    ``x`` has a column for each name, with one of ones for the intercept; ``subject`` has a number from 0 for each row.
    Rows with the same predictors and subject may be added up before: that changes ``ll``, but no other value.
    """
    from scipy import optimize, stats

    model = _Model(x, np.asarray(yes, float), np.asarray(of, float), np.asarray(subject, np.int64))
    if np.linalg.matrix_rank(x) < x.shape[1] or not 0 < model.yes.sum() < model.of.sum():
        return None
    bounds = [*[(-MOST_LOG_ODDS, MOST_LOG_ODDS)] * x.shape[1], (0.0, MOST_SD)]
    begin = np.zeros(x.shape[1] + 1)
    begin[-1] = 1.0
    # Twice: the second search begins with a new estimate of the curvature, and so is not stopped by a poor one.
    for _ in range(2):
        found = optimize.minimize(
            model.deviance, begin, method="L-BFGS-B", bounds=bounds, options={"ftol": 1e-13, "gtol": 1e-7}
        )
        begin = found.x
    value, sd = found.x[:-1], float(found.x[-1])
    se = model.standard_errors(found.x)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = value / se
    return MixedLogistic(
        *(tuple(names), value, se, z, 2 * stats.norm.sf(np.abs(z)), sd, model.log_likelihood(found.x)),
        int(model.of.sum()),
        model.subjects,
        bool((np.abs(value) >= MOST_LOG_ODDS).any()),
    )


class _Model:
    """Deviance of the model; each subject's intercept is sd times u, and u is standard normal."""

    def __init__(self, x: Floats, yes: Floats, of: Floats, subject: Ints) -> None:
        self.x, self.yes, self.of, self.subject = x, yes, of, subject
        self.subjects = int(subject.max()) + 1
        self._u = np.zeros(self.subjects)

    def deviance(self, at: Floats) -> float:
        """Return -2 times the approximate log-likelihood, without the binomial coefficients."""
        fixed, sd = self.x @ at[:-1], float(at[-1])
        u = self._mode(fixed, sd)
        odds = fixed + sd * u[self.subject]
        p = _expit(odds)
        answers = self.yes * odds - self.of * np.logaddexp(0, odds)
        curve = 1 + sd**2 * self._sum(self.of * p * (1 - p))
        return float(-2 * (answers.sum() - (u**2).sum() / 2 - np.log(curve).sum() / 2))

    def _mode(self, fixed: Floats, sd: float) -> Floats:
        """Return the most probable u of each subject, by Newton's method from that of the last call."""
        u = self._u
        for _ in range(MODE_STEPS):
            p = _expit(fixed + sd * u[self.subject])
            slope = sd * self._sum(self.yes - self.of * p) - u
            curve = 1 + sd**2 * self._sum(self.of * p * (1 - p))
            # At most 1 SD, since a full step from far away can leave the range in which the curve is good.
            step = np.clip(slope / curve, -1, 1)
            u = u + step
            if np.abs(step).max() < MODE_FLAT:
                break
        self._u = u
        return u

    def _sum(self, values: Floats) -> Floats:
        return np.bincount(self.subject, values, self.subjects).astype(np.float64)

    def standard_errors(self, at: Floats) -> Floats:
        """Return the standard errors of the coefficients: from the second differences of the deviance, as in lme4.

        With an SD of 0, at its bound, from those of the coefficients alone. NaN if they are no minimum.
        """
        free = range(len(at) if at[-1] > STEP else len(at) - 1)
        information = np.empty((len(free), len(free)))
        for i in free:
            for j in free[: i + 1]:
                information[i, j] = information[j, i] = self._second_difference(at, i, j) / 2
        try:
            variance = np.diag(np.linalg.inv(information))[: len(at) - 1]
        except np.linalg.LinAlgError:
            return np.full(len(at) - 1, np.nan)
        return np.sqrt(np.where(variance > 0, variance, np.nan))

    def _second_difference(self, at: Floats, i: int, j: int) -> float:
        total = 0.0
        for a in (1, -1):
            for b in (1, -1):
                moved = at.copy()
                moved[i] += a * STEP
                moved[j] += b * STEP
                total += a * b * self.deviance(moved)
        return total / (4 * STEP**2)

    def log_likelihood(self, at: Floats) -> float:
        """Return the approximate log-likelihood with the binomial coefficients."""
        ways = sum(
            math.lgamma(of + 1) - math.lgamma(yes + 1) - math.lgamma(of - yes + 1)
            for yes, of in zip(self.yes, self.of, strict=True)
        )
        return ways - self.deviance(at) / 2


def _expit(odds: Floats) -> Floats:
    return np.asarray(np.exp(-np.logaddexp(0, -odds)))
