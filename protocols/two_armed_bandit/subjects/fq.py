"""The mouse of Q-learning with forgetting, F-Q (Beron et al. 2022, F-Q model)."""

from __future__ import annotations

from pydantic import Field

from protocols.two_armed_bandit.subjects.learners.base import POLICIES
from protocols.two_armed_bandit.subjects.learners.value_learning import ForgettingQ
from protocols.two_armed_bandit.subjects.named import USUAL, NamedMouse, NamedParams, Weights


class FqParams(NamedParams):
    """The numbers of the model; by default those that act as RFLR's published set for 80-20 sessions."""

    k: float = Field(
        default=USUAL.k, gt=0, le=1, description="learning and forgetting rate; RFLR's is 1 - exp(-1/tau) (Beron 2022)"
    )
    T: float = Field(default=USUAL.temperature, gt=0, le=1000, description="temperature; RFLR's is k/beta (Beron 2022)")
    alpha: float = Field(
        default=USUAL.alpha, ge=-50, le=50, description="how much the last choice is repeated; the same as RFLR's"
    )
    delta: float = Field(default=USUAL.delta, ge=-50, le=50, description="side bias, log-odds of left")

    @classmethod
    def from_weights(cls, weights: Weights) -> dict[str, object]:
        """Convert the weights exactly."""
        return {"k": weights.k, "T": weights.temperature, "alpha": weights.alpha, "delta": weights.delta}


class FqMouse(NamedMouse):
    """A mouse that chooses by two values with the same decay."""

    Params = FqParams

    def __init__(self, params: FqParams) -> None:
        policy = POLICIES[params.policy]
        super().__init__(params, ForgettingQ(params.k, params.T, params.alpha, policy=policy, bias=params.delta))
