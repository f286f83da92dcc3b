"""The world: connects the pins of a rig file with a body, and can record every transition.

It models wires, lamps, water, pellets, tones and the screen, never the task. All simulated boards use the same world.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rig.core.clock import Clock
from rig.core.errors import ConfigError
from rig.core.model.board import Output, Threshold
from rig.core.model.channels import Role
from rig.core.model.rig_spec import RigSpec
from rig.core.model.scene import DARK, Scene
from sim_hardware.world.hopper import HopperState
from sim_hardware.world.senses import Senses, Stimulus

FALLS_S, PASSES_S = 0.08, 0.02
"""Delay from a feeder's pulse to the pellet at the sensor, and duration of the pellet's passage."""


class World:
    """Pins of the board, and places of the subject; ``now_us`` is the session's time, ``clock`` times falling pellets.

    ``senses`` are the subject's, ``drive(pin, level)`` sets the level of an input of the board, and ``set_value(pin,
    value)`` the value of a pin that it samples.
    """

    def __init__(
        self,
        plan: RigSpec,
        now_us: Callable[[], int],
        cut: frozenset[str] = frozenset(),
        clock: Clock | None = None,
        senses: Senses | None = None,
        drive: Callable[[int, int], None] = lambda pin, level: None,
        set_value: Callable[[int, int], None] = lambda pin, value: None,
    ) -> None:
        self.plan = plan
        self.trace: list[tuple[int, str, int]] | None = None
        self.lights: dict[str, bool] = {}
        self.uncollected_rewards: dict[str, float] = {}
        """What has arrived at a place and was not consumed: microliters or pellets."""
        self.senses = senses or Senses()
        self.hopper_state = HopperState()
        self.scene = DARK
        self.jams: frozenset[int] = frozenset()
        """Feeder pulses, counted from 0, whose pellet is stuck."""
        self._pulses = 0
        self.circles = {} if plan.tracking is None else {circle.name: circle for circle in plan.tracking.circles}
        self._clock = clock
        self._sensors: dict[str, tuple[str, int, bool]] = {}
        self._drive = drive
        self._set_value = set_value
        self._source_pins = {source.name: source.pins[0] for source in plan.wiring.sources}
        self._panic = plan.wiring.panic
        self._now_us = now_us
        self._cut = cut
        self._ul_of: Mapping[str, Callable[[int], float]] = plan.ul_of
        self._equipment_lines: set[str] = set()
        self._inputs: dict[str, tuple[str, int, bool]] = {}
        self._outputs: dict[int, tuple[str, str, str, bool]] = {}
        self.outputs_on: dict[str, bool] = {}
        """Which plain lines are on, by channel."""
        self._opened_us: dict[str, int] = {}
        self._wires: dict[str, tuple[str, int, bool]] = {}
        self._thresholds: dict[str, Threshold] = {}
        self._connect_thresholds()
        self._connect_pins()
        self._handlers = {name: handler for name, make in plan.simulated.items() if (handler := make(self)) is not None}

    def _connect_thresholds(self) -> None:
        for channel in self.plan.wiring.channels:
            if isinstance(channel, Threshold):
                place = channel.name if channel.device in self._thresholds else channel.device
                self._thresholds[place] = channel

    def _connect_pins(self) -> None:
        for pin, channel in self.plan.wiring.wired:
            place = channel.device
            if isinstance(channel, Output):
                self._outputs[pin] = (channel.name, place, channel.role, channel.inverted)
                if channel.role == Role.HOPPER:
                    self.hopper_state.up[place] = False
                continue
            self._wires[channel.name] = wire = (channel.name, pin, channel.inverted)
            if channel.role == Role.SENSOR:
                self._sensors[place] = wire
            else:
                # A second input of a device is a place with the name of its channel.
                place = channel.name if place in self._inputs else place
                self._inputs[place] = wire
                if channel.machine:
                    self._equipment_lines.add(place)

    def now_us(self) -> int:
        """Return the time of the session."""
        return self._now_us()

    def call_later(self, seconds: float, action: Callable[..., object], *arguments: object) -> None:
        """Run a function after some seconds of the clock. Without a clock it never runs."""
        if self._clock is not None:
            self._clock.call_later(seconds, action, *arguments)

    def drive(self, channel: str, on: bool) -> None:
        """Send a level to an input, as its device does."""
        self._break(self._wires[channel], on)

    def deliver(self, place: str, amount: float) -> None:
        """Send microliters or pellets to a place, where the subject perceives them."""
        self.uncollected_rewards[place] = self.uncollected_rewards.get(place, 0.0) + amount
        self.perceive("drop", place)

    def perceive(self, kind: str, place: str, value: int = 1) -> None:
        """Send a stimulus to the subject."""
        self.senses.end_wait(Stimulus(kind, place, value))

    @property
    def places(self) -> tuple[str, ...]:
        """Return the places with a beam, a threshold or a tracked circle; inputs from other equipment are no places."""
        beams = (place for place in self._inputs if place not in self._equipment_lines)
        return (*beams, *self._thresholds, *self.circles)

    @property
    def devices(self) -> tuple[str, ...]:
        """Return the names of all devices, with tracked circles and the screen."""
        plan = self.plan
        wired = (*(channel.device for channel in plan.wiring.channels), *self._source_pins)
        tracker = () if plan.tracking is None else (plan.tracking.name,)
        return (*dict.fromkeys((*wired, *self.circles, *tracker)), *(() if plan.screen is None else ("screen",)))

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the inputs from other equipment; the photodiode is the screen's."""
        screen = self.plan.screen
        photodiode = None if screen is None else screen.photodiode
        return tuple(place for place in self._inputs if place in self._equipment_lines and place != photodiode)

    def set_line(self, line: str, on: bool) -> None:
        """Set the level of an input from other equipment. Raises ``ConfigError`` for one that the rig lacks."""
        if line not in self.lines:
            has = ", ".join(self.lines) or "none"
            raise ConfigError(f"the subject signals at '{line}', which is no ttl_in of the rig; it has: {has}")
        self._break(self._inputs[line], on)

    def set_value(self, source: str, value: int) -> None:
        """Set the value that the board samples of a source. Raises ``ConfigError`` for one that the rig lacks."""
        if source not in self._source_pins:
            has = ", ".join(self._source_pins) or "none"
            raise ConfigError(f"the subject moves '{source}', which is not sampled on this rig; it samples: {has}")
        if source not in self._cut:
            self._set_value(self._source_pins[source], value)

    def clear(self) -> None:
        """Set all inputs of the board to the level of an unbroken beam, and of a released panic button."""
        for _, pin, inverted in (*self._inputs.values(), *self._sensors.values()):
            self._drive(pin, int(inverted))
        if self._panic is not None:
            self.press_panic(False)

    def press_panic(self, on: bool) -> None:
        """Press or release the panic button. Raises ``ConfigError`` for a rig that lacks one."""
        if self._panic is None:
            raise ConfigError("the panic button is pressed, and the rig file has none: give the board `panic:`")
        self._drive(self._panic.pin, int(on) ^ self._panic.inverted)

    def is_disconnected(self, channel: str) -> bool:
        """Whether the wire of a channel is cut."""
        return channel in self._cut

    def set_occupied(self, place: str, on: bool) -> None:
        """Set a beam broken or clear, move the head into or out of a hopper, or a value beyond a threshold or back.

        Raises ``ConfigError`` for a place that the rig lacks.
        """
        if place in self.hopper_state.up:
            self.hopper_state.enter(place, on, self._now_us())
            # A hopper may have no beam: Racey et al. (2011) mention none.
            if place not in self._inputs:
                return
        threshold = self._thresholds.get(place)
        if threshold is not None:
            self._cross(threshold, on)
            return
        if place not in self._inputs:
            raise ConfigError(
                f"the subject acts at '{place}', which is not on the rig; it has: {', '.join(self.places)}"
            )
        self._break(self._inputs[place], on)

    def consume(self, place: str) -> float:
        """Return and remove what has arrived at a place: microliters, pellets, or seconds at a hopper."""
        if place in self.hopper_state.up:
            return self.hopper_state.eaten_s(place, self._now_us())
        return self.uncollected_rewards.pop(place, 0.0)

    def _break(self, beam: tuple[str, int, bool], on: bool) -> None:
        name, pin, inverted = beam
        if self.trace is not None:
            self.trace.append((self._now_us(), name, int(on)))
        # The trace holds what the animal did; a cut wire keeps it from the board.
        if name not in self._cut:
            self._drive(pin, int(on) ^ inverted)

    def _cross(self, threshold: Threshold, on: bool) -> None:
        if self.trace is not None:
            self.trace.append((self._now_us(), threshold.name, int(on)))
        if threshold.name not in self._cut:
            self.set_value(threshold.source, threshold.above if on != threshold.inverted else threshold.below)

    def show(self, scene: Scene) -> None:
        """Set the scene on the screen, and note pictures that appear or disappear."""
        before, self.scene = self.scene, scene
        gone, come = ({item.name for item in shown.items if item.name} for shown in (before, scene))
        # Sorted, because the order of a set of strings differs from run to run.
        for name in sorted(come - gone):
            self.senses.end_wait(Stimulus("shown", name, 1))
        for name in sorted(gone - come):
            self.senses.end_wait(Stimulus("shown", name, 0))

    def on_output(self, pin: int, value: int) -> None:
        """Handle a change of an output of the board."""
        name, place, role, inverted = self._outputs[pin]
        if inverted and value < 2:
            value = int(not value)
        if self.trace is not None:
            self.trace.append((self._now_us(), name, value))
        # The trace holds what the board did; behind a cut wire it has no effect.
        if name in self._cut:
            return
        handler = self._handlers.get(place)
        if handler is not None:
            handler(name, value)
        elif role == Role.LIGHT:
            self.lights[place] = value != 0
            self.perceive("light", place, int(value != 0))
        elif role == Role.VALVE:
            self._flow(name, place, value)
        elif role == Role.TONE:
            # A wait asks for a tone of any frequency; its result names the frequency.
            if value:
                self.senses.end_wait(Stimulus("tone", place, 0), Stimulus("tone", place, value))
        elif role == Role.HOPPER:
            self.hopper_state.rise(place, value != 0, self._now_us())
            self.perceive("hopper", place, int(value != 0))
        elif role != Role.FEEDER:
            self.outputs_on[name] = value != 0
            self.perceive("output", name, int(value != 0))
        elif not value and self._clock is not None:
            # At the end of the pulse, whose length turns the feeder on by one pellet.
            if self._pulses not in self.jams:
                self.call_later(FALLS_S, self._drop_pellet, place)
            self._pulses += 1

    def _drop_pellet(self, feeder: str) -> None:
        self.deliver(feeder, 1)
        if feeder in self._sensors:
            self._break(self._sensors[feeder], True)
            self.call_later(PASSES_S, self._break, self._sensors[feeder], False)

    def _flow(self, name: str, place: str, value: int) -> None:
        if value:
            self._opened_us[name] = self._now_us()
            return
        # A board drives the safe level of an inverted valve before the first opening.
        if name not in self._opened_us:
            return
        self.deliver(place, self._ul_of[name](self._now_us() - self._opened_us.pop(name)))
