"""A mouse that learns nothing: every choice is a coin."""

from __future__ import annotations

from pydantic import Field

from sim_hardware.body import Body
from sim_hardware.models.nose_ports import NosePortMouse, NosePortParams


class RandomParams(NosePortParams):
    """The coin."""

    p_left: float = Field(default=0.5, ge=0, le=1, description="how often it lands left")


class RandomChoice(NosePortMouse):
    """Chooses by a coin."""

    Params = RandomParams

    def __init__(self, params: RandomParams) -> None:
        super().__init__(params)
        self._p_left = params.p_left

    def choose(self, body: Body) -> str:
        """Toss the coin."""
        return "left" if body.random.random() < self._p_left else "right"

    def learn(self, side: str, rewarded: bool) -> None:
        """Learn nothing."""
