"""A rig with a simulated chip: the firmware on it, its cable and its world."""

from __future__ import annotations

from collections.abc import Callable

from rig.boards.chips import CHIPS, USUAL_CHIP
from rig.core.clock import running
from rig.core.errors import ConfigError
from rig.core.model.channels import Role
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from sim_hardware.avr.board import AvrBoard
from sim_hardware.avr.chip import AvrChip
from sim_hardware.avr.firmware import firmware
from sim_hardware.avr.lockstep import Background
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
    ) -> None:
        super().__init__(plan, options, faults, Background(running()))
        kind = plan.board.chip or USUAL_CHIP
        check_pins(plan, kind)
        chip = AvrChip(kind, firmware(kind), baud=plan.board.baud, seed=options.seed)
        channels = plan.wiring.channels
        speakers = frozenset(channel.name for channel in channels if channel.role is Role.TONE)
        self._on_open = on_open
        self._level_us: int | None = None
        self.board = AvrBoard(chip, channels, self.cable.to_host.send, self._on_output, self.begin, speakers=speakers)
        self.world.clear()
        self.transport = ResettingTransport(self.cable, self.board.reset)

    def begin(self, zero_s: float | None = None) -> None:
        """Start the session's time at the zero of the chip."""
        super().begin(self.board.time_of_us(0) if zero_s is None else zero_s)
        self._on_open()

    def _receive(self, data: bytes) -> None:
        self.board.receive(data)

    def _drive(self, pin: int, level: int) -> None:
        self.board.put(pin, level)

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
    wrong = [
        f"{channel.name} is on pin {channel.pin}" for channel in plan.wiring.channels if channel.pin not in chip.pins
    ]
    panic = plan.wiring.panic
    if panic is not None and not chip.can_be_input(panic.pin):
        wrong.append(f"the panic button is on pin {panic.pin}")
    if wrong:
        larger = next((name for name, other in CHIPS.items() if len(other.pins) > len(chip.pins)), None)
        advice = f"; for a larger board write `chip: {larger}` under `boards:`" if larger is not None else ""
        least, most = chip.pins[0], chip.pins[-1]
        raise ConfigError(f"an {chip.board} has pins {least} to {most} for devices: {', '.join(wrong)}{advice}")
