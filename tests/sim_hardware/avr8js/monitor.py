"""Registers of a simulated chip, read and written by a program on it: what a program on the real chip would see."""

from typing import Protocol

from sim_hardware.avr.chip import HZ, Event, TraceEvent
from sim_hardware.avr.seam import SimulatedChip

MS = HZ // 1000

# Addresses in data memory: Register Summary of the data sheets; the same for both chips.
PINB, DDRB, PORTB, PIND, DDRD, PORTD = 0x23, 0x24, 0x25, 0x29, 0x2A, 0x2B
TIFR1, PCIFR, EIFR, EIMSK, EECR = 0x36, 0x3B, 0x3C, 0x3D, 0x3F
GPIOR0, GPIOR1, GPIOR2 = GPIOR = (0x3E, 0x4A, 0x4B)
MCUSR, WDTCSR, PCICR, EICRA = 0x54, 0x60, 0x68, 0x69
PCMSK0, PCMSK1, PCMSK2, TIMSK1 = 0x6B, 0x6C, 0x6D, 0x6F
TCCR1A, TCCR1B, TCCR1C, TCNT1, OCR1A, OCR1B, OCR1C = 0x80, 0x81, 0x82, 0x84, 0x88, 0x8A, 0x8C

PIN_CHANGE_0, PIN_CHANGE_1, PIN_CHANGE_2, EXTERNAL_0, COMPARE_A, COMPARE_B, OVERFLOW, EEPROM_READY = range(8)
"""Interrupts that the program counts."""


class RunsChips(Protocol):
    """Whatever runs a program on a simulated chip."""

    def __call__(self, name: str, kind: str = "uno") -> SimulatedChip: ...


class Monitor:
    """The host's end of the program monitor.c. All events on the way are in ``events``."""

    def __init__(self, chip: SimulatedChip) -> None:
        self.chip = chip
        self.events: list[Event] = []
        self.wait(MS)

    def wait(self, cycles: int) -> list[Event]:
        """Let time pass; return what happens meanwhile."""
        events, until = [], self.chip.cycle + cycles
        while self.chip.cycle < until:
            events += self.chip.run(until)
        self.events += events
        return events

    def ask(self, *command: int) -> int:
        """Send a command; return the last byte of its answer."""
        self.chip.send(bytes(command))
        events = self.wait(MS)
        (*_, answer) = [event.value for event in events if event.kind is TraceEvent.BYTE]
        return answer

    def read(self, register: int) -> int:
        return self.ask(ord("r"), register & 0xFF, register >> 8)

    def write(self, register: int, value: int) -> None:
        self.ask(ord("w"), register & 0xFF, register >> 8, value)

    def write_word(self, register: int, value: int) -> None:
        """Write a register of 16 bits: its high byte first, as the data sheet demands."""
        self.write(register + 1, value >> 8)
        self.write(register, value & 0xFF)

    def served(self, interrupt: int) -> int:
        """Return how often an interrupt has run."""
        return self.ask(ord("c"), interrupt)

    def set_interrupts(self, on: bool) -> None:
        self.ask(ord("i"), on)

    def clear_by_sbi(self, register: int) -> None:
        """Write a one to the flag PCIF0, or to OCF1A, with the instruction SBI."""
        self.ask(ord("b"), register == TIFR1)

    def levels(self, pin: int) -> list[int]:
        """Return all levels of a watched pin so far."""
        return [event.value for event in self.events if event.kind is TraceEvent.LEVEL and event.pin == pin]
