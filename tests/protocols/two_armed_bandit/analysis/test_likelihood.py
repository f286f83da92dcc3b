import math

import numpy as np
import pytest

from protocols.two_armed_bandit.analysis.agents import believer, run
from protocols.two_armed_bandit.analysis.history_words import CLIP
from protocols.two_armed_bandit.analysis.hmm import greedy
from protocols.two_armed_bandit.analysis.likelihood import (
    FIRST_SCORED,
    NGRAM,
    Score,
    ScoredModel,
    fitted,
    ideal_rewards,
    score,
    win_stay_lose_switch,
)
from protocols.two_armed_bandit.analysis.rates import resamples
from protocols.two_armed_bandit.analysis.simulate import TaskCondition, simulate
from protocols.two_armed_bandit.analysis.stack import Stack
from tests.protocols.two_armed_bandit.made import stack

ALL = [
    *("rflr", "fq", "logistic_regression", "full_q", "sticky_hmm"),
    *("hmm_thompson", "hmm_greedy", "hmm_softmax", "ngram", "wsls", "random"),
]


def agents(sessions: int, seed: int, trials: int = 200) -> Stack:
    each = (np.full(sessions, value) for value in (0.78, 2.05, 1.43))
    return simulate(*each, TaskCondition(0.8, 0.2), trials, seed)


@pytest.fixture(scope="module")
def scores() -> dict[str, Score]:
    test = agents(6, seed=2)
    return {model.name: score(model, test, resamples(test.sessions, 1)) for model in fitted(agents(14, seed=1))}


def test_every_model_is_scored(scores: dict[str, Score]) -> None:
    assert list(scores) == ALL
    assert all(math.isfinite(each.ll) and math.isfinite(each.ll_se) for each in scores.values())


def test_the_forgetting_q_learner_scores_as_the_regression_it_is(scores: dict[str, Score]) -> None:
    assert scores["fq"].ll == pytest.approx(scores["rflr"].ll, abs=1e-9)


def test_chance_is_the_logarithm_of_one_half_on_every_trial(scores: dict[str, Score]) -> None:
    for name in ("ll", "ll_incl_first", "ll_with_history"):
        assert getattr(scores["random"], name) == pytest.approx(-math.log(2))
    assert scores["random"].ll_se == pytest.approx(0, abs=1e-12)


def test_the_model_that_made_the_choices_predicts_them_better_than_others(scores: dict[str, Score]) -> None:
    for name in ("hmm_thompson", "hmm_greedy", "wsls", "random"):
        assert scores["rflr"].ll > scores[name].ll + 0.05


def test_the_first_trial_counts_one_half_where_it_is_included(scores: dict[str, Score]) -> None:
    found = scores["rflr"]
    sessions, n = 6, found.n
    assert n == sessions * 199
    assert found.ll_incl_first == pytest.approx((found.ll * n - sessions * math.log(2)) / (n + sessions))


def test_a_table_is_scored_from_the_fourth_trial(scores: dict[str, Score]) -> None:
    found = scores[NGRAM]
    assert (found.first_scored, found.n) == (4, 6 * 197)
    assert found.ll == found.ll_with_history
    assert math.isnan(found.ll_incl_first)
    assert scores["rflr"].first_scored == FIRST_SCORED


def test_a_model_expects_the_switches_of_its_own_kind(scores: dict[str, Score]) -> None:
    assert scores["rflr"].p_switch == pytest.approx(0.07, abs=0.02)
    assert scores["random"].p_switch == pytest.approx(0.5)
    assert scores["rflr"].p_high == pytest.approx(0.8, abs=0.05)


def test_win_stay_lose_switch_repeats_what_paid_and_is_clipped() -> None:
    psi = win_stay_lose_switch(stack("Llr"))[0]
    sure = math.log((1 - CLIP) / CLIP)
    np.testing.assert_allclose(psi, [0, sure, -sure])


def test_a_score_of_one_session_has_no_spread() -> None:
    found = score(ScoredModel("random", {}, lambda made: np.zeros(made.choice.shape)), stack("LlRr"), resamples(1, 1))
    assert math.isnan(found.ll_se)


def test_where_nothing_can_be_fitted_the_baselines_remain() -> None:
    assert [model.name for model in fitted(stack("LLLLL"))] == ["ngram", "wsls", "random"]


def test_observers_who_know_the_task_would_get_more_than_agents_who_do_not() -> None:
    test = agents(60, seed=3, trials=300)
    found = ideal_rewards(test, (0.8, 0.2))
    obtained = float(test.reward.mean())
    assert found["greedy"] > found["thompson"] > obtained
    assert found["thompson"] == pytest.approx(0.713, abs=0.02)


def test_an_observer_would_get_from_its_own_history_what_it_got() -> None:
    observer = believer(60, 0.8, 0.98, greedy)
    played = run(observer, TaskCondition(0.8, 0.2), sessions=60, trials=300, seed=4)
    assert ideal_rewards(played, (0.8, 0.2))["greedy"] == pytest.approx(float(played.reward.mean()), abs=0.015)


@pytest.mark.parametrize("odds", [None, (0.9, 0.9)])
def test_no_observer_knows_odds_that_are_not_one_ports_or_the_others(odds: tuple[float, float] | None) -> None:
    assert all(math.isnan(value) for value in ideal_rewards(stack("LrL"), odds).values())


def test_an_observer_of_certain_ports_has_finite_odds() -> None:
    assert ideal_rewards(stack("LLLrRl", high=["LLLLRR"]), (1.0, 0.0))["greedy"] > 0.5
