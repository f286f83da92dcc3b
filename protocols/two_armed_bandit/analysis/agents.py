"""Fitted policies as agents that choose, trial by trial, in many sessions at once.

An agent is a generator. It yields the log-odds of left for every session. The caller sends back the choices (+1 left,
-1 right) and the rewards (1 or 0).
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Generator, Mapping
from typing import TypeAlias

import numpy as np

from protocols.two_armed_bandit.analysis import hmm
from protocols.two_armed_bandit.analysis.history_words import CLIP, LENGTH, side_policy
from protocols.two_armed_bandit.analysis.simulate import TaskCondition
from protocols.two_armed_bandit.analysis.stack import Stack
from rig.analysis.common.arrays import Floats

Agent: TypeAlias = Generator[Floats, tuple[Floats, Floats], None]

# The likelihoods clip deterministic policies to the same bound, so an agent plays the policy that was scored.
SURE = math.log((1 - CLIP) / CLIP)


def rflr(sessions: int, alpha: float, beta: float, tau: float) -> Agent:
    """Yield log-odds of the recursive regression (Beron et al. 2022, equations 5 and 6)."""
    phi = psi = np.zeros(sessions)
    while True:
        choice, reward = yield psi
        # phi is updated before the repetition bias: phi_1 is beta of the first reward, without decay (equation 6).
        phi = math.exp(-1 / tau) * phi + beta * choice * reward
        psi = phi + alpha * choice


def fq(sessions: int, k: float, temperature: float, alpha: float) -> Agent:
    """Yield log-odds of the forgetting Q-learner; both values decay by 1 - k (Beron et al. 2022, F-Q)."""
    values, psi = np.zeros((2, sessions)), np.zeros(sessions)
    while True:
        choice, reward = yield psi
        values = (1 - k) * values + k * reward * np.array([choice > 0, choice < 0])
        psi = (values[0] - values[1]) / temperature + alpha * choice


def logistic_regression(sessions: int, alpha: float, beta: tuple[float, ...], delta: float) -> Agent:
    """Yield log-odds of the logistic regression on the last rewarded choices; ``delta`` is the side bias."""
    rewarded: deque[Floats] = deque(maxlen=len(beta))
    psi = np.zeros(sessions)
    while True:
        choice, reward = yield psi
        rewarded.appendleft(choice * reward)
        psi = delta + alpha * choice + sum(weight * past for weight, past in zip(beta, rewarded, strict=False))


def full_q(sessions: int, alpha: float, beta: float, tau: float, gain: float) -> Agent:
    """Yield log-odds of the full Q-learner: the chosen value also moves toward its reward (``learners.full_q``)."""
    values, psi = np.zeros((2, sessions)), np.zeros(sessions)
    while True:
        choice, reward = yield psi
        chosen = np.array([choice > 0, choice < 0])
        values = (math.exp(-1 / tau) - beta * chosen) * values + chosen * reward
        psi = gain * (values[0] - values[1]) + alpha * choice


def sticky_hmm(sessions: int, alpha: float, beta: float, tau: float, p: float, q: float) -> Agent:
    """Yield log-odds of the sticky HMM: log-odds of the belief plus a decaying weight of past choices."""
    belief, sticky, before, psi = np.full(sessions, 0.5), np.zeros(sessions), np.zeros(sessions), np.zeros(sessions)
    g = math.exp(-1 / tau)
    while True:
        choice, reward = yield psi
        belief = hmm.updated(belief, choice * (2 * reward - 1) > 0, p, q)
        sticky = g * sticky + (alpha + beta / 2) * choice - alpha * g * before
        before = choice
        psi = np.log(belief / (1 - belief)) + sticky


def believer(sessions: int, p: float, q: float, policy: hmm.Policy) -> Agent:
    """Yield log-odds of a policy on the belief of a hidden Markov model; the first choice is random."""
    belief, left = np.full(sessions, 0.5), np.full(sessions, 0.5)
    while True:
        choice, reward = yield np.log(left / (1 - left))
        belief = hmm.updated(belief, choice * (2 * reward - 1) > 0, p, q)
        left = policy(belief)


def ngram(sessions: int, left: Floats) -> Agent:
    """Yield log-odds from a table of P(left) after each word of sides; the first three choices are random."""
    past: deque[Floats] = deque(maxlen=LENGTH)
    # One letter is 0 to 3: left or right, rewarded or not. A word is the number of its letters in base 4, oldest first.
    psi, of_word = np.zeros(sessions), np.log(left / (1 - left))
    while True:
        choice, reward = yield psi
        past.append(2 * (choice < 0) + (reward == 0))
        if len(past) == LENGTH:
            word = sum(np.asarray(letter, int) * 4 ** (LENGTH - 1 - place) for place, letter in enumerate(past))
            psi = of_word[word]


def win_stay_lose_switch(sessions: int) -> Agent:
    """Yield log-odds that repeat a rewarded choice and leave an unrewarded one."""
    psi = np.zeros(sessions)
    while True:
        choice, reward = yield psi
        psi = SURE * choice * (2 * reward - 1)


def random(sessions: int) -> Agent:
    """Yield log-odds 0: both ports are equally likely."""
    while True:
        yield np.zeros(sessions)


def _hmm(policy: hmm.Policy) -> Callable[..., Agent]:
    return lambda sessions, p, q: believer(sessions, p, q, policy)


def _softmax(sessions: int, p: float, q: float, temperature: float) -> Agent:
    return believer(sessions, p, q, hmm.softmax(temperature))


AGENTS: Mapping[str, Callable[..., Agent]] = {
    "rflr": rflr,
    "fq": fq,
    "logistic_regression": logistic_regression,
    "full_q": full_q,
    "sticky_hmm": sticky_hmm,
    "hmm_thompson": _hmm(hmm.thompson),
    "hmm_greedy": _hmm(hmm.greedy),
    "hmm_softmax": _softmax,
    "wsls": win_stay_lose_switch,
    "random": random,
}
"""Agents that need only parameters, by the name of the model; ``ngram`` needs its table of words instead."""


def agent_of(name: str, parameters: Mapping[str, object], sessions: int) -> Agent:
    """Return the agent of a fitted model."""
    return AGENTS[name](sessions, **parameters)


def table_of(train: Stack) -> Floats:
    """Return P(left) after every word of sides, the table of the agent ``ngram``."""
    return side_policy(train)


def run(agent: Agent, world: TaskCondition, sessions: int, trials: int, seed: int) -> Stack:
    """Run sessions of an agent at the task; the same seed gives every agent the same random numbers."""
    draw = np.random.default_rng(seed)
    choice, reward, high = np.empty((3, trials, sessions))
    psi = next(agent)
    up = np.where(draw.random(sessions) < 0.5, 1.0, -1.0)
    for trial in range(trials):
        # Three uniforms per trial whatever happens: choice, reward, swap. Agents with one seed meet the same swaps,
        # so differences between agents are not differences of luck.
        chance = draw.random((3, sessions))
        choice[trial] = np.where(chance[0] < 1 / (1 + np.exp(-psi)), 1.0, -1.0)
        high[trial] = up
        reward[trial] = chance[1] < np.where(choice[trial] == up, world.p_high, world.p_low)
        psi = agent.send((choice[trial], reward[trial]))
        # The swap follows the reward: a trial is paid by the odds in force before the Markov step.
        up = np.where(chance[2] < world.q_stay, up, -up)
    lengths = np.full(sessions, trials, np.int64)
    return Stack(choice.T.copy(), reward.T.copy(), high.T.copy(), lengths, np.zeros(sessions, np.int64))
