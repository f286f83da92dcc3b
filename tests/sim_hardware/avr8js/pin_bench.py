"""A board of the second simulator that is open, with a beam, a plain input, a valve and a speaker on its pins."""

import pytest

from rig.boards.wire import messages as wire
from rig.core.model.actions import Order
from rig.core.model.board import Input, Output
from rig.core.model.channels import Role
from sim_hardware.avr.chip import HZ
from sim_hardware.avr.seam import SimulatedChip
from sim_hardware.avr8js.firmware_chip import firmware_on_avr8js
from tests.sim_hardware.avr.line import Line

MS = HZ // 1000
US = HZ // 1_000_000
MAKE_CHIP = firmware_on_avr8js()
KINDS = ["uno", pytest.param("mega", marks=pytest.mark.slow)]
REFLEX_US, PULSE_US, STAMP_US = 300, 150, 30
"""Bounds: of an action after the end of its confirmation, of the length of a pulse, of a stamp."""
CONFIRM_US, TICK_US = 100, 0.5
PLAIN_PIN, VALVE_PIN, SPEAKER_PIN = 3, 8, 10
BEAM_PIN = {"uno": 2, "mega": 62}
CHANNELS = {
    kind: (
        Input("beam", Role.LINE, pin, debounce_us=5_000, confirm_on_us=CONFIRM_US, confirm_off_us=CONFIRM_US),
        Input("plain", Role.LINE, PLAIN_PIN, 0, 0, 0),
        Output("valve", Role.LINE, VALVE_PIN, max_on_us=100_000),
        Output("speaker", Role.LINE, SPEAKER_PIN, max_on_us=1_000_000),
    )
    for kind, pin in BEAM_PIN.items()
}


class Bench:
    """A board that is open, with a beam on one pin; times are cycles."""

    def __init__(self, kind: str) -> None:
        self.line = Line(kind, CHANNELS[kind], MAKE_CHIP)
        self.pin = BEAM_PIN[kind]
        self.chip: SimulatedChip = self.line.chip
        self.chip.pin(self.pin, 0)
        self.chip.pin(PLAIN_PIN, 0)
        self.stamp = self.line.open()
        self.opened_at = self._cycle_of_opening()

    def _cycle_of_opening(self) -> int:
        zero, period = self.chip.timer("1")
        return self.chip.cycle - (self.chip.cycle - zero - self.stamp * 8) % period

    def order(self, *orders: Order) -> None:
        self.line.order(*orders)

    def wait(self, cycles: int) -> None:
        self.line.run(cycles)

    def square_wave(self, half_us: float, for_ms: float) -> None:
        """Put a square wave on the beam."""
        end, level, due = self.chip.cycle + for_ms * MS, 1, float(self.chip.cycle)
        while self.chip.cycle < end:
            self.chip.pin(self.pin, level)
            level, due = 1 - level, due + half_us * US
            self.wait(max(1, round(due) - self.chip.cycle))
        self.chip.pin(self.pin, 0)

    def session_us(self, cycle: int) -> float:
        """Return the session's time of a cycle."""
        return (cycle - self.opened_at) / US

    def changes(self, pin: int) -> list[tuple[int, int]]:
        return [(cycle, level) for cycle, which, level in self.line.levels if which == pin]

    def edges(self, channel: int = 0) -> list[tuple[float, int]]:
        """Return the edges of an input that were reported: microseconds since the opening, and level."""
        reported = [(stamp, level) for which, level, stamp in edges_of(self.line) if which == channel]
        return [((stamp - self.stamp & 0xFFFF_FFFF) * TICK_US, level) for stamp, level in reported]


def edges_of(line: Line) -> list[tuple[int, int, int]]:
    """Return the edges that were reported, once each: channel, level and stamp."""
    reported = {number: rest for code, number, *rest in line.answers if code == wire.EDGE.code}
    return [(channel & 0x7F, channel >> 7, stamp) for channel, _, stamp in reported.values()]
