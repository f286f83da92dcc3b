"""The mouse that infers the high side with a choice history bias (Beron et al. 2022, sticky HMM)."""

from __future__ import annotations

from pydantic import Field

from protocols.two_armed_bandit.subjects.learner_mouse import LearnerMouse
from protocols.two_armed_bandit.subjects.learners.base import POLICIES, PolicyName
from protocols.two_armed_bandit.subjects.learners.hidden_markov import StickyHiddenMarkov
from protocols.two_armed_bandit.subjects.nose_port_mouse import NosePortParams


class StickyHmmParams(NosePortParams):
    """Its beliefs and its stickiness; by default the fit of all five to the public 80-20 sessions.

    A mouse that believes the truth (p = .8, q = .98) changes side half as often as a real one.
    """

    p: float = Field(default=0.877, ge=0.5, le=0.999, description="believed reward probability of the high side")
    q: float = Field(default=0.860, ge=0.5, le=0.9999, description="believed probability that the high side stays")
    alpha: float = Field(
        default=1.86, ge=-50, le=50, description="how much the last choice is repeated (Beron et al. 2022)"
    )
    beta: float = Field(
        default=0.34, ge=-50, le=50, description="twice what stickiness makes good (Beron et al. 2022, sticky HMM)"
    )
    tau: float = Field(default=7.3, gt=0, le=1000, description="over how many trials the stickiness fades")
    policy: PolicyName = Field(
        default="stochastic", description="choice by the odds of the evidence, or by its sign (Beron et al. 2022)"
    )


class StickyHmmMouse(LearnerMouse):
    """Chooses by its inference and its last choices."""

    Params = StickyHmmParams

    def __init__(self, params: StickyHmmParams) -> None:
        policy = POLICIES[params.policy]
        super().__init__(
            params, StickyHiddenMarkov(params.p, params.q, params.alpha, params.beta, params.tau, policy=policy)
        )
