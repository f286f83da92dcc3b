import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.two_armed_bandit.analysis import learners, rflr
from protocols.two_armed_bandit.analysis.hmm import Hmm, log_odds, thompson
from protocols.two_armed_bandit.analysis.learners import FullQFit, StickyHmm
from protocols.two_armed_bandit.analysis.simulate import TaskCondition, simulate
from rig.analysis.common.maximum import log_likelihood
from tests.protocols.two_armed_bandit.made import histories, stack


def full_q_by_hand(history: str, model: FullQFit) -> list[float]:
    """The definition itself, with a temperature of beta / gain."""
    keep, temperature = math.exp(-1 / model.tau), model.beta / model.gain
    values, odds = {"L": 0.0, "R": 0.0}, [0.0]
    for letter in history:
        for side in values:
            learned = model.beta * (letter.isupper() - values[side]) if side == letter.upper() else 0
            values[side] = keep * values[side] + learned
        choice = 1 if letter.upper() == "L" else -1
        odds.append((values["L"] - values["R"]) / temperature + model.alpha * choice)
    return odds[:-1]


@given(histories, st.builds(FullQFit, st.floats(-1, 2), st.floats(0.01, 0.9), st.floats(0.3, 9), st.floats(0.1, 5)))
def test_the_full_q_learner_is_its_definition(rows: list[str], model: FullQFit) -> None:
    for row, psi in zip(rows, learners.full_q_log_odds(stack(*rows), model), strict=True):
        np.testing.assert_allclose(psi[: len(row)], full_q_by_hand(row, model), atol=1e-9)


@given(histories)
def test_without_the_pull_of_the_chosen_port_it_is_the_recursive_regression(rows: list[str]) -> None:
    made = stack(*rows)
    found = learners.full_q_log_odds(made, FullQFit(0.78, 0.0, 1.43, 2.05))
    np.testing.assert_allclose(found, rflr.log_odds(made, rflr.Rflr(0.78, 2.05, 1.43)), atol=1e-9)


@given(histories)
def test_a_belief_to_which_nothing_sticks_is_the_belief(rows: list[str]) -> None:
    made = stack(*rows)
    found = learners.sticky_hmm_log_odds(made, StickyHmm(0.0, 0.0, 2.0, 0.7, 0.9))
    np.testing.assert_allclose(found, log_odds(made, Hmm(0.7, 0.9), thompson), atol=1e-9)


def test_choices_stick_as_they_are_defined_to() -> None:
    g, alpha, beta = math.exp(-1 / 2.0), 1.2, 0.6
    found = learners.sticky_hmm_log_odds(stack("lrl"), StickyHmm(alpha, beta, 2.0, 0.5, 0.9))[0]
    first = alpha + beta / 2
    np.testing.assert_allclose(found, [0, first, g * first - first - alpha * g], atol=1e-9)


@pytest.mark.parametrize("name", ["full_q", "sticky_hmm"])
def test_a_learner_fits_its_data_at_least_as_well_as_where_it_began(name: str) -> None:
    made = simulate(np.full(12, 0.78), np.full(12, 2.05), np.full(12, 1.43), TaskCondition(0.8, 0.2), 250, 4)
    start = rflr.fit(made)
    assert start is not None
    scored = made.from_trial(2)

    def ll(psi: np.ndarray) -> float:
        return float(log_likelihood((made.choice * psi)[scored]).mean())

    if name == "full_q":
        assert ll(learners.full_q_log_odds(made, learners.fit_full_q(made, start.model))) >= start.ll - 1e-6
    else:
        found = learners.fit_sticky_hmm(made)
        assert ll(learners.sticky_hmm_log_odds(made, found)) > ll(
            learners.sticky_hmm_log_odds(made, StickyHmm(1.86, 0.34, 7.3, 0.877, 0.86))
        )
