"""A rig with a simulated chip: the firmware on it, its cable and its world."""

from __future__ import annotations

from collections.abc import Callable

from rig.boards.chips import AVRS, CHIPS, USUAL_CHIP, pin_ranges
from rig.core.clock import running
from rig.core.errors import ConfigError
from rig.core.model.channels import Role
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from sim_hardware.avr.board import AvrBoard
from sim_hardware.avr.lockstep import Background
from sim_hardware.avr.seam import MakeChip, firmware_on_simavr
from sim_hardware.bootloader import NO_BOOTLOADER, Bootloader, BootSequence
from sim_hardware.link_model import LinkFaults, ResettingTransport
from sim_hardware.rig import VirtualRig


class AvrRig(VirtualRig):
    """A chip with the firmware, its cable and its world, on the running loop.

    ``on_open`` is called when a session is opened, once the body counts from its zero.
    """

    def __init__(
        self,
        plan: RigSpec,
        options: SimulationOptions,
        faults: LinkFaults | None = None,
        on_open: Callable[[], None] = lambda: None,
        bootloader: Bootloader = NO_BOOTLOADER,
        make_chip: MakeChip = firmware_on_simavr,
    ) -> None:
        super().__init__(plan, options, faults, Background(running()))
        kind = plan.board.chip or USUAL_CHIP
        check_pins(plan, kind)
        chip = make_chip(kind, plan.board.baud, options.seed)
        channels = plan.wiring.channels
        speakers = frozenset(channel.name for channel in channels if channel.role == Role.TONE)
        self._on_open = on_open
        self._sources = {source.pins[0]: source for source in plan.wiring.sources}
        self._level_us: int | None = None
        send = self.cable.to_host.send
        self._boot = BootSequence(running(), bootloader, self._reset, self._receive_by_program, send)
        self.board = AvrBoard(chip, channels, self._boot.send, self._on_output, self.begin, speakers=speakers)
        self.world.clear()
        self.transport = ResettingTransport(self.cable, self._boot.reset)

    def begin(self, zero_s: float | None = None) -> None:
        """Start the session's time at the zero of the chip."""
        super().begin(self.board.time_of_us(0) if zero_s is None else zero_s)
        self._on_open()

    def _reset(self) -> None:
        self.board.reset()

    def _receive(self, data: bytes) -> None:
        self._boot.receive(data)

    def _receive_by_program(self, data: bytes) -> None:
        self.board.receive(data)

    def _drive(self, pin: int, level: int) -> None:
        self.board.put(pin, level)

    def _set_value(self, pin: int, value: int) -> None:
        self.board.set_value(self._sources[pin], value)

    def now_us(self) -> int:
        """Return the time of the session; while an output changes, the time at which the chip changed it."""
        return self.board.now_us() if self._level_us is None else self._level_us

    def _on_output(self, pin: int, value: int) -> None:
        # In real time this runs late on a busy computer, and both ends of an opening may be handled at once: by the
        # loop's time the valve would then give too little water, or none. A tone has no time but that of the loop.
        self._level_us = None if value > 1 else self.board.us_of(self.board.driven_at)
        try:
            self.world.on_output(pin, value)
        finally:
            self._level_us = None


def check_pins(plan: RigSpec, kind: str) -> None:
    """Check that the chip has all pins. Raises ``ConfigError``."""
    chip = CHIPS[kind]
    wrong = [f"{channel.name} is on pin {pin}" for pin, channel in plan.wiring.wired if pin not in chip.pins]
    panic = plan.wiring.panic
    if panic is not None and not chip.can_be_input(panic.pin):
        wrong.append(f"the panic button is on pin {panic.pin}")
    if wrong:
        larger = next((name for name, other in AVRS.items() if len(other.pins) > len(chip.pins)), None)
        # Another chip under --board pico is a Pico all the same.
        advice = f"; for a larger board write `chip: {larger}` under `boards:`" if kind in AVRS and larger else ""
        raise ConfigError(f"{', '.join(wrong)}: use {pin_ranges(chip.pins)} of {chip.a_board}{advice}")
