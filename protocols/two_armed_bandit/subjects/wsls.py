"""Win-stay, lose-shift: an agent, not a mouse."""

from __future__ import annotations

from protocols.two_armed_bandit.subjects.learner_mouse import LearnerMouse
from protocols.two_armed_bandit.subjects.learners.heuristics import WinStayLoseShift
from protocols.two_armed_bandit.subjects.nose_port_mouse import NosePortParams


class WslsMouse(LearnerMouse):
    """An agent, not a mouse: repeats what was rewarded, changes after what was not."""

    Params = NosePortParams

    def __init__(self, params: NosePortParams) -> None:
        super().__init__(params, WinStayLoseShift())
