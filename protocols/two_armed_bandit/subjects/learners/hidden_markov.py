"""Learners that infer which side is the high one: the hidden Markov model and its sticky variant.

The belief is kept as log-odds: an outcome adds or takes ln(p / (1-p)), and the chance of a change pulls it back.
"""

from __future__ import annotations

import math

from protocols.two_armed_bandit.subjects.learners.base import Learner, Policy, logit, stochastic


class HiddenMarkov(Learner):
    """The Bayesian observer of the task (Beron et al. 2022, the hidden Markov model).

    It believes that the high side pays with ``p``, the other with 1-p, and that the high side stays with ``q``. With
    psi the log-odds that left is high, psi' = psi + (2r-1) c ln(p/(1-p)) and psi <- ln[(q e^psi' + 1-q) /
    ((1-q) e^psi' + q)]. Acting stochastically on psi is Thompson sampling.
    """

    def __init__(self, p: float, q: float, policy: Policy = stochastic, bias: float = 0.0) -> None:
        super().__init__(policy, bias)
        self.p, self.q = p, q
        self._weight = logit(p)
        self._belief = 0.0

    @property
    def b(self) -> float:
        """Return the probability that left is the high side."""
        return stochastic(self._belief)

    def evidence(self) -> float:
        """Return the log-odds that left is the high side."""
        return self._belief

    def update(self, choice: int, reward: int) -> None:
        """Update the belief with the outcome, then with a possible change."""
        self._belief = self._allow_change(self._belief + (2 * reward - 1) * choice * self._weight)

    def _allow_change(self, belief: float) -> float:
        rest = math.exp(-abs(belief))  # of the smaller odds, so that nothing overflows
        # The result is within ±ln(q / (1-q)): the belief in a side never exceeds q.
        pulled = math.log((self.q + (1.0 - self.q) * rest) / (1.0 - self.q + self.q * rest))
        return math.copysign(1.0, belief) * pulled


class StickyHiddenMarkov(HiddenMarkov):
    """The hidden Markov model with a choice history bias (Beron et al. 2022, sticky HMM).

    psi = logit(b) + d, with d_{t+1} = g d_t + (alpha + beta/2) c_t - alpha g c_{t-1} and g = exp(-1/tau). Where its
    belief is nearly linear, that is for q = (1+g)/2 and beta = 2 g ln(p/(1-p)), psi is that of RFLR.
    """

    def __init__(
        self,
        p: float,
        q: float,
        alpha: float,
        beta: float,
        tau: float,
        policy: Policy = stochastic,
        bias: float = 0.0,
    ) -> None:
        super().__init__(p, q, policy, bias)
        self.alpha, self.beta = alpha, beta
        self._decay = math.exp(-1.0 / tau)
        self._stickiness = 0.0
        self._last = 0

    def evidence(self) -> float:
        """Return the log-odds that left is the high side, with the stickiness added."""
        return self._belief + self._stickiness

    def update(self, choice: int, reward: int) -> None:
        """Update the belief and the stickiness."""
        super().update(choice, reward)
        fresh = (self.alpha + self.beta / 2.0) * choice
        self._stickiness = self._decay * self._stickiness + fresh - self.alpha * self._decay * self._last
        self._last = choice
