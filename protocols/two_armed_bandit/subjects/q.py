"""The mouse of full Q-learning: a learning rate beside the forgetting (Beron et al. 2022, full Q model)."""

from __future__ import annotations

import math

from pydantic import Field

from protocols.two_armed_bandit.subjects.learners.base import POLICIES
from protocols.two_armed_bandit.subjects.learners.value_learning import FullQ
from protocols.two_armed_bandit.subjects.named import USUAL, NamedMouse, NamedParams, Weights

RATE = 0.02
"""The likelihood is nearly flat along beta / T; a small rate makes it nearly the mouse of RFLR."""


def slower(weights: Weights) -> float:
    """Return the tau with which the chosen value, which the learning rate pulls down too, fades as RFLR's evidence."""
    return -1.0 / math.log(weights.decay + RATE)


class QParams(NamedParams):
    """The numbers of the model; by default nearly the mouse of RFLR's published set for 80-20 sessions."""

    alpha: float = Field(
        default=USUAL.alpha, ge=-50, le=50, description="how much the last choice is repeated; the same as RFLR's"
    )
    beta: float = Field(
        default=RATE, ge=0, le=1, description="learning rate of the chosen side (Beron et al. 2022, full Q)"
    )
    tau: float = Field(
        default=slower(USUAL), gt=0, le=1000, description="trials over which both values decay (Beron et al. 2022)"
    )
    T: float = Field(
        default=RATE / USUAL.beta, gt=0, le=1000, description="temperature; beta/T is RFLR's weight of a reward"
    )
    delta: float = Field(default=USUAL.delta, ge=-50, le=50, description="side bias, log-odds of left")

    @classmethod
    def from_weights(cls, weights: Weights) -> dict[str, object]:
        """Return the parameters with which a first reward has the weight and the decay that it has in RFLR."""
        near = {"alpha": weights.alpha, "tau": slower(weights), "T": RATE / weights.beta}
        return {**near, "delta": weights.delta}


class QMouse(NamedMouse):
    """Chooses by two values that it corrects."""

    Params = QParams

    def __init__(self, params: QParams) -> None:
        policy = POLICIES[params.policy]
        learner = FullQ(params.alpha, params.beta, params.tau, params.T, policy=policy, bias=params.delta)
        super().__init__(params, learner)
