"""The recursively formulated logistic regression mouse (Beron et al. 2022, equations 5 and 6).

phi_t = beta c_t r_t + exp(-1/tau) phi_{t-1}, psi_{t+1} = phi_t + alpha c_t, P(left) = 1 / (1 + exp(-psi)), with
c = +1 for left and -1 for right. The defaults are the first author's published set for 80-20 sessions.
"""

from __future__ import annotations

import math

from pydantic import Field

from sim_hardware.body import Body
from sim_hardware.models.nose_ports import NosePortMouse, NosePortParams


class RflrParams(NosePortParams):
    """The three numbers of the model."""

    alpha: float = Field(default=0.78, description="how much the last choice is repeated")
    beta: float = Field(default=2.05, description="how much a reward weighs")
    tau: float = Field(default=1.43, gt=0, description="over how many trials a reward is forgotten")


class Rflr(NosePortMouse):
    """Chooses by the recency of its rewards."""

    Params = RflrParams

    def __init__(self, params: RflrParams) -> None:
        super().__init__(params)
        self._alpha, self._beta = params.alpha, params.beta
        self._decay = math.exp(-1.0 / params.tau)
        self._phi = 0.0
        self._psi = 0.0

    def choose(self, body: Body) -> str:
        """Choose left with the probability that the model gives."""
        certainty = min(700.0, -self._psi)  # exp() of more overflows
        return "left" if body.random.random() < 1.0 / (1.0 + math.exp(certainty)) else "right"

    def learn(self, side: str, rewarded: bool) -> None:
        """Update the evidence."""
        choice = 1.0 if side == "left" else -1.0
        self._phi = self._beta * choice * rewarded + self._decay * self._phi
        self._psi = self._phi + self._alpha * choice
