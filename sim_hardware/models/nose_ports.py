"""A mouse at three nose ports: when it does things. What it chooses, its subclasses say.

The timing is fitted to public sessions of the mice of Beron et al. (2022, PNAS 119: e2113961119): reaction to
the centre lamp and dwell in the ports, re-pokes into the chosen port, pauses and breaks. All times are scaled by
one speed per session, but for the flight from centre to side.
"""

from __future__ import annotations

import math
from abc import abstractmethod

from pydantic import Field

from sim_hardware.body import Body, light
from sim_hardware.models.base import Model, ModelParams, lognormal

TASTE_S = 0.12
"""A drop has fallen, or has not, by then."""

LONGEST_FLIGHT_S = 1.99
LONGEST_BREAK_S = 300.0


class NosePortParams(ModelParams):
    """How a mouse spends its time; medians and log-SDs of lognormal distributions."""

    session_s: float = Field(default=2400.0, gt=0, description="breaks grow in the last quarter of it")
    speed_sd: float = Field(default=0.30, ge=0, description="log-SD of the session's speed")
    p_early: float = Field(default=0.02, ge=0, le=1, description="a poke before the centre lamp")
    p_omission: float = Field(default=0.01, ge=0, le=1, description="no choice after a centre poke")
    p_double: float = Field(default=0.01, ge=0, le=1, description="a second centre poke instead of a choice")


class NosePortMouse(Model):
    """Waits for the centre lamp, pokes, flies to a side, tastes, dwells, sometimes comes back or rests."""

    def __init__(self, params: NosePortParams) -> None:
        self.timing = params
        self._speed = 1.0

    @abstractmethod
    def choose(self, body: Body) -> str:
        """Choose ``left`` or ``right``."""

    @abstractmethod
    def learn(self, side: str, rewarded: bool) -> None:
        """Take the outcome of a choice."""

    async def live(self, body: Body) -> None:
        """Do trials until the session is over."""
        self._speed = lognormal(body.random, 1.0, self.timing.speed_sd)
        last_side = ""
        while True:
            await self._start(body)
            if body.random.random() < self.timing.p_omission:
                await body.wait(3.0)
            elif body.random.random() < self.timing.p_double:
                await body.wait(0.1)
                await self._poke(body, "centre", 0.15, 0.4)
            else:
                side = self.choose(body)
                await self._fly(body, switch=side != last_side and last_side != "")
                await self._visit(body, side)
                last_side = side

    async def _start(self, body: Body) -> None:
        """Poke the centre when its lamp calls."""
        draw = body.random
        if draw.random() < self.timing.p_early and not body.sees("centre"):
            await body.wait(lognormal(draw, 0.5, 0.3))
            await self._poke(body, "centre", 0.15, 0.4)
        while True:
            await body.until(light("centre").on)
            await body.wait(self._speed * lognormal(draw, 0.30, 0.5))
            if body.sees("centre"):
                break
        self._poked_at = body.now_s
        await self._poke(body, "centre", 0.15, 0.4, longest=0.4)

    async def _fly(self, body: Body, switch: bool) -> None:
        latency = min(LONGEST_FLIGHT_S, lognormal(body.random, 0.455, 0.28) + (0.05 if switch else 0.0))
        await body.wait(max(0.02, self._poked_at + latency - body.now_s))

    async def _visit(self, body: Body, side: str) -> None:
        """Enter the chosen port, taste, stay a while, perhaps come back once more, perhaps rest."""
        draw, entered = body.random, body.now_s
        body.enter(side)
        await body.wait(TASTE_S)
        rewarded = body.ate(side) > 0
        self.learn(side, rewarded)
        dwell = lognormal(draw, 0.60, 0.35) if rewarded else lognormal(draw, 0.25, 0.50)
        await body.wait(max(0.01, dwell - TASTE_S))
        body.leave(side)
        if draw.random() < (0.21 if rewarded else 0.30):
            bout = lognormal(draw, 2.55, 0.50) if rewarded else lognormal(draw, 1.85, 0.95)
            await body.wait(max(0.05, entered + self._speed * bout - body.now_s))
            await self._poke(body, side, 0.25, 0.5)
        await self._rest(body, rewarded)

    async def _rest(self, body: Body, rewarded: bool) -> None:
        draw = body.random
        if draw.random() < (0.005 if rewarded else 0.027):
            await body.wait(5.0 - 5.0 * math.log(1.0 - draw.random()))
        late = body.now_s > 0.75 * self.timing.session_s
        if draw.random() < (0.025 if late else 0.006):
            await body.wait(min(LONGEST_BREAK_S, lognormal(draw, 14.0, 0.9)))

    async def _poke(self, body: Body, place: str, median: float, sigma: float, longest: float = 5.0) -> None:
        body.enter(place)
        await body.wait(max(0.01, min(longest, lognormal(body.random, median, sigma))))
        body.leave(place)
