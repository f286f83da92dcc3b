"""The world: joins the pins of a rig file to a body, and keeps a trace of every one of them.

It knows wires, lamps, water, pellets, tones and what a screen shows, never the task. The same world serves every
simulated board.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from rig.core.board import Input
from rig.core.clock import Clock
from rig.core.plan import RigPlan
from rig.core.scene import DARK, Scene
from sim_hardware.grain import Grain


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


FALLS_S, PASSES_S = 0.08, 0.02
"""A pellet reaches the sensor so long after its pulse, and is past it after so long."""


class World:
    """Pins on one side, places on the other; ``now_us`` tells the session's time, ``clock`` lets pellets fall."""

    def __init__(
        self,
        plan: RigPlan,
        now_us: Callable[[], int],
        cut: frozenset[str] = frozenset(),
        clock: Clock | None = None,
    ) -> None:
        self.trace: list[tuple[int, str, int]] | None = None
        self.lights: dict[str, bool] = {}
        self.waiting: dict[str, float] = {}
        self.on_light: Callable[[str, bool], None] = lambda place, on: None
        self.on_drop: Callable[[str, float], None] = lambda place, ul: None
        self.on_tone: Callable[[str, int], None] = lambda place, hz: None
        self.on_show: Callable[[Scene, Scene], None] = lambda before, now: None
        self.on_grain: Callable[[str, bool], None] = lambda place, up: None
        self.grain = Grain()
        self.scene = DARK
        self.glass: Glass | None = None
        self.jams: Callable[[str], bool] = lambda feeder: False
        """Asked at every pulse of a feeder whether its pellet is stuck."""
        self.on_stand: Callable[[str, bool], None] = lambda place, on: None
        """Told who comes into a zone that has no beam, and who leaves it."""
        self.circles = {} if plan.tracking is None else {circle.place: circle for circle in plan.tracking.circles}
        self._clock = clock
        self._sensors: dict[str, tuple[str, int, bool]] = {}
        self._drive_input: Callable[[int, int], None] = lambda pin, level: None
        self._now_us = now_us
        self._cut = cut
        self._ul_of: Mapping[str, Callable[[int], float]] = plan.ul_of
        self._machines: set[str] = set()
        self._inputs: dict[str, tuple[str, int, bool]] = {}
        self._outputs: dict[int, tuple[str, str, str, bool]] = {}
        self._opened_us: dict[str, int] = {}
        for channel in plan.wiring.channels:
            place, _, part = channel.name.partition(".")
            if isinstance(channel, Input) and part == "sensor":
                self._sensors[place] = (channel.name, channel.pin, channel.inverted)
            elif isinstance(channel, Input):
                self._inputs[place] = (channel.name, channel.pin, channel.inverted)
                if channel.machine:
                    self._machines.add(place)
            else:
                self._outputs[channel.pin] = (channel.name, place, part, channel.inverted)
                if part == "hopper":
                    self.grain.up[place] = False

    @property
    def places(self) -> tuple[str, ...]:
        """Name the places that have a beam, or a circle on the floor; a line from another machine is none."""
        return (*(place for place in self._inputs if place not in self._machines), *self.circles)

    def connect(self, drive_input: Callable[[int, int], None]) -> None:
        """Let a board read the pins: every beam is clear, whichever way it is wired."""
        self._drive_input = drive_input
        for _, pin, inverted in (*self._inputs.values(), *self._sensors.values()):
            drive_input(pin, int(inverted))

    def touch(self, place: str, on: bool) -> None:
        """Break or clear a beam, be in a circle or elsewhere, put a head into a hopper or take it out."""
        if place in self.circles:
            if self.circles[place].channel not in self._cut:
                self.on_stand(place, on)
            return
        if place in self.grain.up:
            self.grain.enter(place, on, self._now_us())
            if place not in self._inputs:
                return
        self._break(self._inputs[place], on)

    def take(self, place: str) -> float:
        """Let what has arrived at a place be eaten: microlitres, pellets, or seconds at a hopper."""
        if place in self.grain.up:
            return self.grain.eaten_s(place, self._now_us())
        return self.waiting.pop(place, 0.0)

    def _break(self, beam: tuple[str, int, bool], on: bool) -> None:
        name, pin, inverted = beam
        if self.trace is not None:
            self.trace.append((self._now_us(), name, int(on)))
        if name not in self._cut:
            self._drive_input(pin, int(on) ^ inverted)

    def show(self, scene: Scene) -> None:
        """Let the screen show a scene."""
        before, self.scene = self.scene, scene
        self.on_show(before, scene)

    def driven(self, pin: int, value: int) -> None:
        """Take note of what the board does to an output."""
        name, place, part, inverted = self._outputs[pin]
        if inverted and value < 2:
            value = int(not value)
        if self.trace is not None:
            self.trace.append((self._now_us(), name, value))
        if name in self._cut:
            return
        if part == "light":
            self.lights[place] = value != 0
            self.on_light(place, value != 0)
        elif part == "valve":
            self._flow(name, place, value)
        elif part == "tone":
            self.on_tone(place, value)
        elif part == "hopper":
            self.grain.rise(place, value != 0, self._now_us())
            self.on_grain(place, value != 0)
        elif part == "feeder" and not value and self._clock is not None and not self.jams(place):
            self._clock.call_later(FALLS_S, self._drop_pellet, place, self._clock)

    def _drop_pellet(self, feeder: str, clock: Clock) -> None:
        self.waiting[feeder] = self.waiting.get(feeder, 0.0) + 1
        self.on_drop(feeder, 0.0)
        if feeder in self._sensors:
            self._break(self._sensors[feeder], True)
            clock.call_later(PASSES_S, self._break, self._sensors[feeder], False)

    def _flow(self, name: str, place: str, value: int) -> None:
        if value:
            self._opened_us[name] = self._now_us()
            return
        if name not in self._opened_us:
            return
        ul = self._ul_of[name](self._now_us() - self._opened_us.pop(name))
        self.waiting[place] = self.waiting.get(place, 0.0) + ul
        self.on_drop(place, ul)
