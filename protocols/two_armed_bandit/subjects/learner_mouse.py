"""A mouse at the nose ports whose choices a learner decides."""

from __future__ import annotations

from protocols.two_armed_bandit.subjects.learners.base import Learner
from protocols.two_armed_bandit.subjects.nose_port_mouse import NosePortMouse, NosePortParams
from sim_hardware.world.body import Body


class LearnerMouse(NosePortMouse):
    """Draws choices with its learner's probability, and updates the learner with the outcomes."""

    def __init__(self, params: NosePortParams, learner: Learner) -> None:
        super().__init__(params)
        self.learner = learner

    def choose(self, body: Body) -> str:
        """Return a side with the learner's probability: one draw."""
        return "left" if body.random.random() < self.learner.p_left() else "right"

    def observe(self, side: str, rewarded: bool) -> None:
        """Update the learner."""
        self.learner.observe(side, rewarded)
