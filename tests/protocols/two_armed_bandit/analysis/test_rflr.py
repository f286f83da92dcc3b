import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.two_armed_bandit.analysis.rflr import Fq, Rflr, fit, fq_log_odds, log_odds
from protocols.two_armed_bandit.analysis.simulate import TaskCondition, simulate
from protocols.two_armed_bandit.analysis.stack import Stack
from rig.analysis.common.maximum import log_likelihood
from tests.protocols.two_armed_bandit.made import histories, real_data, real_sessions, stack, swapped

DEFAULT = Rflr(0.78, 2.05, 1.43)
models = st.builds(Rflr, st.floats(-2, 3), st.floats(0.01, 6), st.floats(0.2, 20))


def by_hand(history: str, model: Rflr) -> list[float]:
    """The two equations, one trial at a time."""
    phi, odds = 0.0, [0.0]
    for letter in history:
        choice = 1 if letter.upper() == "L" else -1
        phi = model.beta * choice * letter.isupper() + math.exp(-1 / model.tau) * phi
        odds.append(phi + model.alpha * choice)
    return odds[:-1]


@given(histories, models)
def test_the_filter_says_what_the_equations_say(rows: list[str], model: Rflr) -> None:
    found = log_odds(stack(*rows), model)
    for row, psi in zip(rows, found, strict=True):
        np.testing.assert_allclose(psi[: len(row)], by_hand(row, model), atol=1e-12)


@given(histories, models)
def test_the_forgetting_q_learner_is_the_same_model_on_any_history(rows: list[str], model: Rflr) -> None:
    made = stack(*rows)
    np.testing.assert_allclose(fq_log_odds(made, Fq.like(model)), log_odds(made, model), atol=1e-9, rtol=0)


@given(histories, models)
def test_log_odds_change_sign_when_the_sides_are_swapped(rows: list[str], model: Rflr) -> None:
    mirrored = stack(*map(swapped, rows))
    np.testing.assert_allclose(log_odds(mirrored, model), -log_odds(stack(*rows), model), atol=1e-12)


def agents(sessions: int, trials: int, seed: int, model: Rflr = DEFAULT) -> Stack:
    each = (np.full(sessions, value) for value in (model.alpha, model.beta, model.tau))
    return simulate(*each, TaskCondition(0.8, 0.2), trials, seed)


def test_a_fit_to_simulated_sessions_recovers_their_parameters() -> None:
    found = fit(agents(100, 744, seed=1))
    assert found is not None
    assert found.alpha == pytest.approx(DEFAULT.alpha, abs=0.08)
    assert found.beta == pytest.approx(DEFAULT.beta, abs=0.12)
    assert found.tau == pytest.approx(DEFAULT.tau, abs=0.08)
    assert found.n == 100 * 743


def test_no_parameters_near_the_fit_are_likelier() -> None:
    made = agents(6, 300, seed=2)
    best = fit(made)
    assert best is not None
    scored = made.from_trial(2)
    for place in range(3):
        for step in (-0.01, 0.01):
            moved = [best.alpha, best.beta, best.tau]
            moved[place] += step
            psi = log_odds(made, Rflr(*moved))
            assert log_likelihood((made.choice * psi)[scored]).mean() < best.ll


@pytest.mark.parametrize("history", ["L", "LLLLlLL", "LrLrLr".lower(), "LR" * 9, "lrllrr", "lRLrLr"])
def test_a_history_without_a_maximum_is_not_fitted_or_says_that_it_has_none(history: str) -> None:
    found = fit(stack(history))
    assert found is None or found.at_bound


@real_data
@pytest.mark.parametrize(
    ("name", "alpha", "beta", "tau", "ll"),
    [
        ("baby_70-30", 0.9088, 2.6316, 1.1639, -0.16465),
        ("baby_80-20", 0.7644, 1.9759, 2.0922, -0.11714),
        ("baby_90-10", 0.1157, 3.4218, 1.2811, -0.07714),
        ("mustard_70-30", 0.9423, 2.018, 0.5799, -0.34272),
        ("mustard_80-20", 0.6263, 3.1003, 1.0726, -0.13646),
        ("mustard_90-10", 0.6194, 2.5982, 0.7905, -0.19493),
        ("sky_70-30", 0.8051, 1.4963, 1.433, -0.29871),
        ("sky_80-20", 0.2044, 2.6374, 1.4567, -0.157),
        ("sky_90-10", 0.5115, 1.7845, 1.8788, -0.1359),
    ],
)
def test_fits_of_real_sessions(name: str, alpha: float, beta: float, tau: float, ll: float) -> None:
    found = fit(Stack.of(real_sessions(f"{name}.csv")))
    assert found is not None
    assert (found.alpha, found.beta, found.tau) == pytest.approx((alpha, beta, tau), abs=1e-4)
    assert found.ll == pytest.approx(ll, abs=1e-5)
