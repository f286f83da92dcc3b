"""The body: all that a virtual subject can do and know."""

from __future__ import annotations

import asyncio
import random
from typing import NamedTuple

from rig.core.clock import Clock
from sim_hardware.trajectory import Point, Trajectory
from sim_hardware.world import World


class Sign(NamedTuple):
    """Something that a subject can notice: a light that is on or off, a drop or a pellet that falls, a tone.

    Of a tone that is noticed ``value`` is its frequency in hertz.
    """

    kind: str
    place: str
    value: int


class light:  # noqa: N801 - reads as a word: until(light("centre").on)
    """The lamp of a place."""

    def __init__(self, place: str) -> None:
        self.on = Sign("light", place, 1)
        self.off = Sign("light", place, 0)


def drop(place: str) -> Sign:
    """Return the sign that a drop falls at a place."""
    return Sign("drop", place, 1)


def tone(speaker: str = "speaker") -> Sign:
    """Return the sign that a speaker sounds, whatever it sounds."""
    return Sign("tone", speaker, 0)


class Body:
    """A subject's senses and limbs. It waits, looks, enters and leaves; it never looks into the task."""

    def __init__(self, world: World, clock: Clock, seed: int) -> None:
        self.random = random.Random(f"{seed}/model")
        self.trajectory = Trajectory()
        self._world = world
        self._clock = clock
        self._zero_s = clock.time()
        self._awake: asyncio.Future[Sign] | None = None
        self._signs: tuple[Sign, ...] = ()
        world.on_light = lambda place, on: self._notice(Sign("light", place, int(on)))
        world.on_drop = lambda place, ul: self._notice(drop(place))
        world.on_stand = self._stand
        world.on_tone = lambda place, hz: self._hear(place, hz) if hz else None

    def begin(self, zero_s: float | None = None) -> None:
        """Count ``now_s`` from here, or from a time of the clock: the board has been opened."""
        self._zero_s = self._clock.time() if zero_s is None else zero_s

    @property
    def places(self) -> tuple[str, ...]:
        """Name the places that can be entered."""
        return self._world.places

    @property
    def now_s(self) -> float:
        """Seconds since the session was opened."""
        return self._clock.time() - self._zero_s

    async def wait(self, seconds: float) -> None:
        """Let some time pass."""
        await self._sleep_until(self._clock.time() + seconds)

    async def wait_until_us(self, t_us: int) -> None:
        """Let time pass until a microsecond of the session."""
        await self._sleep_until(self._zero_s + t_us / 1_000_000)

    async def _sleep_until(self, when: float) -> None:
        self._signs = ()
        future = self._awake = asyncio.get_running_loop().create_future()
        timer = self._clock.call_at(when, self._wake, future)
        try:
            await future
        finally:
            timer.cancel()

    def _wake(self, future: asyncio.Future[Sign]) -> None:
        if not future.done():
            future.set_result(Sign("time", "", 0))

    async def until(self, *signs: Sign, within: float | None = None) -> Sign:
        """Wait for the first of some signs; a light that is already as asked is noticed at once.

        When ``within`` seconds have passed, the sign is that of time.
        """
        for sign in signs:
            if sign.kind == "light" and self.sees(sign.place) == bool(sign.value):
                return sign
        self._signs = signs
        future: asyncio.Future[Sign] = asyncio.get_running_loop().create_future()
        self._awake = future
        if within is None:
            return await future
        timer = self._clock.call_later(within, self._wake, future)
        try:
            return await future
        finally:
            timer.cancel()

    def _stand(self, place: str, on: bool) -> None:
        """Be in the middle of a zone, or beside all of them; a body that says where it walks is there already."""
        if self.trajectory.walks:
            return
        circles = self._world.circles
        x_cm, y_cm = circles[place].x_cm, circles[place].y_cm
        if not on:
            x_cm = max(circle.x_cm + 2 * (circle.radius_cm + circle.margin_cm) for circle in circles.values())
        self.trajectory.jump(Point(self.now_s, x_cm, y_cm))

    def _notice(self, sign: Sign) -> None:
        if sign in self._signs:
            self._awaken(sign)

    def _hear(self, speaker: str, hz: int) -> None:
        if tone(speaker) in self._signs:
            self._awaken(Sign("tone", speaker, hz))

    def _awaken(self, sign: Sign) -> None:
        if self._awake is not None and not self._awake.done():
            self._signs = ()
            self._awake.set_result(sign)

    def sees(self, place: str) -> bool:
        """Tell whether the lamp of a place is lit."""
        return self._world.lights.get(place, False)

    def enter(self, place: str) -> None:
        """Break the beam of a place."""
        self._world.touch(place, True)

    def leave(self, place: str) -> None:
        """Clear the beam of a place."""
        self._world.touch(place, False)

    def waits(self, place: str) -> bool:
        """Tell whether anything lies at a place."""
        return bool(self._world.waiting.get(place))

    def ate(self, place: str) -> float:
        """Take what has arrived at a place since last asked: microlitres, or pellets at a feeder."""
        return self._world.waiting.pop(place, 0.0)
