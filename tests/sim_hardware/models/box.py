"""A box in which a mouse can be watched without a board and a task, and the mice to watch in it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any

from protocols.two_armed_bandit.subjects.random_choice import RandomMouse, RandomParams
from rig.core.clock import running
from rig.core.model.rig_spec import RigSpec
from sim_hardware import loop as virtual
from sim_hardware.models.base import Model
from sim_hardware.world.body import Body
from sim_hardware.world.world import World

LAMP = 6
BEAMS = {2: "left", 5: "center", 7: "right"}
VALVES = {"left": 4, "right": 9}

Touch = tuple[float, str, bool]


class Box:
    """A box whose lamp calls; a poke below it starts a trial, a side within two seconds is the choice."""

    def __init__(
        self, plan: RigSpec, seed: int, pays: Callable[[str], bool], *cut: str, interval_s: float = 1.0
    ) -> None:
        self.clock = running()
        self.touches: list[Touch] = []
        self.paid: list[bool] = []
        self.flights: list[tuple[str, float]] = []
        self.stays: list[float] = []
        self.starts = self.misses = self.doubles = self.in_the_dark = 0
        self._interval_s = interval_s
        self._pays = pays
        self._poked_at: float | None = None
        self._entered_at: float | None = None
        self.world = World(plan, lambda: round(self.clock.time() * 1e6), frozenset(cut), drive=self._pin)
        self.body = Body(self.world, self.clock, seed)
        self._lamp(True)

    def _lamp(self, on: bool) -> None:
        self._lit = on
        self.world.on_output(LAMP, int(on))

    def _pin(self, pin: int, level: int) -> None:
        place = BEAMS[pin]
        broken = bool(level) ^ (place == "center")
        self.touches.append((self.clock.time(), place, broken))
        if broken and place == "center":
            self._start()
        elif broken and self._poked_at is not None:
            self._choice(place)
        elif not broken and place != "center" and self._entered_at is not None:
            self.stays.append(self.clock.time() - self._entered_at)
            self._entered_at = None

    def _start(self) -> None:
        if self._poked_at is not None:
            self.doubles += 1
            self._end()
        elif self._lit:
            self.starts += 1
            self._poked_at = self.clock.time()
            self._lamp(False)
            self._too_late = self.clock.call_later(2.0, self._miss)
        else:
            self.in_the_dark += 1

    def _miss(self) -> None:
        self.misses += 1
        self._end()

    def _end(self) -> None:
        self._too_late.cancel()
        self._poked_at = None
        self.clock.call_later(self._interval_s, self._lamp, True)

    def _choice(self, side: str) -> None:
        self._entered_at = self.clock.time()
        self.flights.append((side, self._entered_at - (self._poked_at or 0.0)))
        self.paid.append(self._pays(side))
        if self.paid[-1]:
            self.world.on_output(VALVES[side], 1)
            self.clock.call_later(0.04, self.world.on_output, VALVES[side], 0)
        self._end()

    def visits(self) -> list[str]:
        """Name the ports that were entered, in their order."""
        return [place for _, place, broken in self.touches if broken]


async def lived(model: Model, box: Box, seconds: float) -> Box:
    life = asyncio.create_task(model.live(box.body))
    await asyncio.sleep(seconds)
    life.cancel()
    await asyncio.gather(life, return_exceptions=True)
    assert life.cancelled() or life.exception() is None
    return box


def watch(
    model: Model,
    plan: RigSpec,
    seed: int,
    seconds: float,
    *cut: str,
    pays: bool | None = None,
    interval_s: float = 1.0,
) -> Box:
    rule = random.Random(seed)

    async def main() -> Box:
        decide = (lambda side: rule.random() < 0.5) if pays is None else (lambda side: pays)
        return await lived(model, Box(plan, seed, decide, *cut, interval_s=interval_s), seconds)

    box: Box = virtual.run(main(), t_max=10_000.0)
    return box


class Settled(RandomMouse):
    """A mouse that neither errs nor rests, at the usual speed: only its pokes are left to chance."""

    def __init__(self, **params: Any) -> None:
        settled = dict.fromkeys(("speed_sd", "flight_sd", "changes", "p_early", "p_omission", "p_double"), 0.0)
        super().__init__(RandomParams(**{**settled, "speed": 1.0, **params}))
