"""Fit of a mouse whose choices differ from day to day. Needs scipy.

psi = gain (phi + alpha c_t + alpha2 c_{t-1} + slow s_t) + delta + bias, where phi is that of the recursive logistic
regression (Beron et al. 2022, equation 5) and s a running mean of the choices. Each day has a bias and a gain.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from protocols.two_armed_bandit.analysis.filters import filtered
from protocols.two_armed_bandit.analysis.rflr import BOUNDS, START, evidence, shifted
from protocols.two_armed_bandit.analysis.stack import Stack
from rig.analysis.common.arrays import Floats
from rig.analysis.common.maximum import maximize

FIRST = 21
"""First trial that is scored: until then mice settle, which the virtual mice do by a warm-up (``Learner``)."""

ROUNDS = 12
"""Rounds of fitting weights and days in turn; the weights then change by less than .005 in a round."""

SLOW_TRIALS = (5.0, 10.0, 20.0, 40.0, 80.0)
"""Time constants of the running mean that are tried."""

_FREE = (-20.0, 20.0)
_DEVIATES = (-6.0, 6.0)


@dataclass(frozen=True)
class MouseFit:
    """Weights of one mouse, the SDs of its days' bias and log gain, and the likelihood, summed over its trials."""

    alpha: float
    beta: float
    tau: float
    delta: float
    alpha2: float
    slow: float
    bias_sd: float
    gain_sd: float
    ll: float

    @property
    def weights(self) -> tuple[float, ...]:
        """Return the numbers of a virtual mouse, in the order of ``subjects.named.Weights``."""
        own = (self.alpha, self.beta, self.tau, self.delta)
        return (*own, self.alpha2, self.slow, self.bias_sd, self.gain_sd)


def best_fits(stacks: Mapping[str, Stack]) -> tuple[float, dict[str, MouseFit]]:
    """Return the likeliest common time constant of the running mean, in trials, and the fit of each mouse with it."""
    fits = {trials: {name: fit_mouse(stack, trials) for name, stack in stacks.items()} for trials in SLOW_TRIALS}
    best = max(fits, key=lambda trials: sum(fit.ll for fit in fits[trials].values()))
    return best, fits[best]


def fit_mouse(stack: Stack, slow_trials: float) -> MouseFit:
    """Fit one mouse by expectation and maximization; a day's posterior is taken as normal around its mode."""
    model = _Mouse(stack, slow_trials)
    weights: Floats = np.array([START[0], START[1], math.log(START[2]), 0.0, 0.0, 0.0])
    days, sds, ll = np.zeros((stack.sessions, 2)), np.array([0.3, 0.2]), 0.0
    for _ in range(ROUNDS):
        weights, ll = model.fit_weights(weights, days)
        days, sds = model.fit_days(weights, sds)
    alpha, beta, log_tau, delta, alpha2, slow = (float(weight) for weight in weights)
    return MouseFit(alpha, beta, math.exp(log_tau), delta, alpha2, slow, float(sds[0]), float(sds[1]), ll)


class _Mouse:
    """The sessions of one mouse as columns of scored trials."""

    def __init__(self, stack: Stack, slow_trials: float) -> None:
        self._stack = stack
        self._scored = stack.from_trial(FIRST)
        self._session = np.nonzero(self._scored)[0]
        self._choice = stack.choice[self._scored]
        keep = math.exp(-1 / slow_trials)
        running = filtered([1 - keep], [1.0, -keep], stack.choice, axis=1)
        last = shifted(stack.choice)
        self._habits = np.stack([column[self._scored] for column in (last, shifted(last), shifted(running))], axis=1)

    def fit_weights(self, begin: Floats, days: Floats) -> tuple[Floats, float]:
        """Return the weights that fit best, given each day's bias and log gain, and their summed log-likelihood."""
        bias, gain = days[self._session, 0], np.exp(days[self._session, 1])

        def walk(at: Floats) -> tuple[Floats, Floats]:
            drive, slopes = self._drive(at)
            return gain * drive + at[3] + bias, np.insert(gain[:, None] * slopes, 3, 1.0, axis=1)

        found = maximize(walk, self._choice, begin.tolist(), (*BOUNDS, _FREE, _FREE, _FREE))
        return np.array(found.at), found.ll * len(self._choice)

    def fit_days(self, weights: Floats, sds: Floats) -> tuple[Floats, Floats]:
        """Return each day's bias and log gain, given their SDs, and the SDs that follow from these."""
        drive = self._drive(weights)[0]
        deviates, errors = np.zeros((2, self._stack.sessions, 2))
        for day in np.unique(self._session):
            own, delta = self._session == day, weights[3]

            def walk(at: Floats, drive: Floats = drive[own], delta: float = delta) -> tuple[Floats, Floats]:
                scaled = math.exp(sds[1] * at[1]) * drive
                return scaled + delta + sds[0] * at[0], np.stack([np.full(len(drive), sds[0]), sds[1] * scaled], axis=1)

            # The deviates are standard normal, which is a ridge of 1.
            found = maximize(walk, self._choice[own], (0.0, 0.0), (_DEVIATES, _DEVIATES), ridge=1.0)
            deviates[day], errors[day] = found.at, found.se
        return deviates * sds, sds * np.sqrt(np.nanmean(deviates**2 + errors**2, axis=0))

    def _drive(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return the log-odds without biases, and their derivatives by the weights that are not biases."""
        alpha, beta, log_tau, _, alpha2, slow = weights
        tau = math.exp(log_tau)
        decay = math.exp(-1 / tau)
        rewards = evidence(self._stack, decay)
        slope = filtered([0.0, 1.0], [1.0, -decay], rewards, axis=1)  # derivative of the evidence by the decay
        rewards, slope = shifted(rewards)[self._scored], shifted(slope)[self._scored]
        drive = beta * rewards + self._habits @ np.array([alpha, alpha2, slow])
        last, before, running = self._habits.T
        return drive, np.stack([last, rewards, beta * decay / tau * slope, before, running], axis=1)
