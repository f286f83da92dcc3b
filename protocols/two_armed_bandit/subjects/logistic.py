"""The mouse of a logistic regression on its last trials (Beron et al. 2022, equation 4)."""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import BeforeValidator, Field

from protocols.two_armed_bandit.subjects.learners.base import POLICIES
from protocols.two_armed_bandit.subjects.learners.value_learning import Logistic
from protocols.two_armed_bandit.subjects.named import USUAL, NamedMouse, NamedParams, Weights

LENGTH = 5
USUAL_DELTA = 0.04


def _split(value: object) -> object:
    """Read a list from the command line."""
    return [part for part in value.split(",") if part.strip()] if isinstance(value, str) else value


Weight = Annotated[float, Field(ge=-50, le=50)]
Past = Annotated[tuple[Weight, ...], BeforeValidator(_split), Field(max_length=100)]


def rewards(weights: Weights) -> tuple[float, ...]:
    """Return RFLR's weights of the last five rewards: beta exp(-(i-1)/tau) (Beron et al. 2022, figure 4)."""
    return tuple(weights.beta * math.exp(-age / weights.tau) for age in range(LENGTH))


class LogisticParams(NamedParams):
    """The weights of the last trials, the latest first; lists with commas, such as ``beta=2,1,.5``."""

    alpha: Past = Field(default=(USUAL.alpha,), description="weights of choices; one in Beron et al. (2022)")
    beta: Past = Field(
        default=rewards(USUAL), description="weights of rewarded choices; five in Beron et al. (2022), here RFLR's"
    )
    gamma: Past = Field(default=(), description="weights of rewards whatever the choice; none in Beron et al. (2022)")
    delta: float = Field(
        default=USUAL_DELTA, ge=-50, le=50, description="side bias, log-odds of left; .04 in Beron et al. (2022)"
    )

    @classmethod
    def from_weights(cls, weights: Weights) -> dict[str, object]:
        """Return RFLR's weights for as many trials as the regression has."""
        return {"alpha": (weights.alpha,), "beta": rewards(weights), "delta": weights.delta or USUAL_DELTA}


class LogisticMouse(NamedMouse):
    """Chooses by the weighted sum of its last trials."""

    Params = LogisticParams

    def __init__(self, params: LogisticParams) -> None:
        learner = Logistic(params.alpha, params.beta, params.gamma, policy=POLICIES[params.policy], bias=params.delta)
        super().__init__(params, learner)
