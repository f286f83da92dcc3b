"""The recursively formulated logistic regression mouse (Beron et al. 2022, equations 5 and 6)."""

from __future__ import annotations

from pydantic import Field

from protocols.two_armed_bandit.subjects.learners.base import POLICIES
from protocols.two_armed_bandit.subjects.learners.value_learning import RecursiveLogistic
from protocols.two_armed_bandit.subjects.named import USUAL, NamedMouse, NamedParams, Weights


class RflrParams(NamedParams):
    """The numbers of the model; by default the first author's published set for 80-20 sessions."""

    alpha: float = Field(
        default=USUAL.alpha, ge=-50, le=50, description="how much the last choice is repeated (equation 6)"
    )
    beta: float = Field(default=USUAL.beta, ge=-50, le=50, description="how much a reward weighs (equation 5)")
    tau: float = Field(
        default=USUAL.tau, gt=0, le=1000, description="over how many trials a reward is forgotten (equation 5)"
    )
    delta: float = Field(
        default=USUAL.delta, ge=-50, le=50, description="side bias, log-odds of left (equation 4's constant)"
    )

    @classmethod
    def from_weights(cls, weights: Weights) -> dict[str, object]:
        """Return the weights unchanged."""
        return weights._asdict()


class RflrMouse(NamedMouse):
    """Chooses by recency-weighted rewards."""

    Params = RflrParams

    def __init__(self, params: RflrParams) -> None:
        policy = POLICIES[params.policy]
        super().__init__(
            params, RecursiveLogistic(params.alpha, params.beta, params.tau, policy=policy, bias=params.delta)
        )
