"""The chips of the firmware: their pins, and the capacity of the firmware on each.

An open board reports its capacity in HELLO. This table serves checks before a board is open.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChipKind:
    """One kind of chip; pins 0 and 1 of either board are its serial port. A ramp or a train is one entry.

    An input needs a pin with a pin-change interrupt; on a Mega not every pin has one.
    """

    board: str
    pins: range
    inputs: tuple[range, ...]
    channels: int
    reflexes: int
    entries: int
    events: int
    openings: int
    """How many openings of dangerous outputs it keeps."""

    def can_be_input(self, pin: int) -> bool:
        """Whether the firmware can use a pin as an input."""
        return any(pin in pins for pins in self.inputs)


# ATmega328P data sheet: each of these pins has a pin-change interrupt.
_UNO_PINS = range(2, 20)
# ATmega2560 data sheet: INT0 to 5 are the pins 21 to 18, 2 and 3; the others are PCINT0 to 7, 9, 10 and 16 to 23.
_MEGA_INPUTS = (range(2, 4), range(10, 16), range(18, 22), range(50, 54), range(62, 70))

CHIPS = {
    "uno": ChipKind(
        "Arduino Uno", _UNO_PINS, (_UNO_PINS,), channels=14, reflexes=16, entries=24, events=32, openings=8
    ),
    "mega": ChipKind(
        "Arduino Mega", range(2, 70), _MEGA_INPUTS, channels=40, reflexes=32, entries=64, events=256, openings=32
    ),
}
