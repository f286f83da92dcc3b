"""The tempo of a mouse: that of the day, and how it changes within a session.

``python -m scripts.fit_mice`` fits the constants to the 164 public 80-20 sessions of Beron et al. (2022).
"""

from __future__ import annotations

import math
import random
from typing import NamedTuple

from sim_hardware.models.base import normal


class Changes(NamedTuple):
    """How the logarithm of a time changes: a trend over the session, and a wander from trial to trial.

    ``drift`` and ``drift_sd`` are mean and SD over sessions of the change from begin to end. The wander has the SD
    ``wander_sd`` and an autocorrelation that falls to 1/e in ``wander_trials``.
    """

    drift: float
    drift_sd: float
    wander_sd: float
    wander_trials: float


PACE = Changes(-0.215, 0.227, 0.170, 15.5)
"""Of the intervals between last poke and center."""

FLIGHT = Changes(-0.007, 0.074, 0.052, 8.5)
"""Of the times from center to side; over sessions and trials they hardly correlate with the intervals (r = .3, .02)."""


class Tempo:
    """Factor of the times of a session: 1 until the session begins.

    ``median`` and ``day_sd`` are the median over sessions and its log-SD. ``change`` scales trend and wander; with 0
    the factor is the same throughout a session.
    """

    def __init__(self, changes: Changes, median: float, day_sd: float, change: float) -> None:
        self.factor = 1.0
        self._changes = changes
        self._median, self._day_sd, self._change = median, day_sd, change
        self._keep = math.exp(-1.0 / changes.wander_trials)
        self._day = self._trend = self._wander = 0.0

    def begin(self, draw: random.Random) -> None:
        """Draw what the day brings."""
        self._day = math.log(self._median) + self._day_sd * normal(draw)
        self._trend = self._changes.drift + self._changes.drift_sd * normal(draw)
        self._wander = normal(draw)

    def step(self, draw: random.Random, part: float) -> None:
        """Draw the factor of the next trial, at this part of the session: 0 at its begin, 1 at its end."""
        self._wander = self._keep * self._wander + math.sqrt(1.0 - self._keep**2) * normal(draw)
        change = self._trend * (min(part, 1.0) - 0.5) + self._changes.wander_sd * self._wander
        self.factor = math.exp(self._day + self._change * change)
