"""A random explorer: no animal; it breaks beams, switches lines and touches pictures in any order, to test a protocol.

It plays in every rehearsal of ``rig check``.
"""

from __future__ import annotations

import math

from pydantic import Field

from sim_hardware.models.base import Model, ModelParams
from sim_hardware.world.body import Body

HOVER_S = 0.005
"""Shortest return to a beam, which its lock-out must ignore."""


class RandomExplorerParams(ModelParams):
    """Parameters of the random explorer."""

    pokes_per_s: float = Field(default=2.0, gt=0, le=100, description="mean rate of pokes")
    dwell_s: float = Field(default=0.1, gt=0, le=60, description="mean duration of a poke")


class RandomExplorer(Model):
    """Enters any place at any time: early and late, twice, and two places at once."""

    Params = RandomExplorerParams

    def __init__(self, params: RandomExplorerParams) -> None:
        self._params = params

    async def live(self, body: Body) -> None:
        """Poke until the session ends."""
        if not body.places and not body.lines and not body.has_screen:
            return
        while True:
            await body.wait(_exponential(body, 1 / self._params.pokes_per_s))
            if body.scene.hover and body.random.random() < 0.5:
                body.hover(*_place(body))
            if body.lines and (not (body.places or body.has_screen) or body.random.random() < 0.3):
                await self._press(body)
                continue
            if body.has_screen and (not body.places or body.random.random() < 0.7):
                body.peck(*_place(body))
                continue
            place, other = _any(body), _any(body)
            body.enter(place)
            await body.wait(_exponential(body, self._params.dwell_s))
            kind = body.random.random()
            if kind < 0.1 and other != place:  # into two at once, the first left last
                body.enter(other)
                await body.wait(_exponential(body, self._params.dwell_s))
                body.leave(other)
            elif kind < 0.2:  # out and in again
                body.leave(place)
                await body.wait(HOVER_S * (1 + 9 * body.random.random()))
                body.enter(place)
                await body.wait(_exponential(body, self._params.dwell_s))
            body.leave(place)

    async def _press(self, body: Body) -> None:
        """Switch a line from other equipment on and off, such as a button."""
        line = body.lines[int(body.random.random() * len(body.lines))]
        body.signal(line, True)
        await body.wait(_exponential(body, self._params.dwell_s))
        body.signal(line, False)


def _place(body: Body) -> tuple[float, float]:
    """Return a place on a random item; some miss it, perhaps all items."""
    named = [item for item in body.scene.items if item.name]
    slip_cm = 0.2 if body.random.random() < 0.8 else 4.0
    x_cm, y_cm = (slip_cm * (2 * body.random.random() - 1) for _ in range(2))
    if named:
        item = named[int(body.random.random() * len(named))]
        x_cm, y_cm = x_cm + item.x_cm, y_cm + item.y_cm
    return x_cm, y_cm


def _any(body: Body) -> str:
    return body.places[int(body.random.random() * len(body.places))]


def _exponential(body: Body, mean: float) -> float:
    return -mean * math.log(1.0 - body.random.random())
