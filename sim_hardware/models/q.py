"""The mouse of full Q-learning: a learning rate beside the forgetting (Beron et al. 2022, full Q model)."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from sim_hardware.models.learners.base import POLICIES
from sim_hardware.models.learners.recency import FullQ
from sim_hardware.models.named import USUAL, NamedMouse, NamedParams, Weights

USUAL_RATE = 0.05
"""The likelihood is nearly flat along beta / T: a small rate makes it the mouse of RFLR, nearly."""


class QParams(NamedParams):
    """The numbers of the model; by default a first reward weighs as much as in RFLR's published 80-20 set."""

    alpha: float = Field(default=USUAL.alpha, ge=-50, le=50, description="how much the last choice is repeated")
    beta: float = Field(
        default=USUAL_RATE, ge=0, le=1, description="learning rate of the chosen side (Beron et al. 2022, full Q)"
    )
    tau: float = Field(
        default=USUAL.tau, gt=0, le=1000, description="over how many trials both values decay (Beron et al. 2022)"
    )
    T: float = Field(
        default=USUAL_RATE / USUAL.beta, gt=0, le=1000, description="temperature; beta / T is the weight of a reward"
    )
    delta: float = Field(default=USUAL.delta, ge=-50, le=50, description="side bias, log-odds of left")

    @classmethod
    def weighed(cls, weights: Weights) -> dict[str, Any]:
        """Give a first reward the same weight."""
        temperature = USUAL_RATE / weights.beta
        return {"alpha": weights.alpha, "tau": weights.tau, "T": temperature, "delta": weights.delta}


class Q(NamedMouse):
    """Chooses by two values that it corrects."""

    Params = QParams

    def __init__(self, params: QParams) -> None:
        learner = FullQ(
            params.alpha, params.beta, params.tau, params.T, policy=POLICIES[params.policy], bias=params.delta
        )
        super().__init__(params, learner)
