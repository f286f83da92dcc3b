"""The world: joins the pins of a rig file to a body, and keeps a trace of every one of them.

It knows wires, lamps and water, never the task. The same world serves every simulated board.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rig.core.board import Input
from rig.core.plan import RigPlan


class World:
    """Pins on one side, places on the other; ``now_us`` tells the session's time."""

    def __init__(self, plan: RigPlan, now_us: Callable[[], int], cut: frozenset[str] = frozenset()) -> None:
        self.trace: list[tuple[int, str, int]] | None = None
        self.lights: dict[str, bool] = {}
        self.waiting: dict[str, float] = {}
        self.on_light: Callable[[str, bool], None] = lambda place, on: None
        self.on_drop: Callable[[str, float], None] = lambda place, ul: None
        self._drive_input: Callable[[int, int], None] = lambda pin, level: None
        self._now_us = now_us
        self._cut = cut
        self._ul_of: Mapping[str, Callable[[int], float]] = plan.ul_of
        self._inputs: dict[str, tuple[str, int, bool]] = {}
        self._outputs: dict[int, tuple[str, str, str, bool]] = {}
        self._opened_us: dict[str, int] = {}
        for channel in plan.wiring.channels:
            place, _, part = channel.name.partition(".")
            if isinstance(channel, Input):
                self._inputs[place] = (channel.name, channel.pin, channel.inverted)
            else:
                self._outputs[channel.pin] = (channel.name, place, part, channel.inverted)

    @property
    def places(self) -> tuple[str, ...]:
        """Name the places that have a beam."""
        return tuple(self._inputs)

    def connect(self, drive_input: Callable[[int, int], None]) -> None:
        """Let a board read the pins: every beam is clear, whichever way it is wired."""
        self._drive_input = drive_input
        for _, pin, inverted in self._inputs.values():
            drive_input(pin, int(inverted))

    def touch(self, place: str, on: bool) -> None:
        """Break or clear the beam at a place."""
        name, pin, inverted = self._inputs[place]
        if self.trace is not None:
            self.trace.append((self._now_us(), name, int(on)))
        if name not in self._cut:
            self._drive_input(pin, int(on) ^ inverted)

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

    def _flow(self, name: str, place: str, value: int) -> None:
        if value:
            self._opened_us[name] = self._now_us()
            return
        if name not in self._opened_us:
            return
        ul = self._ul_of[name](self._now_us() - self._opened_us.pop(name))
        self.waiting[place] = self.waiting.get(place, 0.0) + ul
        self.on_drop(place, ul)
