"""Learners that weigh recent choices and rewards (Beron et al. 2022): four forms of one idea.

Throughout c is +1 for a choice to the left and -1 to the right, r is 1 for a reward, psi the log-odds of left.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence

from protocols.two_armed_bandit.subjects.learners.base import Learner, Policy, stochastic


class RecursiveLogistic(Learner):
    """The recursively formulated logistic regression, RFLR (Beron et al. 2022, equations 5 and 6).

    phi_t = beta c_t r_t + exp(-1/tau) phi_{t-1}; psi_{t+1} = phi_t + alpha c_t.
    """

    def __init__(self, alpha: float, beta: float, tau: float, policy: Policy = stochastic, bias: float = 0.0) -> None:
        super().__init__(policy, bias)
        self.alpha, self.beta, self.tau = alpha, beta, tau
        self._decay = math.exp(-1.0 / tau)
        self._phi = self._psi = 0.0

    def evidence(self) -> float:
        """Return phi + alpha c."""
        return self._psi

    def update(self, choice: int, reward: int) -> None:
        """Update the evidence: it decays, and the new outcome is added."""
        self._phi = self.beta * choice * reward + self._decay * self._phi
        self._psi = self._phi + self.alpha * choice


class _ValueLearner(Learner):
    """A learner of two values, from 0, that compares them: psi = (Q_left - Q_right) / T + alpha c."""

    def __init__(self, alpha: float, temperature: float, policy: Policy, bias: float) -> None:
        super().__init__(policy, bias)
        self.alpha, self.temperature = alpha, temperature
        self._values = {1: 0.0, -1: 0.0}
        self._choice = 0

    def evidence(self) -> float:
        """Return the log-odds of left from the two values and the last choice."""
        return (self._values[1] - self._values[-1]) / self.temperature + self.alpha * self._choice


class ForgettingQ(_ValueLearner):
    """Q-learning that forgets, F-Q (Beron et al. 2022): the value of the side not chosen decays as fast.

    Q_chosen <- (1-k) Q_chosen + k r; Q_other <- (1-k) Q_other; psi = (Q_left - Q_right) / T + alpha c. Both values
    begin at 0. With k = 1 - exp(-1/tau) and T = k / beta its psi is that of RFLR on every history.
    """

    def __init__(
        self, k: float, temperature: float, alpha: float, policy: Policy = stochastic, bias: float = 0.0
    ) -> None:
        super().__init__(alpha, temperature, policy, bias)
        self.k = k

    def update(self, choice: int, reward: int) -> None:
        """Move the chosen value toward the reward, and the other toward nothing."""
        for side, value in self._values.items():
            self._values[side] = (1.0 - self.k) * value + (self.k * reward if side == choice else 0.0)
        self._choice = choice


class FullQ(_ValueLearner):
    """Q-learning with a learning rate beside the forgetting (Beron et al. 2022, the full Q-learning model).

    Q_i <- exp(-1/tau) Q_i + beta (r - Q_i) [i chosen]; psi = (Q_left - Q_right) / T + alpha c.
    """

    def __init__(
        self,
        alpha: float,
        beta: float,
        tau: float,
        temperature: float,
        policy: Policy = stochastic,
        bias: float = 0.0,
    ) -> None:
        super().__init__(alpha, temperature, policy, bias)
        self.beta = beta
        self._decay = math.exp(-1.0 / tau)

    def update(self, choice: int, reward: int) -> None:
        """Update both values: they decay, and the chosen one is corrected by its error."""
        for side, value in self._values.items():
            error = reward - value if side == choice else 0.0
            self._values[side] = self._decay * value + self.beta * error
        self._choice = choice


class Logistic(Learner):
    """Logistic regression on the last trials (Beron et al. 2022, equation 4), the latest first.

    psi_{t+1} = sum alpha_i c_{t+1-i} + sum beta_i c_{t+1-i} r_{t+1-i} + sum gamma_i r_{t+1-i} + delta; delta is the
    learner's bias.
    """

    def __init__(
        self,
        alpha: Sequence[float],
        beta: Sequence[float],
        gamma: Sequence[float],
        policy: Policy = stochastic,
        bias: float = 0.0,
    ) -> None:
        super().__init__(policy, bias)
        self.alpha, self.beta, self.gamma = tuple(alpha), tuple(beta), tuple(gamma)
        self._past: deque[tuple[int, int]] = deque(maxlen=max(len(alpha), len(beta), len(gamma), 1))

    def evidence(self) -> float:
        """Return the weighted sum of the remembered trials."""
        past = self._past
        return (
            sum(weight * choice for weight, (choice, _) in zip(self.alpha, past, strict=False))
            + sum(weight * choice * reward for weight, (choice, reward) in zip(self.beta, past, strict=False))
            + sum(weight * reward for weight, (_, reward) in zip(self.gamma, past, strict=False))
        )

    def update(self, choice: int, reward: int) -> None:
        """Add the trial, and remove the oldest."""
        self._past.appendleft((choice, reward))
