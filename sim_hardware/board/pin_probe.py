"""Probes on the pins of a simulated board, for benches."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from rig.boards.pin_probe import Change, PinProbe
from rig.boards.transport import Transport
from rig.core.clock import Clock, running
from rig.core.model.board import Source
from sim_hardware.board.board import SimBoard
from sim_hardware.board.chip import Capacity
from sim_hardware.board.ticks import Ticks
from sim_hardware.link_model import CableTransport, LinkFaults, SerialCable

BENCH_CABLE = LinkFaults(latency_s=0.000_1)
"""A latency of 0.1 ms, so that on a bench the board is slower than its cable."""


class VirtualProbe(PinProbe):
    """A probe on a simulated board with a cable in memory; ``clock`` is the cable's."""

    def __init__(self, clock: Clock, faults: LinkFaults | None) -> None:
        super().__init__()
        self.cable = SerialCable(clock, faults, self._receive)

    def connect(self) -> Transport:
        """Open the port."""
        return CableTransport(self.cable)

    @abstractmethod
    def set_value(self, source: Source, value: int) -> None:
        """Set what the board samples of a source."""

    @abstractmethod
    def _receive(self, data: bytes) -> None:
        """Send bytes of the host to the board."""


class SimProbe(VirtualProbe):
    """A probe on the board in Python; its resolution is one tick."""

    def __init__(
        self, faults: LinkFaults | None = None, ticks: Ticks | None = None, capacity: Capacity | None = None
    ) -> None:
        super().__init__(running(), faults)
        self.board = SimBoard(running(), self.cable.to_host.send, self._driven, ticks=ticks, capacity=capacity)

    def now_us(self) -> float:
        """Return the time of the session."""
        ticks = self.board.ticks
        return (ticks.now() - self.board.opened_at) * ticks.tick_ns / 1000

    def call_at(self, t_us: float, callback: Callable[..., object], *args: object) -> None:
        """Run a callback at the tick of a time."""
        ticks = self.board.ticks
        ticks.at(self.board.opened_at + round(t_us * 1000) // ticks.tick_ns, callback, *args)

    def drive(self, pin: int, level: int) -> float:
        """Set the level of a pin; return the exact time of the session, in microseconds."""
        self.board.chip.inputs.drive(pin, level)
        return self.now_us()

    def set_value(self, source: Source, value: int) -> None:
        """Set what the board samples of a source."""
        self.board.chip.sources.set_value(source.pins[0], value)

    def _receive(self, data: bytes) -> None:
        self.board.receive(data)

    def _driven(self, pin: int, value: int) -> None:
        self.transitions.append(Change(self.now_us(), pin, value))
