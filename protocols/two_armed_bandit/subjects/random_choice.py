"""Random choice at the nose ports: an agent, not a mouse."""

from __future__ import annotations

from pydantic import Field

from protocols.two_armed_bandit.subjects.learner_mouse import LearnerMouse
from protocols.two_armed_bandit.subjects.learners.heuristics import FixedProbability
from protocols.two_armed_bandit.subjects.nose_port_mouse import NosePortParams


class RandomParams(NosePortParams):
    """Parameters of the random choice."""

    p_left: float = Field(default=0.5, ge=0, le=1, description="how often it lands left")


class RandomMouse(LearnerMouse):
    """An agent, not a mouse: each choice is drawn with a constant probability."""

    Params = RandomParams

    def __init__(self, params: RandomParams) -> None:
        super().__init__(params, FixedProbability(params.p_left))
