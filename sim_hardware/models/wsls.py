"""Win-stay, lose-shift: an agent, not a mouse."""

from __future__ import annotations

from sim_hardware.models.learners.habit import WinStayLoseShift
from sim_hardware.models.nose_ports import NosePortParams
from sim_hardware.models.thinker import Thinker


class Wsls(Thinker):
    """An agent, not a mouse: repeats what was rewarded, changes after what was not."""

    Params = NosePortParams

    def __init__(self, params: NosePortParams) -> None:
        super().__init__(params, WinStayLoseShift())
