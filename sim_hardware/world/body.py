"""The body of a virtual subject: all that it can do and perceive. Thirst, fatigue and pauses are the model's."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from typing import Protocol

from rig.core.clock import Clock
from rig.core.engine.immediate_future import ImmediateFuture
from rig.core.model.scene import Scene
from rig.core.model.zones import CircularZone
from sim_hardware.world.senses import Stimulus
from sim_hardware.world.trajectory import Trajectory, TrajectoryPoint
from sim_hardware.world.world import World

CONTACT_S = 0.03
"""Duration of the contact of a peck."""


class light:  # noqa: N801 - reads as a word: wait_for(light("center").on)
    """The lamp of a place."""

    def __init__(self, place: str) -> None:
        self.on = Stimulus("light", place, 1)
        self.off = Stimulus("light", place, 0)


class output:  # noqa: N801 - reads as a word: wait_for(output("puff").on)
    """An output that is no light, valve, speaker, feeder or hopper, by its channel: a puff of air, a door."""

    def __init__(self, channel: str) -> None:
        self.on = Stimulus("output", channel, 1)
        self.off = Stimulus("output", channel, 0)


def hopper_up(place: str = "hopper") -> Stimulus:
    """Return the stimulus of a hopper that comes within reach."""
    return Stimulus("hopper", place, 1)


def hopper_down(place: str = "hopper") -> Stimulus:
    """Return the stimulus of a hopper that falls back."""
    return Stimulus("hopper", place, 0)


def drop(place: str) -> Stimulus:
    """Return the stimulus of a drop, or a pellet, that falls at a place."""
    return Stimulus("drop", place, 1)


class shown:  # noqa: N801 - reads as a word: wait_for(shown("disk").on)
    """Something on the screen, by its name in the scene."""

    def __init__(self, name: str) -> None:
        self.on = Stimulus("shown", name, 1)
        self.off = Stimulus("shown", name, 0)


def tone(speaker: str = "speaker") -> Stimulus:
    """Return the stimulus of a tone of any frequency."""
    return Stimulus("tone", speaker, 0)


class TouchSurface(Protocol):
    """A screen that can be touched."""

    def press(self, x_cm: float, y_cm: float) -> int:
        """Touch it; return the number of the contact."""

    def drag(self, contact: int, x_cm: float, y_cm: float) -> None:
        """Move a contact over it."""

    def lift(self, contact: int, x_cm: float, y_cm: float) -> None:
        """End a contact."""

    def hover(self, x_cm: float, y_cm: float) -> None:
        """Move the pointer over it."""

    def type(self, key: str) -> None:
        """Press a key before it."""


class Body:
    """The senses and limbs of a virtual subject: it waits, looks, enters and leaves, and cannot read the task.

    A model of behavior may need what an animal learns over days, such as the schedules. They are in ``task_notes``.
    """

    def __init__(
        self,
        world: World,
        clock: Clock,
        seed: int,
        screen: TouchSurface | None = None,
        trajectory: Trajectory | None = None,
    ) -> None:
        # A separate stream: a subject's draws do not change the task's (docs/decisions/random-streams.md).
        self.random = random.Random(f"{seed}/model")
        self.trajectory = trajectory or Trajectory()
        self.task_notes: dict[str, Mapping[str, object]] = {}
        """The protocol's last note of each ``what``."""
        self._world = world
        self._clock = clock
        self._screen = screen
        self.zero_s = clock.time()

    def begin(self, zero_s: float | None = None) -> None:
        """Start to count ``now_s``, from here or from a time of the clock: the board has been opened."""
        self.zero_s = self._clock.time() if zero_s is None else zero_s

    def add_task_note(self, note: Mapping[str, object]) -> None:
        """Record a note that the protocol has written into the journal."""
        self.task_notes[str(note.get("what", ""))] = note

    @property
    def places(self) -> tuple[str, ...]:
        """Return the places that can be entered."""
        return self._world.places

    @property
    def devices(self) -> tuple[str, ...]:
        """Return the names of the rig's devices: places, lamps, valves, speakers, lines, and ``screen``."""
        return self._world.devices

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the inputs from other equipment, each a ``ttl_in`` of the rig file: a button, a treadmill's pulse."""
        return self._world.lines

    @property
    def now_s(self) -> float:
        """Return the seconds since the session was opened."""
        return self._clock.time() - self.zero_s

    async def wait(self, seconds: float) -> None:
        """Wait for a time in seconds."""
        await self._sleep_until(self._clock.time() + seconds)

    async def wait_until_us(self, t_us: int) -> None:
        """Wait until a microsecond of the session."""
        await self._sleep_until(self.zero_s + t_us / 1_000_000)

    async def _sleep_until(self, when: float) -> None:
        # Immediate: the loop need not run once more for what is the most frequent wait of all.
        future: ImmediateFuture[None] = ImmediateFuture()
        timer = self._clock.call_at(when, _end_sleep, future)
        # A foreground timer of a wait that was given up would keep virtual time running.
        try:
            await future
        finally:
            timer.cancel()

    def _wake(self, future: asyncio.Future[Stimulus]) -> None:
        # A stimulus may have come in the same instant.
        if not future.done():
            future.set_result(Stimulus("time", "", 0))

    async def wait_for(self, *stimuli: Stimulus, within: float | None = None) -> Stimulus:
        """Wait for the first of some stimuli; a light, picture or hopper that is already so returns at once.

        After ``within`` seconds the stimulus is of kind ``time``.
        """
        for stimulus in stimuli:
            if self._is_present(stimulus):
                return stimulus
        future = self._world.senses.wait_for(*stimuli)
        if within is None:
            return await future
        timer = self._clock.call_later(within, self._wake, future)
        try:
            return await future
        finally:
            timer.cancel()

    def _set_zone(self, zone: CircularZone, on: bool) -> None:
        """Move to the middle of a zone, or beside all zones; a body with a planned trajectory is there already."""
        if self.trajectory.walks or self._world.is_disconnected(zone.channel):
            return
        x_cm, y_cm = zone.x_cm, zone.y_cm
        if not on:
            circles = self._world.circles.values()
            # Beyond radius and margin, because only there has a zone been left.
            x_cm = max(circle.x_cm + 2 * (circle.radius_cm + circle.margin_cm) for circle in circles)
        self.trajectory.jump(TrajectoryPoint(self.now_s, x_cm, y_cm))

    def _is_present(self, stimulus: Stimulus) -> bool:
        """Whether a stimulus is present already; a drop or a tone never is."""
        if stimulus.kind == "light":
            return self.light_on(stimulus.place) == bool(stimulus.value)
        if stimulus.kind == "hopper":
            return self._world.hopper_state.up.get(stimulus.place, False) == bool(stimulus.value)
        if stimulus.kind == "output":
            return self._world.outputs_on.get(stimulus.place, False) == bool(stimulus.value)
        return stimulus.kind == "shown" and (self.scene.item(stimulus.place) is not None) == bool(stimulus.value)

    def light_on(self, place: str) -> bool:
        """Whether the lamp of a place is lit."""
        return self._world.lights.get(place, False)

    @property
    def scene(self) -> Scene:
        """Return what is on the screen; nothing where there is no screen."""
        return self._world.scene

    @property
    def has_screen(self) -> bool:
        """Whether there is a screen to peck."""
        return self._screen is not None

    def peck(self, x_cm: float, y_cm: float) -> None:
        """Touch the screen for ``CONTACT_S``, with a beak or a finger."""
        contact = self.press(x_cm, y_cm)
        self._clock.call_later(CONTACT_S, self.lift, contact, x_cm, y_cm)

    def press(self, x_cm: float, y_cm: float) -> int:
        """Touch the screen and stay; return the number of the contact."""
        return self._require_screen().press(x_cm, y_cm)

    def drag(self, contact: int, x_cm: float, y_cm: float) -> None:
        """Move a contact over the screen."""
        self._require_screen().drag(contact, x_cm, y_cm)

    def lift(self, contact: int, x_cm: float, y_cm: float) -> None:
        """End a contact with the screen."""
        self._require_screen().lift(contact, x_cm, y_cm)

    def hover(self, x_cm: float, y_cm: float) -> None:
        """Move the pointer of the mouse there without a click; a place beside the picture is on no item."""
        self._require_screen().hover(x_cm, y_cm)

    def type(self, key: str) -> None:
        """Press a key: a character, ``enter`` or ``backspace``."""
        self._require_screen().type(key)

    def _require_screen(self) -> TouchSurface:
        if self._screen is None:
            raise RuntimeError("this rig has no screen to touch: its rig file has no section `screen:`")
        return self._screen

    def enter(self, place: str) -> None:
        """Move into a place: break its beam, or come into a zone that has none."""
        self._set_occupied(place, True)

    def leave(self, place: str) -> None:
        """Move out of a place: clear its beam, or leave a zone that has none."""
        self._set_occupied(place, False)

    def _set_occupied(self, place: str, on: bool) -> None:
        zone = self._world.circles.get(place)
        if zone is None:
            self._world.set_occupied(place, on)
        else:
            self._set_zone(zone, on)

    def signal(self, line: str, on: bool) -> None:
        """Switch an input from other equipment on or off, as a press and a release of a button do."""
        self._world.set_line(line, on)

    def set_value(self, source: str, value: int) -> None:
        """Set an analog input, or the steps of an encoder, that the board samples: press a lever, turn a wheel."""
        self._world.set_value(source, value)

    def has_reward_at(self, place: str) -> bool:
        """Whether a reward lies at a place."""
        return bool(self._world.uncollected_rewards.get(place))

    def consume(self, place: str) -> float:
        """Return what arrived at a place since the last call: microliters, pellets at a feeder, seconds at a hopper."""
        return self._world.consume(place)


def _end_sleep(future: ImmediateFuture[None]) -> None:
    # The wait may have been given up in the same instant.
    if not future.done:
        future.set_result(None)
