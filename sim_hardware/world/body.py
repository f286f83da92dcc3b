"""The body: all that a virtual subject can do and know."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from typing import Any, Protocol

from rig.core.clock import Clock
from rig.core.model.scene import Scene
from rig.core.model.zones import CircularZone
from sim_hardware.world.senses import Sign
from sim_hardware.world.trajectory import Point, Trajectory
from sim_hardware.world.world import World

CONTACT_S = 0.03
"""A peck's contact lasts so long."""


class light:  # noqa: N801 - reads as a word: until(light("center").on)
    """The lamp of a place."""

    def __init__(self, place: str) -> None:
        self.on = Sign("light", place, 1)
        self.off = Sign("light", place, 0)


class grain:  # noqa: N801 - reads as a word: until(grain("hopper").up)
    """The grain of a hopper, which is within reach while it is up."""

    def __init__(self, place: str = "hopper") -> None:
        self.up = Sign("grain", place, 1)
        self.down = Sign("grain", place, 0)


def drop(place: str) -> Sign:
    """Return the sign that a drop falls at a place."""
    return Sign("drop", place, 1)


class shown:  # noqa: N801 - reads as a word: until(shown("disk").on)
    """Something on the screen, by its name in the scene."""

    def __init__(self, name: str) -> None:
        self.on = Sign("shown", name, 1)
        self.off = Sign("shown", name, 0)


def tone(speaker: str = "speaker") -> Sign:
    """Return the sign that a speaker sounds, whatever it sounds."""
    return Sign("tone", speaker, 0)


class Glass(Protocol):
    """A screen that can be touched."""

    def press(self, x_cm: float, y_cm: float) -> int:
        """Touch it; return the number of the contact."""

    def drag(self, contact: int, x_cm: float, y_cm: float) -> None:
        """Move a contact over it."""

    def lift(self, contact: int, x_cm: float, y_cm: float) -> None:
        """Leave it."""

    def type(self, key: str) -> None:
        """Press a key before it."""


class Body:
    """A subject's senses and limbs. It waits, looks, enters and leaves; it never looks into the task.

    A theory of what an animal does may have to know what only learning tells: ``told`` is all that it can know so.
    """

    def __init__(
        self,
        world: World,
        clock: Clock,
        seed: int,
        glass: Glass | None = None,
        trajectory: Trajectory | None = None,
    ) -> None:
        self.random = random.Random(f"{seed}/model")
        self.trajectory = trajectory or Trajectory()
        self.told: dict[str, Mapping[str, Any]] = {}
        """The protocol's last note of each ``what``: a theory is told there what an animal has to learn."""
        self._world = world
        self._clock = clock
        self._screen = glass
        self.zero_s = clock.time()

    def begin(self, zero_s: float | None = None) -> None:
        """Count ``now_s`` from here, or from a time of the clock: the board has been opened."""
        self.zero_s = self._clock.time() if zero_s is None else zero_s

    def tell(self, note: Mapping[str, Any]) -> None:
        """Let it know a note that the protocol has written into the record."""
        self.told[str(note.get("what", ""))] = note

    @property
    def places(self) -> tuple[str, ...]:
        """Name the places that can be entered."""
        return self._world.places

    @property
    def now_s(self) -> float:
        """Seconds since the session was opened."""
        return self._clock.time() - self.zero_s

    async def wait(self, seconds: float) -> None:
        """Let some time pass."""
        await self._sleep_until(self._clock.time() + seconds)

    async def wait_until_us(self, t_us: int) -> None:
        """Let time pass until a microsecond of the session."""
        await self._sleep_until(self.zero_s + t_us / 1_000_000)

    async def _sleep_until(self, when: float) -> None:
        future: asyncio.Future[Sign] = asyncio.get_running_loop().create_future()
        timer = self._clock.call_at(when, self._wake, future)
        try:
            await future
        finally:
            timer.cancel()

    def _wake(self, future: asyncio.Future[Sign]) -> None:
        if not future.done():
            future.set_result(Sign("time", "", 0))

    async def until(self, *signs: Sign, within: float | None = None) -> Sign:
        """Wait for the first of some signs; what is already as asked is noticed at once.

        When ``within`` seconds have passed, the sign is that of time.
        """
        for sign in signs:
            if self._holds(sign):
                return sign
        future = self._world.senses.wait_for(*signs)
        if within is None:
            return await future
        timer = self._clock.call_later(within, self._wake, future)
        try:
            return await future
        finally:
            timer.cancel()

    def _stand(self, zone: CircularZone, on: bool) -> None:
        """Be in the middle of a zone, or beside all of them; a body that says where it walks is there already."""
        if self.trajectory.walks or self._world.is_cut(zone.channel):
            return
        x_cm, y_cm = zone.x_cm, zone.y_cm
        if not on:
            circles = self._world.circles.values()
            x_cm = max(circle.x_cm + 2 * (circle.radius_cm + circle.margin_cm) for circle in circles)
        self.trajectory.jump(Point(self.now_s, x_cm, y_cm))

    def _holds(self, sign: Sign) -> bool:
        """Whether what a sign tells of is so already; a drop or a tone never is."""
        if sign.kind == "light":
            return self.sees(sign.place) == bool(sign.value)
        if sign.kind == "grain":
            return self._world.grain.up.get(sign.place, False) == bool(sign.value)
        return sign.kind == "shown" and (self.scene.item(sign.place) is not None) == bool(sign.value)

    def sees(self, place: str) -> bool:
        """Whether the lamp of a place is lit."""
        return self._world.lights.get(place, False)

    @property
    def scene(self) -> Scene:
        """What is on the screen; nothing where there is no screen."""
        return self._world.scene

    @property
    def has_screen(self) -> bool:
        """Whether there is a screen to peck."""
        return self._screen is not None

    def peck(self, x_cm: float, y_cm: float) -> None:
        """Touch the screen for a moment, with a beak or a finger."""
        contact = self.press(x_cm, y_cm)
        self._clock.call_later(CONTACT_S, self.lift, contact, x_cm, y_cm)

    def press(self, x_cm: float, y_cm: float) -> int:
        """Touch the screen and stay; return the number of the contact."""
        return self._glass.press(x_cm, y_cm)

    def drag(self, contact: int, x_cm: float, y_cm: float) -> None:
        """Move a contact over the screen."""
        self._glass.drag(contact, x_cm, y_cm)

    def lift(self, contact: int, x_cm: float, y_cm: float) -> None:
        """Take a contact from the screen."""
        self._glass.lift(contact, x_cm, y_cm)

    def type(self, key: str) -> None:
        """Press a key: a character, ``enter`` or ``backspace``."""
        self._glass.type(key)

    @property
    def _glass(self) -> Glass:
        if self._screen is None:
            raise RuntimeError("this rig has no screen to touch: its rig file has no section `screen:`")
        return self._screen

    def enter(self, place: str) -> None:
        """Break the beam of a place, or come into a zone that has none."""
        self._touch(place, True)

    def leave(self, place: str) -> None:
        """Clear the beam of a place, or leave a zone that has none."""
        self._touch(place, False)

    def _touch(self, place: str, on: bool) -> None:
        zone = self._world.circles.get(place)
        if zone is None:
            self._world.touch(place, on)
        else:
            self._stand(zone, on)

    def waits(self, place: str) -> bool:
        """Whether anything lies at a place."""
        return bool(self._world.waiting.get(place))

    def ate(self, place: str) -> float:
        """Take what has arrived at a place since last asked: microliters, pellets at a feeder, seconds at a hopper."""
        return self._world.take(place)
