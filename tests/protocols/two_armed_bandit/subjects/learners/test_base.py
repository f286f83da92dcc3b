"""What holds for every learner: how evidence becomes a choice, how a session begins, and that sides are alike."""

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.two_armed_bandit.subjects.learners.base import (
    SLOW_TRIALS,
    Habit,
    Learner,
    greedy,
    logit,
    softmax,
    stochastic,
)
from protocols.two_armed_bandit.subjects.learners.heuristics import FixedProbability, NgramLearner, WinStayLoseShift
from protocols.two_armed_bandit.subjects.learners.hidden_markov import HiddenMarkov, StickyHiddenMarkov
from protocols.two_armed_bandit.subjects.learners.value_learning import ForgettingQ, FullQ, Logistic, RecursiveLogistic

LEARNERS: dict[str, Callable[[], Learner]] = {
    "rflr": lambda: RecursiveLogistic(0.78, 2.05, 1.43),
    "fq": lambda: ForgettingQ(0.5, 0.25, 0.78),
    "q": lambda: FullQ(0.78, 0.3, 1.43, 0.25),
    "logistic": lambda: Logistic((0.5, 0.2), (2.0, 1.0, 0.5), ()),
    "hmm": lambda: HiddenMarkov(0.8, 0.98),
    "sticky": lambda: StickyHiddenMarkov(0.877, 0.86, 1.86, 0.34, 7.3),
    "wsls": WinStayLoseShift,
    "words": lambda: NgramLearner(3, 0.07, {"AAA": 0.01, "abb": 0.42, "Aab": 0.4}),
    "coin": FixedProbability,
}
OTHER = {"left": "right", "right": "left"}
HISTORIES = st.lists(st.tuples(st.sampled_from(["left", "right"]), st.booleans()), max_size=40)


def taught(make: Callable[[], Learner], history: list[tuple[str, bool]]) -> Learner:
    learner = make()
    for side, rewarded in history:
        learner.observe(side, rewarded)
    return learner


@pytest.mark.parametrize("name", LEARNERS)
@given(history=HISTORIES)
def test_the_two_sides_are_alike_to_a_learner_without_a_bias(name: str, history: list[tuple[str, bool]]) -> None:
    one = taught(LEARNERS[name], history)
    other = taught(LEARNERS[name], [(OTHER[side], rewarded) for side, rewarded in history])
    assert one.psi() == pytest.approx(-other.psi(), abs=1e-12)
    assert one.p_left() == pytest.approx(1 - other.p_left(), abs=1e-12)


@pytest.mark.parametrize("name", [name for name in LEARNERS if name != "coin"])
def test_the_first_choice_of_a_session_is_a_coin_whatever_the_policy_and_the_bias(name: str) -> None:
    learner = LEARNERS[name]()
    learner.bias = 3.0
    learner.policy = greedy
    assert learner.p_left() == 0.5
    learner.observe("left", True)
    assert learner.p_left() in (0.0, 1.0)


def test_a_bias_is_added_to_the_evidence() -> None:
    learner = RecursiveLogistic(0.78, 2.05, 1.43, bias=-0.4)
    learner.observe("left", True)
    assert learner.psi() == pytest.approx(0.78 + 2.05 - 0.4)
    assert learner.p_left() == pytest.approx(1 / (1 + math.exp(-2.43)))


@given(st.floats(-800, 800))
def test_stochastic_choice_is_the_logistic_function_and_never_overflows(psi: float) -> None:
    assert stochastic(psi) == pytest.approx((1 + math.tanh(psi / 2)) / 2, abs=1e-12)
    assert stochastic(psi) + stochastic(-psi) == pytest.approx(1.0)


@given(st.floats(0.0, 1.0))
def test_log_odds_and_probability_are_each_others_inverse(p: float) -> None:
    assert stochastic(logit(p)) == pytest.approx(p, abs=1e-12)


@given(st.floats(-20, 20))
def test_softmax_is_thompson_at_one_and_greedy_toward_nought(psi: float) -> None:
    assert softmax(1.0)(psi) == stochastic(psi)
    if abs(psi) > 1e-3:
        assert softmax(1e-6)(psi) == pytest.approx(greedy(psi))


def test_a_tie_goes_left() -> None:
    assert greedy(0.0) == 1.0
    assert greedy(-1e-300) == 0.0


def test_a_day_has_a_bias_and_a_gain_and_begins_with_a_warm_up() -> None:
    settled, fresh = (taught(LEARNERS["rflr"], [("left", True)] * 3) for _ in range(2))
    fresh.begin_day(0.6, 1.0)
    assert fresh.psi() == pytest.approx(settled.psi() + 0.6)
    coin = 0.6 * math.exp(-3 / 8)
    assert fresh.p_left() == pytest.approx(coin / 2 + (1 - coin) * stochastic(settled.psi() + 0.6))
    for _ in range(200):
        fresh.observe("left", True)
    assert fresh.p_left() == pytest.approx(stochastic(fresh.psi()), abs=1e-9)


def test_the_gain_of_the_day_multiplies_the_evidence_but_not_the_bias() -> None:
    settled, sharp = (taught(LEARNERS["rflr"], [("left", True)] * 3) for _ in range(2))
    sharp.begin_day(0.6, 2.0)
    assert sharp.psi() == pytest.approx(2 * settled.psi() + 0.6)


def test_a_habit_adds_the_choice_before_the_last_and_a_running_mean() -> None:
    plain, habitual = (LEARNERS["rflr"]() for _ in range(2))
    habitual.habit = Habit(alpha2=-0.5, slow=2.0)
    for side in ("left", "right", "right"):
        plain.observe(side, False)
        habitual.observe(side, False)
    keep = math.exp(-1 / SLOW_TRIALS)
    running = (1 - keep) * (keep**2 - keep - 1)
    assert habitual.psi() == pytest.approx(plain.psi() + 0.5 + 2 * running)
