"""Probe on a simulated chip with the firmware on it, exact to a cycle."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from rig.boards.chips import CHIPS
from rig.boards.pin_probe import Change, InterruptsOff, Memory
from rig.boards.transport import Transport
from rig.core.clock import running
from rig.core.model.board import Channel, Source
from sim_hardware.avr.board import CYCLES_PER_US, AvrBoard
from sim_hardware.avr.chip import AvrChip
from sim_hardware.avr.disassembly import Disassembly
from sim_hardware.avr.firmware import firmware
from sim_hardware.avr.lockstep import Background
from sim_hardware.avr.memory_usage import MemoryUsage
from sim_hardware.avr.seam import MakeChip, firmware_on_simavr
from sim_hardware.board.pin_probe import VirtualProbe
from sim_hardware.bootloader import NO_BOOTLOADER, BootSequence
from sim_hardware.link_model import LinkFaults, ResettingTransport


class AvrProbe(VirtualProbe):
    """A probe on the pins of these channels; those in ``heard`` are speakers, recorded as frequencies."""

    can_hang = True

    def __init__(
        self,
        kind: str,
        channels: Iterable[Channel],
        *,
        heard: frozenset[str] = frozenset(),
        faults: LinkFaults | None = None,
        baud: int = 500_000,
        seed: int = 0,
        ppm: float = 0.0,
        make_chip: MakeChip = firmware_on_simavr,
    ) -> None:
        super().__init__(Background(running()), faults)
        self._loop = asyncio.get_running_loop()
        self._kind = kind
        self._chip = make_chip(kind, baud, seed)
        self._room = MemoryUsage(self._chip, kind, firmware(kind))
        send = self.cable.to_host.send
        self._boot = BootSequence(running(), NO_BOOTLOADER, self._reset, self._receive_by_program, send)
        self.board = AvrBoard(self._chip, channels, self._boot.send, self._driven, speakers=heard, ppm=ppm)

    def connect(self) -> Transport:
        """Open the port, which resets the board of an Arduino."""
        if CHIPS[self._kind].resets_at_opening:
            return ResettingTransport(self.cable, self._boot.reset)
        return super().connect()

    def now_us(self) -> float:
        """Return the time of the session."""
        return self.board.exact_us_of(self.board.lockstep.cycle_now())

    def call_at(self, t_us: float, callback: Callable[..., object], *args: object) -> None:
        """Run a callback at the cycle of a time."""
        self._loop.call_at(self.board.time_of_us(t_us), callback, *args)

    def drive(self, pin: int, level: int) -> float:
        """Set the level of a pin; return the exact time of the session, in microseconds."""
        self.board.put(pin, level)
        return self.board.exact_us_of(self._chip.cycle)

    def set_value(self, source: Source, value: int) -> None:
        """Set what the board samples of a source."""
        self.board.set_value(source, value)

    def hang(self, *, interrupts: bool) -> float:
        """Stop its program."""
        self.board.hang(interrupts=interrupts)
        return self.board.exact_us_of(self._chip.cycle)

    def power_off(self) -> None:
        """Stop the chip; its transitions and memory usage can still be read."""
        self.board.lockstep.stop()

    def overruns(self) -> int:
        """Return the number of bytes that were lost because the firmware did not read them."""
        return self.board.overruns

    def memory(self) -> Memory:
        """Return the memory usage."""
        return self._room.memory()

    def measure_interrupts(self) -> None:
        """Start to measure how long interrupts are off; it slows the simulation by half. Only libsimavr can."""
        if isinstance(self._chip, AvrChip):
            self._chip.measure_interrupts_off()

    def interrupts_off(self) -> InterruptsOff | None:
        """Return the longest time with interrupts off."""
        if not isinstance(self._chip, AvrChip):
            return None
        program = Disassembly.of(firmware(self._kind), self._kind)
        off, unpolled = (self._chip.longest_interrupts_off(unpolled=each) for each in (False, True))
        return InterruptsOff(
            off.cycles / CYCLES_PER_US,
            program.origin(off.began),
            unpolled.cycles / CYCLES_PER_US,
            program.origin(unpolled.began),
        )

    def _reset(self) -> None:
        self.board.reset()

    def _receive(self, data: bytes) -> None:
        self._boot.receive(data)

    def _receive_by_program(self, data: bytes) -> None:
        self.board.receive(data)

    def _driven(self, pin: int, value: int) -> None:
        self.transitions.append(Change(self.board.exact_us_of(self.board.driven_at), pin, value))
