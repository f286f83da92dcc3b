"""A mouse at three nose ports: the timing of its behavior. Subclasses choose the side.

The timing is fitted to public sessions of the mice of Beron et al. (2022, PNAS 119: e2113961119): reaction to
the center lamp, re-pokes into the chosen port, pauses and breaks; how long a nose stays in a port is in no public
table and is a guess. Flights from center to side have a tempo of their own. Another one scales all other times, but
for the stays and the rests.
"""

from __future__ import annotations

import math
import random
from abc import abstractmethod
from typing import Literal

from pydantic import Field

from protocols.two_armed_bandit.subjects.tempo import FLIGHT, PACE, Tempo
from sim_hardware.models.base import Model, ModelParams, lognormal
from sim_hardware.world.body import Body, light

TASTE_S = 0.12
"""By this time after the poke a drop has fallen, if there is one."""

# Within the choice window of 2 s (Beron et al. 2022).
LONGEST_FLIGHT_S = 1.99

FLIGHT_S = 0.441
"""Median time from center to side after a reward to the same side, on a day of usual speed."""

LONGEST_BREAK_S = 300.0

SHORTEST_INTERVAL_S = 1.0
"""The interval of the rig of the public sessions; nothing shorter is in them."""

INTERVALS = {
    (True, False): (0.92, 0.58),
    (True, True): (0.40, 0.68),
    (False, False): (0.45, 0.62),
    (False, True): (0.41, 0.68),
}
"""By rewarded and poked again: median and log-SD of what comes on top of it before the center, entry to entry."""


class NosePortParams(ModelParams):
    """Parameters of timing; fitted to the public sessions of Beron et al. (2022) unless stated otherwise."""

    session_s: float = Field(default=2400.0, gt=0, le=86_400, description="breaks grow in the last quarter of it")
    speed: float = Field(
        default=0.93,
        gt=0,
        le=10,
        description="median of the factor that a session's times are multiplied by; below 1 for the time that missed, "
        "early and double pokes cost, which are in no public table",
    )
    speed_sd: float = Field(default=0.279, ge=0, le=2, description="log-SD over sessions of that factor")
    flight_sd: float = Field(
        default=0.135, ge=0, le=2, description="log-SD over sessions of the times from center to side"
    )
    changes: float = Field(
        default=1.0,
        ge=0,
        le=5,
        description="how much the times change within a session: 1 as in the public sessions, 0 not at all",
    )
    reaction: Literal["light", "last_poke"] = Field(
        default="light",
        description="the center is poked a while after its lamp, or after the last poke as on the rig of the public "
        "sessions (for two_armed_bandit_as_run), never before the lamp",
    )
    p_early: float = Field(default=0.02, ge=0, le=1, description="a poke before the center lamp (a guess)")
    p_omission: float = Field(default=0.004, ge=0, le=1, description="no choice after a center poke (a guess)")
    p_double: float = Field(default=0.004, ge=0, le=1, description="a second center poke instead of a choice (a guess)")


class NosePortMouse(Model):
    """Waits for the center lamp, pokes, flies to a side, tastes, dwells, sometimes comes back or rests."""

    needs = ("left", "center", "right")

    def __init__(self, params: NosePortParams) -> None:
        self.timing = params
        self._pace = Tempo(PACE, params.speed, params.speed_sd, params.changes)
        self._flight = Tempo(FLIGHT, 1.0, params.flight_sd, params.changes)
        self._poked_at = 0.0
        self._due_at = 0.0

    @abstractmethod
    def choose(self, body: Body) -> str:
        """Return the side of the choice: ``left`` or ``right``."""

    @abstractmethod
    def observe(self, side: str, rewarded: bool) -> None:
        """Update with the outcome of a choice."""

    async def live(self, body: Body) -> None:
        """Run trials until the session ends."""
        for tempo in (self._pace, self._flight):
            tempo.begin(body.random)
        last_side = ""
        rewarded = False
        while True:
            at_center = await self._start(body, rewarded)
            failed, rewarded = not rewarded, False
            if at_center and body.random.random() < self.timing.p_omission:
                await body.wait(3.0)
            elif at_center and body.random.random() < self.timing.p_double:
                await body.wait(0.1)
                await self._poke(body, "center", 0.15, 0.4)
                self._plan(body.random, rewarded, again=False)
            else:
                side = self.choose(body)
                await self._fly(body, failed, switch=side != last_side and last_side != "")
                rewarded = await self._visit(body, side)
                again = await self._come_back(body, side, rewarded)
                await self._rest(body, rewarded, again)
                last_side = side

    async def _start(self, body: Body, rewarded: bool) -> bool:
        """Poke the center when its lamp is lit, not when the sides are lit (early training); return whether it did."""
        draw = body.random
        for tempo in (self._pace, self._flight):
            tempo.step(draw, body.now_s / self.timing.session_s)
        if draw.random() < self.timing.p_early and not body.light_on("center"):
            await body.wait(lognormal(draw, 0.5, 0.3))
            if not body.light_on("center"):
                await self._poke(body, "center", 0.15, 0.4)
                self._plan(draw, rewarded, again=True)
        at_center = await self._react(body) == "center"
        if at_center:
            await self._poke(body, "center", 0.15, 0.4, longest=0.4)
        return at_center

    async def _react(self, body: Body) -> str:
        """Wait for the planned moment, and for a lamp; without a plan, or too early for the lamp, react to it."""
        due_at, self._due_at = self._due_at, 0.0
        if due_at:
            await body.wait(max(0.0, due_at - body.now_s))
            if body.light_on("center"):
                return "center"
        while True:
            stimulus = await body.wait_for(light("center").on, light("left").on)
            await body.wait(self._pace.factor * lognormal(body.random, 0.30, 0.5))
            if body.light_on(stimulus.place):
                return stimulus.place

    def _plan(self, draw: random.Random, rewarded: bool, again: bool, pause_s: float = 0.0) -> None:
        """Schedule the next center poke from the last poke on, if the mouse goes by that; a pause replaces it."""
        if self.timing.reaction == "last_poke":
            median, sigma = INTERVALS[rewarded, again]
            interval_s = pause_s or SHORTEST_INTERVAL_S + self._pace.factor * lognormal(draw, median, sigma)
            self._due_at = self._poked_at + interval_s

    async def _fly(self, body: Body, failed: bool, switch: bool) -> None:
        # Public 80-20 sessions, means: 0.463 s for repeats after a reward, 0.492 s after none; 0.522 s for switches.
        hesitates_s = (0.03 if failed else 0.0) + (0.03 if switch else 0.0)
        latency = self._flight.factor * lognormal(body.random, FLIGHT_S, 0.28) + hesitates_s
        await body.wait(max(0.02, self._poked_at + min(LONGEST_FLIGHT_S, latency) - body.now_s))

    async def _visit(self, body: Body, side: str) -> bool:
        """Run a visit to the chosen port: enter, consume and stay; return whether it was rewarded."""
        self._enter(body, side)
        await body.wait(TASTE_S)
        rewarded = body.consume(side) > 0
        self.observe(side, rewarded)
        dwell = lognormal(body.random, 0.60, 0.35) if rewarded else lognormal(body.random, 0.25, 0.50)
        await body.wait(max(0.01, dwell - TASTE_S))
        body.leave(side)
        return rewarded

    async def _come_back(self, body: Body, side: str, rewarded: bool) -> bool:
        """Poke the chosen port once more with some probability; return whether it did."""
        draw, entered = body.random, self._poked_at
        # Public 80-20 sessions, rows before 1,000 s: later times are rounded to 0.1 s, which feigns further pokes.
        if draw.random() >= (0.21 if rewarded else 0.30):
            return False
        bout = lognormal(draw, 2.55, 0.50) if rewarded else lognormal(draw, 1.85, 0.95)
        await body.wait(max(0.05, entered + self._pace.factor * bout - body.now_s))
        await self._poke(body, side, 0.25, 0.5)
        return True

    async def _rest(self, body: Body, rewarded: bool, again: bool) -> None:
        """Add a pause now and then, and breaks, more of them late in the session."""
        draw, waits = body.random, self.timing.reaction == "light"
        pause_s = 0.0
        if draw.random() < (0.005 if rewarded else 0.027):
            pause_s = 5.0 - 5.0 * math.log(1.0 - draw.random())
            if waits:
                await body.wait(pause_s)
        self._plan(draw, rewarded, again, pause_s)
        # Public sessions: gaps above 10 s after .019, .011, .017 and .041 of the trials, by quarter of the session.
        late = body.now_s > 0.75 * self.timing.session_s
        if draw.random() < (0.025 if late else 0.006):
            break_s = min(LONGEST_BREAK_S, lognormal(draw, 14.0, 0.9))
            if waits:
                await body.wait(break_s)
            else:
                self._due_at += break_s

    async def _poke(self, body: Body, place: str, median: float, sigma: float, longest: float = 5.0) -> None:
        self._enter(body, place)
        await body.wait(max(0.01, min(longest, lognormal(body.random, median, sigma))))
        body.leave(place)

    def _enter(self, body: Body, place: str) -> None:
        self._poked_at = body.now_s
        body.enter(place)
