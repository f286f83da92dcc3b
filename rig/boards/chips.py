"""The chips of the firmware: everything that the host and the simulator know of each, in one record per chip.

An open board reports its capacity in HELLO. This table serves checks before a board is open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal, TypeAlias

ChipName: TypeAlias = Literal["uno", "mega", "pico"]
"""The keys of `CHIPS`, as a type of values in a rig file."""

USUAL_CHIP: ChipName = "uno"
"""The chip of a simulated board whose rig file names none."""

_SERIAL_PINS = 2
"""Pins 0 and 1 of each board are its serial port."""

# The pin of the light on either Arduino, with which its bootloader shows that it runs.
_LED_PIN = 13


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipKind:
    """One kind of chip, as its board wires it. A ramp or a train is one entry."""

    board: str
    usb_ids: tuple[str, ...]
    """USB ids of original Arduino boards, or of the firmware; a clone's USB chip does not identify the board."""
    flash_bytes: int
    ram_start: int
    """The first address of its memory: variables come first, and the stack grows down toward them."""
    ram_bytes: int
    ports: tuple[tuple[str, int], ...]
    """The port's letter and the bit of each pin, by the board's numbers."""
    inputs: tuple[range, ...]
    """The pins that can be inputs: each has an interrupt."""
    channels: int
    groups: int
    reflexes: int
    sequences: int
    entries: int
    voices: int
    """How many tones it plays at a time."""
    events: int
    openings: int
    """How many openings of dangerous outputs it keeps."""
    tone_error_percent: float
    """The bound on the error of a tone's frequency."""
    own_pins: Mapping[int, str]
    """The pins that the board itself needs, and for what: no device may be on them."""
    numbering: str = ""
    """Which numbers its pins have, for messages, where the contacts of its board have others."""
    driven_pins: Mapping[int, str] = field(default_factory=dict)
    """The pins for devices that are driven before the program starts, and how."""
    pull_up: str = ""
    """The pull-up that an inverted output needs, of a chip whose pins have a pull-down from a reset to the session."""
    bench_pins: Mapping[int, int] = field(default_factory=dict)
    """The pins that `rig board bench` uses in place of an Uno's."""
    resets_at_opening: bool = True
    """Whether opening its port resets it."""
    analog_pins: range = range(0)
    """The pins whose voltage it samples."""
    analog_steps: int = 0
    """The largest value of a voltage; the least is 0."""
    encoders: int = 0
    """How many encoders it counts, each on two pins side by side."""
    thresholds: int = 0
    """How many thresholds of what it samples it compares."""
    simulator: str = "avr"
    """The driver that runs the firmware on a simulated chip of this kind."""

    @property
    def pins(self) -> tuple[int, ...]:
        """Return the numbers of the pins for devices."""
        return tuple(pin for pin in range(len(self.ports)) if pin not in self.own_pins)

    @property
    def a_board(self) -> str:
        """Return its board with an article, for messages."""
        return f"{'an' if self.board[0] in 'AEIOU' else 'a'} {self.board}"

    @property
    def sources(self) -> int:
        """Return how many analog inputs and encoders it samples."""
        return len(self.analog_pins) + self.encoders

    def can_be_encoder(self, pin_a: int, pin_b: int) -> bool:
        """Whether the firmware can count the steps of an encoder at two pins."""
        return self.encoders > 0 and abs(pin_a - pin_b) == 1 and self.can_be_input(pin_a) and self.can_be_input(pin_b)

    def can_be_input(self, pin: int) -> bool:
        """Whether the firmware can use a pin as an input."""
        return any(pin in pins for pins in self.inputs)


@dataclass(frozen=True, slots=True, kw_only=True)
class AvrKind(ChipKind):
    """One kind of AVR, on an Arduino board."""

    mcu: str
    """Its name for avr-gcc, AVRDUDE and libsimavr."""
    programmer: str
    """The protocol of its bootloader, as AVRDUDE names it."""
    address_bytes: int
    """What a call, or an interrupt, leaves on the stack."""
    upload_baud: int = 115_200


_SERIAL_LINE = dict.fromkeys(range(_SERIAL_PINS), "it is the serial line to the computer, which every byte switches")


def _ports(words: str) -> tuple[tuple[str, int], ...]:
    return tuple((word[0], int(word[1])) for word in words.split())


# Programmer and speed of each bootloader: boards.txt of Arduino's AVR core. Ports: pins_arduino.h of its variants.
AVRS: dict[str, AvrKind] = {
    "uno": AvrKind(
        board="Arduino Uno",
        mcu="atmega328p",
        programmer="arduino",
        usb_ids=("2341:0043", "2341:0001", "2341:0243", "2a03:0043"),
        flash_bytes=0x8000,
        ram_start=0x100,
        ram_bytes=0x800,
        address_bytes=2,
        ports=_ports("D0 D1 D2 D3 D4 D5 D6 D7 B0 B1 B2 B3 B4 B5 C0 C1 C2 C3 C4 C5"),
        # ATmega328P data sheet: each of these pins has a pin-change interrupt.
        inputs=(range(_SERIAL_PINS, 20),),
        channels=14,
        groups=8,
        reflexes=16,
        sequences=4,
        entries=24,
        voices=1,
        events=32,
        openings=8,
        tone_error_percent=0.7,
        # Measured on optiboot, on a simulated chip: docs/decisions/opening-a-board.md.
        own_pins=_SERIAL_LINE,
        driven_pins={_LED_PIN: "its bootloader switches it on for 3 x 62.5 ms at each opening of the port"},
    ),
    "mega": AvrKind(
        board="Arduino Mega",
        mcu="atmega2560",
        programmer="wiring",
        usb_ids=("2341:0042", "2341:0010", "2341:0242", "2a03:0042"),
        flash_bytes=0x40000,
        ram_start=0x200,
        ram_bytes=0x2000,
        address_bytes=3,
        ports=_ports(
            "E0 E1 E4 E5 G5 E3 H3 H4 H5 H6 B4 B5 B6 B7 J1 J0 H1 H0 D3 D2 D1 D0 "
            "A0 A1 A2 A3 A4 A5 A6 A7 C7 C6 C5 C4 C3 C2 C1 C0 D7 G2 G1 G0 L7 L6 L5 L4 L3 L2 L1 L0 B3 B2 B1 B0 "
            "F0 F1 F2 F3 F4 F5 F6 F7 K0 K1 K2 K3 K4 K5 K6 K7"
        ),
        # ATmega2560 data sheet: INT0 to 5 are the pins 21 to 18, 2 and 3.
        # The others are PCINT0 to 7, 9, 10 and 16 to 23.
        inputs=(range(2, 4), range(10, 16), range(18, 22), range(50, 54), range(62, 70)),
        channels=40,
        groups=32,
        reflexes=64,
        sequences=16,
        entries=120,
        voices=2,
        events=256,
        openings=32,
        tone_error_percent=0.1,
        # Measured on stk500v2, on a simulated chip: docs/decisions/opening-a-board.md.
        own_pins=_SERIAL_LINE,
        driven_pins={_LED_PIN: "its bootloader switches it on for 277 ms and for 226 ms at each opening of the port"},
        # The nose ports' beams are on one port there too.
        bench_pins={6: 10, 5: 11, 7: 12, 10: 6, 14: 18, 15: 19, 16: 20, 17: 21, 18: 13, 11: 5},
    ),
}

CHIPS: dict[str, ChipKind] = {
    **AVRS,
    "pico": ChipKind(
        board="Raspberry Pi Pico",
        # That of Raspberry Pi's own serial ports over USB: github.com/raspberrypi/usb-pid.
        usb_ids=("2e8a:000a",),
        flash_bytes=0x20_0000,
        ram_start=0x2000_0000,
        ram_bytes=0x4_2000,
        # Eight pins share a register of interrupts: RP2040 datasheet, 2.19.3.
        ports=tuple(("ABCD"[pin // 8], pin % 8) for pin in range(29)),
        inputs=(range(_SERIAL_PINS, 23), range(26, 29)),
        channels=40,
        groups=64,
        reflexes=128,
        sequences=16,
        entries=120,
        voices=2,
        events=1024,
        openings=128,
        tone_error_percent=0.1,
        # Pico datasheet, 2.1.
        own_pins={
            **_SERIAL_LINE,
            23: "it sets the mode of the board's power supply, and has no contact",
            24: "it senses the 5 V of USB, and has no contact",
            25: "it is the LED on the board, and has no contact",
        },
        numbering=", the numbers behind GP",
        # RP2040 datasheet, 2.19.6.3 and 5.5.3: the pull-down has 50 to 80 kOhm, and a pin may have 3.6 V at most.
        pull_up="at most 10 kOhm to 3V3, never to 5 V",
        resets_at_opening=False,
        # RP2040 datasheet, 4.9 and 3.1: the fourth analog pin measures a Pico's supply; a PIO has four state machines.
        analog_pins=range(26, 29),
        analog_steps=0xFFF,
        encoders=4,
        thresholds=16,
        simulator="pico",
    ),
}


SAMPLING_BOARDS = (
    "an Arduino Uno or Mega samples none; a Raspberry Pi Pico (`chip: pico`) does, "
    "and a simulated board (`driver: sim` without `chip:`)"
)
"""Which boards sample analog inputs and encoders, for messages."""


def pin_ranges(pins: Iterable[int]) -> str:
    """Return ascending numbers of pins as text, such as ``2 to 22 or 26 to 28``."""
    *others, last = _ranges(pins)
    return f"{', '.join(others)} or {last}" if others else last


def _ranges(pins: Iterable[int]) -> Iterator[str]:
    for _, run in groupby(enumerate(pins), lambda pair: pair[1] - pair[0]):
        numbers = [pin for _, pin in run]
        yield f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else f"{numbers[0]}"


def chip_by_usb(usb_id: str | None) -> str | None:
    """Return the name of the chip on an original Arduino board, or on a Pico with our firmware; None for others."""
    return next((name for name, chip in CHIPS.items() if usb_id in chip.usb_ids), None)
