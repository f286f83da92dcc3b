"""Base class of learners: evidence for a side, the policy that turns it into a choice, and the update by an outcome.

Evidence is psi, the log-odds of a choice to the left. A learner never draws: it returns the probability of
left, and its caller draws. So a learner can be stepped, compared and scored without a rig.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Literal

Policy = Callable[[float], float]
"""From psi to the probability of a choice to the left."""

PolicyName = Literal["stochastic", "greedy"]

# Public 80-20 sessions: P(switch) is .27 in trials 2 to 11, .13 in the next ten and .06 after the first hundred.
WARM_UP = 0.6
WARM_UP_TRIALS = 8.0


def stochastic(psi: float) -> float:
    """Return the logistic function of psi, without overflow."""
    if psi >= 0:
        return 1.0 / (1.0 + math.exp(-psi))
    odds = math.exp(psi)
    return odds / (1.0 + odds)


def greedy(psi: float) -> float:
    """Return 1 if the evidence is for left, otherwise 0; a tie goes left (Beron et al. 2022: pi = 1 if b >= .5)."""
    return 1.0 if psi >= 0 else 0.0


def softmax(temperature: float) -> Policy:
    """Build the policy sigma(psi / temperature): 1 is stochastic, toward 0 it becomes greedy."""
    return lambda psi: stochastic(psi / temperature)


POLICIES: dict[PolicyName, Policy] = {"stochastic": stochastic, "greedy": greedy}


def logit(p: float) -> float:
    """Return the log-odds of a probability; certainty is infinite."""
    if p in (0.0, 1.0):
        return math.inf if p else -math.inf
    return math.log(p / (1.0 - p))


SLOW_TRIALS = 20.0
"""Time constant of the running mean of a mouse's own choices: fitted by ``python -m scripts.fit_mice``."""


class Habit:
    """Log-odds of left from the mouse's own choices, whatever they gave: no part of the models of Beron et al. (2022).

    ``alpha2`` weighs the choice before the last, ``slow`` a running mean of all choices.
    """

    def __init__(self, alpha2: float = 0.0, slow: float = 0.0) -> None:
        self._alpha2, self._slow = alpha2, slow
        self._keep = math.exp(-1.0 / SLOW_TRIALS)
        self._last = self._before = 0
        self._mean = 0.0

    def evidence(self) -> float:
        """Return the log-odds of left."""
        return self._alpha2 * self._before + self._slow * self._mean

    def update(self, choice: int) -> None:
        """Add a choice: +1 for left and -1 for right."""
        self._before, self._last = self._last, choice
        self._mean = self._keep * self._mean + (1.0 - self._keep) * choice


class Learner(ABC):
    """Evidence for left, updated by every outcome.

    A ``habit`` is added to the evidence, the ``gain`` of the day multiplies both, and a ``bias`` is added to that.
    ``warm_up`` is how unsettled a session begins.
    """

    def __init__(self, policy: Policy = stochastic, bias: float = 0.0) -> None:
        self.policy = policy
        self.bias = bias
        self.gain = 1.0
        self.habit = Habit()
        self.warm_up = 0.0
        self.trials = 0

    @abstractmethod
    def evidence(self) -> float:
        """Return the log-odds of left that follow from what was learned."""

    @abstractmethod
    def update(self, choice: int, reward: int) -> None:
        """Update with an outcome: ``choice`` is +1 for left and -1 for right, ``reward`` 1 or 0."""

    def psi(self) -> float:
        """Return the log-odds of left, with habit, gain and bias."""
        return self.gain * (self.evidence() + self.habit.evidence()) + self.bias

    def p_left(self) -> float:
        """Return the probability of choosing left now.

        The first choice of a session is a coin (Beron et al. 2022: every model begins at even odds). While warming
        up, choice ``t`` (from 0) is a coin with probability ``warm_up exp(-t / 8)``: settling-in fitted to the first
        forty trials of the public sessions.
        """
        p = self.policy(self.psi()) if self.trials else 0.5
        if not self.warm_up:
            return p
        coin = self.warm_up * math.exp(-self.trials / WARM_UP_TRIALS)
        return 0.5 * coin + (1.0 - coin) * p

    def observe(self, side: str, rewarded: bool) -> None:
        """Update with the outcome of a choice of ``left`` or ``right``."""
        choice = 1 if side == "left" else -1
        self.update(choice, int(rewarded))
        self.habit.update(choice)
        self.trials += 1

    def begin_day(self, bias: float, gain: float) -> None:
        """Add the bias of the day, multiply by its gain, and begin the session with a warm-up."""
        self.bias += bias
        self.gain *= gain
        self.warm_up = WARM_UP
