"""The ideal observer of the task as an agent, not a mouse (Beron et al. 2022, the hidden Markov model)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from protocols.two_armed_bandit.subjects.learner_mouse import LearnerMouse
from protocols.two_armed_bandit.subjects.learners.base import Policy, greedy, softmax, stochastic
from protocols.two_armed_bandit.subjects.learners.hidden_markov import HiddenMarkov
from protocols.two_armed_bandit.subjects.nose_port_mouse import NosePortParams


class BeliefParams(NosePortParams):
    """Parameters of the inferred task."""

    p: float = Field(
        default=0.8, ge=0.5, le=0.999, description="believed reward probability of the high side (Beron et al. 2022)"
    )
    q: float = Field(
        default=0.98, ge=0.5, le=0.9999, description="believed probability that the high side stays (Beron et al. 2022)"
    )


class HmmParams(BeliefParams):
    """Parameters of the inferred task, and of the policy."""

    policy: Literal["greedy", "thompson", "softmax"] = Field(
        default="greedy", description="the likelier side, or left with the belief's probability, or between them"
    )
    temperature: float = Field(
        default=0.5, gt=0, le=1000, description="of the policy softmax: 1 is thompson, toward 0 it becomes greedy"
    )


class HmmMouse(LearnerMouse):
    """An agent, not a mouse: knows the rules of the task and infers which side is high."""

    Params = HmmParams

    def __init__(self, params: HmmParams) -> None:
        policies: dict[str, Policy] = {
            "greedy": greedy,
            "thompson": stochastic,
            "softmax": softmax(params.temperature),
        }
        super().__init__(params, HiddenMarkov(params.p, params.q, policy=policies[params.policy]))
