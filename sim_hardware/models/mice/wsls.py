"""Win-stay, lose-shift: an agent, not a mouse."""

from __future__ import annotations

from sim_hardware.models.learners.heuristics import WinStayLoseShift
from sim_hardware.models.mice.learner_mouse import LearnerMouse
from sim_hardware.models.mice.nose_ports import NosePortParams


class WslsMouse(LearnerMouse):
    """An agent, not a mouse: repeats what was rewarded, changes after what was not."""

    Params = NosePortParams

    def __init__(self, params: NosePortParams) -> None:
        super().__init__(params, WinStayLoseShift())
