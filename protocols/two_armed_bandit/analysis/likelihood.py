"""Predictive likelihood of models: fitted to some sessions, scored on others (Beron et al. 2022).

Log-likelihoods are means over scored trials, natural logarithm. Needs scipy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from protocols.two_armed_bandit.analysis import blocks, hmm, learners, regression, rflr
from protocols.two_armed_bandit.analysis.blocks import BlockCurve
from protocols.two_armed_bandit.analysis.confusion import Confusion, of_sides, of_switches
from protocols.two_armed_bandit.analysis.history_words import (
    CLIP,
    LENGTH,
    averages,
    side_log_odds,
    side_policy,
    spelled,
    words,
)
from protocols.two_armed_bandit.analysis.simulate import Q_STAY
from protocols.two_armed_bandit.analysis.stack import Stack
from rig.analysis.common.arrays import Flags, Floats, Ints, ratio, sd
from rig.analysis.common.maximum import log_likelihood

FIRST_SCORED = 2
"""First trial scored. The authors' fit scores trials 2 to the last of every session; their published values add trial 1
at one half, which costs .0007 per trial on their 80-20 sessions, a third of the difference between their models."""

NGRAM = "ngram"


@dataclass(frozen=True)
class ScoredModel:
    """A model with its parameters; ``walk`` returns the log-odds of left, sessions x trials, of any sessions."""

    name: str
    parameters: dict[str, Any]
    walk: Callable[[Stack], Floats]
    first_scored: int = FIRST_SCORED


@dataclass(frozen=True)
class Score:
    """A model's log-likelihood per trial, and its predictions for the test sessions.

    ``ll`` is over ``n`` trials, from trial ``first_scored`` of every session. ``ll_incl_first`` is over all trials, the
    first at one half. ``ll_with_history`` is over trials 4 to the last, the trials that all models can score;
    ``ll_by_session`` is the same for each session. ``ll_se`` is the bootstrap standard error over sessions.
    ``expected_reward`` is the reward rate of the model's policy given the subjects' history, NaN where the odds of the
    ports are unknown.
    """

    name: str
    parameters: dict[str, Any]
    first_scored: int
    n: int
    ll: float
    ll_se: float
    ll_incl_first: float
    ll_with_history: float
    ll_by_session: Floats
    expected_reward: float
    p_high: float
    p_switch: float
    around_flip: BlockCurve
    word_p_switch: Floats
    switches: Confusion
    sides: Confusion


def fitted(train: Stack) -> Iterator[ScoredModel]:
    """Yield every model, fitted to the training sessions; without a regression fit only n-gram, wsls and random."""
    best = rflr.fit(train)
    if best is not None:
        model = best.model
        yield ScoredModel("rflr", vars(model), partial(rflr.log_odds, model=model))
        # The F-Q model is an exact map of the RFLR's parameters, so a second fit could only differ by rounding.
        same = rflr.Fq.like(model)
        yield ScoredModel("fq", vars(same), partial(rflr.fq_log_odds, model=same))
        weights = regression.fit(train)
        yield ScoredModel("logistic_regression", vars(weights), partial(regression.log_odds, model=weights))
        learner = learners.fit_full_q(train, model)
        yield ScoredModel("full_q", vars(learner), partial(learners.full_q_log_odds, model=learner))
        sticky = learners.fit_sticky_hmm(train)
        yield ScoredModel("sticky_hmm", vars(sticky), partial(learners.sticky_hmm_log_odds, model=sticky))
        policies = (hmm.thompson, hmm.greedy)
        for policy, agent in zip(policies, hmm.fit(train, policies), strict=True):
            walk = partial(hmm.log_odds, model=agent, policy=policy)
            yield ScoredModel(f"hmm_{policy.__name__}", vars(agent), walk)
        soft = learners.fit_softmax_hmm(train)
        yield ScoredModel("hmm_softmax", vars(soft), partial(learners.softmax_hmm_log_odds, model=soft))
    table = partial(side_log_odds, policy=side_policy(train))
    yield ScoredModel(NGRAM, {"length": LENGTH}, table, first_scored=LENGTH + 1)
    yield ScoredModel("wsls", {}, win_stay_lose_switch)
    yield ScoredModel("random", {}, lambda stack: np.zeros(stack.choice.shape))


def win_stay_lose_switch(stack: Stack) -> Floats:
    """Return log-odds that repeat a rewarded choice and leave an unrewarded one, clipped to a finite likelihood."""
    # Clipped: a deterministic model would have a likelihood of 0 after the first exception.
    return rflr.shifted(stack.choice * (2 * stack.reward - 1)) * math.log((1 - CLIP) / CLIP)


def score(model: ScoredModel, test: Stack, drawn: Ints, odds: tuple[float, float] | None = None) -> Score:
    """Return the score of a model on test sessions; ``odds`` are the reward probabilities of high and low port.

    ``drawn`` are resamples of the test sessions, the same for all models, so that their errors are comparable.
    """
    psi = model.walk(test)
    likely = log_likelihood(test.choice * psi)
    scored = test.from_trial(model.first_scored)
    p_high, p_switch = expected = blocks.predicted(test, psi)
    known = np.nan_to_num(p_switch)
    to_high = _to_high(test, p_high, model.first_scored)
    later = test.from_trial(LENGTH + 1)
    return Score(
        name=model.name,
        parameters=model.parameters,
        first_scored=model.first_scored,
        n=int(scored.sum()),
        ll=_mean(likely, scored),
        ll_se=_resampled(likely, scored, drawn),
        # The n-gram has no prediction for trials 2 and 3, so a mean over all trials would be a mixture of two models.
        ll_incl_first=math.nan if model.name == NGRAM else _mean(likely, test.from_trial(1)),
        ll_with_history=_mean(likely, later),
        ll_by_session=ratio(np.where(later, likely, 0.0).sum(axis=1), later.sum(axis=1)),
        expected_reward=_rewarded(to_high, odds),
        p_high=to_high,
        p_switch=_mean(known, scored),
        around_flip=blocks.around_flip(test, expected, drawn),
        word_p_switch=averages(spelled(test), known, len(words("AB")))[1],
        switches=of_switches(test, known),
        sides=of_sides(test, 1 / (1 + np.exp(-psi))),
    )


def ideal_rewards(test: Stack, odds: tuple[float, float] | None) -> dict[str, float]:
    """Return the rewards per trial of observers who know the task's p and q, given the subjects' history, by policy.

    NaN where the odds are unknown or do not add up to 1, as those of the observer do (Beron et al. 2022, figure 6).
    """
    policies = (hmm.thompson, hmm.greedy)
    if odds is None or not math.isclose(sum(odds), 1):
        return {policy.__name__: math.nan for policy in policies}
    # An observer with p = 1 has no posterior after a reward at the port that it holds for the low one.
    observer = hmm.Hmm(min(odds[0], hmm.P_RANGE[1]), Q_STAY)
    expected = {each.__name__: blocks.predicted(test, hmm.log_odds(test, observer, each))[0] for each in policies}
    return {name: _rewarded(_to_high(test, p_high, FIRST_SCORED), odds) for name, p_high in expected.items()}


def _to_high(test: Stack, p_high: Floats, first_scored: int) -> float:
    """Return the mean probability of the high port, from trial ``first_scored`` of every session."""
    return _mean(np.nan_to_num(p_high), test.from_trial(first_scored) & (test.high != 0))


def _rewarded(to_high: float, odds: tuple[float, float] | None) -> float:
    """Return the rewards per trial of choosing the high port with a probability; NaN where the odds are unknown."""
    return math.nan if odds is None else odds[1] + (odds[0] - odds[1]) * to_high


def with_history(model: ScoredModel, test: Stack) -> float:
    """Return the log-likelihood per trial of a model over trials 4 to the last."""
    likely = log_likelihood(test.choice * model.walk(test))
    return _mean(likely, test.from_trial(LENGTH + 1))


def _mean(values: Floats, where: Flags) -> float:
    return float(ratio(values[where].sum(), where.sum()))


def _resampled(values: Floats, where: Flags, drawn: Ints) -> float:
    """Return the standard error of a mean over trials, by bootstrap over sessions; NaN without resamples."""
    return sd(ratio(drawn @ np.where(where, values, 0.0).sum(axis=1), drawn @ where.sum(axis=1)))
