import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.two_armed_bandit.analysis.hmm import P_STEP, Q_STEP, Hmm, beliefs, fit, greedy, log_odds, thompson
from protocols.two_armed_bandit.analysis.stack import Stack
from tests.protocols.two_armed_bandit.made import histories, stack, swapped

beliefs_of = st.tuples(st.floats(0.51, 0.99), st.floats(0.5, 0.995))


def by_hand(history: str, p: float, q: float) -> list[float]:
    """Bayes' rule, one trial at a time."""
    b, found = 0.5, []
    for letter in history:
        found.append(b)
        toward_left = letter in "Lr"
        like = p if toward_left else 1 - p
        post = b * like / (b * like + (1 - b) * (1 - like))
        b = q * post + (1 - q) * (1 - post)
    return found


@given(histories, beliefs_of)
def test_beliefs_follow_bayes_rule(rows: list[str], at: tuple[float, float]) -> None:
    found = np.array(list(beliefs(stack(*rows), np.array([at[0]]), np.array([at[1]]))))[:, 0].T
    for row, belief in zip(rows, found, strict=True):
        np.testing.assert_allclose(belief[: len(row)], by_hand(row, *at), atol=1e-12)


@given(histories, beliefs_of)
def test_thompson_does_not_know_left_from_right(rows: list[str], at: tuple[float, float]) -> None:
    here = stack(*rows).from_trial(1)
    mine = log_odds(stack(*rows), Hmm(*at), thompson)
    theirs = log_odds(stack(*map(swapped, rows)), Hmm(*at), thompson)
    np.testing.assert_allclose(mine[here], -theirs[here], atol=1e-9)


def test_a_greedy_agent_takes_left_when_it_cannot_tell_but_begins_at_random() -> None:
    psi = log_odds(stack("lRL"), Hmm(0.8, 0.5), greedy)[0]
    assert psi[0] == 0
    assert psi[1] == psi[2] > 9


def agent(p: float, q: float, seed: int, sessions: int = 40, trials: int = 400) -> Stack:
    """An agent that believes this, in a world of 80-20."""
    draw = np.random.default_rng(seed)
    rows, high = [], []
    for _ in range(sessions):
        b, up, row, ups = 0.5, draw.random() < 0.5, "", ""
        for _ in range(trials):
            left = draw.random() < b
            paid = draw.random() < (0.8 if left == up else 0.2)
            row += ("L" if left else "R") if paid else ("l" if left else "r")
            ups += "L" if up else "R"
            like = p if left == paid else 1 - p
            post = b * like / (b * like + (1 - b) * (1 - like))
            b = q * post + (1 - q) * (1 - post)
            up ^= draw.random() < 0.02
        rows.append(row)
        high.append(ups)
    return stack(*rows, high=high)


def test_the_grid_finds_what_an_agent_believes() -> None:
    (found,) = fit(agent(0.7, 0.95, seed=1), [thompson])
    assert found.p == pytest.approx(0.7, abs=2 * P_STEP)
    assert found.q == pytest.approx(0.95, abs=2 * Q_STEP)
