"""The mixed model of shares finds what shares were made with, and agrees with other ways to fit it."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import least_squares, minimize

from protocols.disk_bandit.analysis.luce import ENDLESS, UNTOLD, Refusal
from protocols.disk_bandit.analysis.mixed_model import MixedFit, Shares, fit
from rig.analysis.common.arrays import Floats

VALUES = -np.log([3.0, 9, 27, 81])
THETA = (0.1, 0.4)
"""Of blocks 1 and 2."""


def made(subjects: int, sessions: int, subjects_sd: float, noise: float, seed: int = 1) -> tuple[Shares, Floats]:
    """Return shares with a normal error, two blocks a session, and the design with a theta for each block."""
    draw = np.random.default_rng(seed)
    offsets = draw.normal(0, subjects_sd, subjects)
    levels = np.array(list(np.ndindex(subjects, sessions, len(THETA), len(VALUES))))
    subject, session, block, place = levels.T
    values = np.tile(VALUES, (len(levels), 1))
    p = expected(np.array(THETA)[block] + offsets[subject], values, place)
    shares = Shares(
        share=p + draw.normal(0, noise, len(levels)),
        place=place,
        block=block + 1,
        number=np.ones(len(levels), int),
        subject=subject,
        session=subject * sessions + session,
        own_value=VALUES[place],
        values=values,
    )
    return shares, np.asarray(block[:, None] == [0, 1], float)


def expected(theta: Floats, values: Floats, place: np.ndarray) -> Floats:
    weights = np.exp(theta[:, None] * values)
    return np.asarray(weights[np.arange(len(theta)), place] / weights.sum(axis=1))


def fitted(shares: Shares, design: Floats) -> MixedFit:
    found = fit(shares, design)
    assert isinstance(found, MixedFit)
    return found


def test_thetas_and_the_spread_of_subjects_are_found() -> None:
    found = fitted(*made(subjects=60, sessions=5, subjects_sd=0.15, noise=0.05))
    assert found.explained.subjects_sd == pytest.approx(0.15, abs=3 * 0.15 / math.sqrt(2 * 60))
    errors = np.sqrt(np.diag(found.covariance))
    assert errors == pytest.approx(0.15 / math.sqrt(60), rel=0.25)
    assert np.all(np.abs(found.fixed - THETA) < 3 * errors)


def test_the_standard_error_is_the_spread_of_repeated_experiments() -> None:
    """The difference between blocks does not depend on the offsets: its error is that of the shares."""
    differences, errors = [], []
    for seed in range(40):
        found = fitted(*made(subjects=6, sessions=4, subjects_sd=0.1, noise=0.1, seed=seed))
        differences.append(found.fixed[1] - found.fixed[0])
        errors.append(math.sqrt(np.array([-1, 1]) @ found.covariance @ np.array([-1, 1])))
    assert np.mean(errors) == pytest.approx(np.std(differences, ddof=1), rel=4 / math.sqrt(2 * 40))
    assert np.mean(differences) == pytest.approx(THETA[1] - THETA[0], abs=4 * np.mean(errors) / math.sqrt(40))


def test_it_agrees_with_the_likelihood_integrated_over_subjects() -> None:
    """Gauss and Hermite's quadrature needs no linear approximation."""
    shares, design = made(subjects=8, sessions=6, subjects_sd=0.15, noise=0.1)
    nodes, weights = np.polynomial.hermite_e.hermegauss(41)

    def minus_log_likelihood(at: Floats) -> float:
        first, second, log_sd, log_noise = at
        theta, noise = np.where(design[:, 0] == 1, first, second), math.exp(log_noise)
        total = 0.0
        for subject in range(8):
            own = shares.where(shares.subject == subject)
            terms = []
            for node in nodes:
                p = expected(theta[shares.subject == subject] + math.exp(log_sd) * node, own.values, own.place)
                squares = float(((own.share - p) ** 2).sum())
                terms.append(-0.5 * squares / noise**2 - len(p) * (log_noise + 0.5 * math.log(2 * math.pi)))
            total += np.logaddexp.reduce(np.array(terms) + np.log(weights / weights.sum()))
        return -float(total)

    found = fitted(shares, design)
    exact = minimize(minus_log_likelihood, [0.2, 0.2, -2, -2], method="Nelder-Mead", options={"maxiter": 800})
    assert found.fixed == pytest.approx(exact.x[:2], abs=0.003)
    assert found.explained.subjects_sd == pytest.approx(math.exp(exact.x[2]), rel=0.03)
    assert found.explained.bic == pytest.approx(4 * math.log(len(shares.share)) + 2 * exact.fun, abs=0.5)


def test_one_subject_is_fitted_by_least_squares() -> None:
    shares, design = made(subjects=1, sessions=12, subjects_sd=0.0, noise=0.05)
    found = fitted(shares, design)
    squares = least_squares(lambda at: shares.share - expected(design @ at, shares.values, shares.place), [0.0, 0.0])
    n, variance = len(shares.share), 2 * squares.cost / len(shares.share)
    assert found.fixed == pytest.approx(squares.x, abs=1e-5)
    assert found.explained.subjects_sd == 0
    assert found.explained.parameters == 3
    assert found.explained.bic == pytest.approx(3 * math.log(n) + n * (math.log(2 * math.pi * variance) + 1))
    assert found.explained.r2 == pytest.approx(1 - variance / np.var(shares.share))


def test_subjects_that_are_alike_have_no_spread_and_the_same_theta_as_one() -> None:
    shares, design = made(subjects=4, sessions=10, subjects_sd=0.0, noise=0.1)
    several = fitted(shares, design)
    one = fitted(replace(shares, subject=np.zeros_like(shares.subject)), design)
    assert several.explained.subjects_sd < 0.02
    assert several.fixed == pytest.approx(one.fixed, abs=0.005)


def test_degrees_of_freedom_are_observations_less_effects_less_subjects_but_one() -> None:
    found = fitted(*made(subjects=6, sessions=3, subjects_sd=0.1, noise=0.1))
    assert found.explained.n == 6 * 3 * 2 * 4
    assert found.explained.residual_df == found.explained.n - 2 - 5
    assert found.explained.parameters == 2 + 2


def test_what_cannot_be_fitted_is_refused() -> None:
    shares, design = made(subjects=3, sessions=3, subjects_sd=0.1, noise=0.1)
    assert fit(shares, np.column_stack([design, design])) == Refusal(UNTOLD)
    assert fit(shares.where(np.arange(len(shares.share)) < 3), design[:3]) == Refusal(UNTOLD)
    best = replace(shares, share=np.asarray(shares.place == 0, float))
    assert fit(best, design) == Refusal(ENDLESS)
