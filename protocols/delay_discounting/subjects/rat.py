"""A rat on a T-maze: runs laps, hears the countdown, waits it out as rats do, eats, and comes back.

What it chooses is `titration`, how much it hesitates `hesitation`, how it walks `maze_walk`. Published sessions have
98.5 laps on average, and at most 100: most rats run all of them within an hour, and few rats on few days are slower.
"""

from __future__ import annotations

import math
from typing import Literal

from pydantic import Field

from protocols.delay_discounting.subjects.choice import TitrationChoices, TitrationParams
from protocols.delay_discounting.subjects.hesitation import HesitationParams, draw_hesitation
from protocols.delay_discounting.subjects.maze_walk import MazePass, plan_pass, way_back
from sim_hardware.models.base import Model, lognormal
from sim_hardware.world.body import Body, drop, tone
from sim_hardware.world.trajectory import TrajectoryPoint

PATIENCE_S = 6.0
"""Time without tones or pellets after which a rat starts the next lap."""
# The same before the first tone of a session, which does not come if the speaker's wire is cut: then no tone tells the
# delay. A rat that has heard tones leaves a blocked side sooner, and learns that waiting there takes too long.
DEAF_PATIENCE_S = 90.0
SHORTEST_RETURN_S = 4.0
STARTS_S = 0.4
"""Time in the start zone before a lap."""


class RatParams(TitrationParams, HesitationParams):
    """Parameters of timing; lap times are fitted to the laps of Papale et al. (2012), the rest is a guess."""

    lap_s: float = Field(default=22, ge=10, le=600, description="median of a lap's time without its countdown")
    day_sd: float = Field(default=0.2, ge=0, le=2, description="log-SD of this median over sessions")
    lap_sd: float = Field(default=0.25, ge=0, le=2, description="log-SD of it")
    satiety: float = Field(
        default=0.3, ge=0, le=5, description="relative increase of the duration of the hundredth lap"
    )
    p_pause: float = Field(default=0.01, ge=0, le=1, description="a pause of 10 to 60 s in a lap: rearing, grooming")
    p_leave: float = Field(
        default=0.0, ge=0, le=1, description="probability to leave during the countdown; rats wait even for long ones"
    )
    bobs_per_s: float = Field(default=0.05, ge=0, le=5, description="bobbing out of the beam while it waits")
    bob_s: float = Field(default=0.25, gt=0, le=5, description="longest time out of the beam")
    vte: Literal["as_published", "always", "never"] = Field(
        default="as_published", description="whether the rat looks from side to side at the choice point"
    )
    tone_base_hz: float = Field(default=1000, gt=0, description="frequency of the tone at the pellet")
    tone_step_hz: float = Field(default=175, gt=0, description="increase of the frequency per second before the pellet")


class Rat(Model):
    """Runs laps until the session ends."""

    Params = RatParams
    needs = ("start", "left", "right")

    def __init__(self, params: RatParams) -> None:
        self.params = params

    async def live(self, body: Body) -> None:
        """Run one session."""
        self._body = body
        self._titration = TitrationChoices(self.params, body.random)
        self._tone_s = -math.inf
        self._lap_s = lognormal(body.random, self.params.lap_s, self.params.day_sd)
        body.enter("start")
        while True:
            await self._lap()

    async def _lap(self) -> None:
        body, draw, laps = self._body, self._body.random, self._titration.laps
        time_s = lognormal(draw, self._lap_s, self.params.lap_sd) * (1 + self.params.satiety * (laps / 100) ** 2)
        if draw.random() < self.params.p_pause:
            time_s += 10 + 50 * draw.random()
        side = self._titration.choose()
        way = plan_pass(draw, side, hesitation=self._hesitation(side))
        await body.wait(STARTS_S)
        await self._walk(side, way)
        heard_s, pellets, ate_s = await self._visit(side)
        self._titration.update(side, heard_s, pellets)
        left_s = max(SHORTEST_RETURN_S, time_s - STARTS_S - way.points[-1].t_s - ate_s)
        body.trajectory.add(*way_back(side, body.trajectory.stop(body.now_s), left_s))
        await body.wait(left_s)
        body.enter("start")

    def _hesitation(self, side: str) -> float:
        drawn = draw_hesitation(self.params, self._titration, side, self._body.random)
        return {"as_published": drawn, "always": max(2.0, drawn), "never": 0.0}[self.params.vte]

    async def _walk(self, side: str, way: MazePass) -> None:
        """Move up the stem and into a site, breaking and clearing the beams on the way."""
        body = self._body
        began_s = body.now_s
        body.trajectory.add(*(TrajectoryPoint(began_s + t_s, x_cm, y_cm) for t_s, x_cm, y_cm in way.points))
        moves = [(way.leaves_start_s, "start", False), (way.reaches_site_s, side, True)]
        if "choice" in body.places:
            moves += [(way.reaches_choice_s, "choice", True), (way.leaves_choice_s, "choice", False)]
        for at_s, place, on in sorted(moves):
            await body.wait(max(0.0, began_s + at_s - body.now_s))
            (body.enter if on else body.leave)(place)

    async def _visit(self, side: str) -> tuple[float, float | None, float]:
        """Wait for the pellets and eat; return the countdown's length, the pellets, and the time of eating."""
        body = self._body
        came_s = body.now_s
        heard_s = await self._wait(side)
        if heard_s is None:
            body.leave(side)
            waited_s = max(1.0, round(body.now_s - came_s))
            return (waited_s if self._tone_s >= came_s else DEAF_PATIENCE_S), None, 0.0
        began_s = body.now_s
        pellets = body.consume(f"{side}_feeder")
        while True:  # each pellet takes a while to eat, and the next has dropped by then
            await body.wait(lognormal(body.random, 1.6, 0.3))
            more = body.consume(f"{side}_feeder")
            if not more:
                break
            pellets += more
        body.leave(side)
        return heard_s, pellets, body.now_s - began_s

    async def _wait(self, side: str) -> float | None:
        """Wait for the reward, bobbing; return the countdown's length by its tone or by time, None if the rat left."""
        body, draw, feeder = self._body, self._body.random, f"{side}_feeder"
        came_s, last_s = body.now_s, body.now_s
        heard_s: float | None = None
        leaves_s = math.inf
        while True:
            quiet_s = -math.log(1.0 - draw.random()) / self.params.bobs_per_s if self.params.bobs_per_s else math.inf
            bobs_s = body.now_s + quiet_s
            gives_up_s = min(leaves_s, last_s + (PATIENCE_S if math.isfinite(self._tone_s) else DEAF_PATIENCE_S))
            stimulus = await body.wait_for(tone(), drop(feeder), within=max(0.0, min(bobs_s, gives_up_s) - body.now_s))
            if stimulus.kind == "drop":
                return heard_s if heard_s is not None else max(1.0, round(body.now_s - came_s))
            if stimulus.kind == "tone":
                last_s = self._tone_s = body.now_s
                if heard_s is None:
                    # The first tone tells the delay: 1 kHz, and 175 Hz more for each second to go (Papale et al. 2012).
                    heard_s = max(1.0, round((stimulus.value - self.params.tone_base_hz) / self.params.tone_step_hz))
                    if draw.random() < self.params.p_leave:
                        leaves_s = body.now_s + heard_s * draw.random()
            elif gives_up_s <= bobs_s:
                return None
            else:
                body.leave(side)
                await body.wait(self.params.bob_s * draw.random())
                body.enter(side)
                # A pellet that fell while it was out would not end a wait for its fall.
                if body.has_reward_at(feeder):
                    return heard_s if heard_s is not None else max(1.0, round(body.now_s - came_s))
