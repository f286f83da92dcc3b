"""The test bench: an open board with a probe on its pins."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

from rig.boards.client import BoardClient
from rig.boards.pin_probe import Change, PinProbe
from rig.boards.serial.board import SerialBoard
from rig.core.clock import running
from rig.core.model.actions import Order
from rig.core.model.board import Input, Output, Wiring
from rig.diagnostics.timing.line import CountingTransport


class ProbeFactory(Protocol):
    """Builds a new board with a probe, on the running loop; of speakers in ``heard`` it records the frequency."""

    def __call__(self, wiring: Wiring, seed: int, heard: frozenset[str] = frozenset()) -> PinProbe:
        """Return the probe of a new board."""


class TimingBench:
    """A board, the host's end of its cable, and a probe; levels are those of channels, not of pins."""

    def __init__(self, wiring: Wiring, probe: PinProbe, late_s: float = 0.0) -> None:
        self.wiring = wiring
        self.probe = probe
        self.line = CountingTransport(probe.connect(), running(), late_s)
        self.channels = {channel.name: channel for channel in wiring.channels}
        self._pins = {channel.name: pin for pin, channel in wiring.wired}
        self.inputs_driven: dict[str, list[tuple[float, int]]] = {channel.name: [] for channel in wiring.channels}
        """All levels driven on each input, with their exact times."""
        self.client = BoardClient(lambda inbox: SerialBoard(self.line, running(), inbox))

    # --- what is done to it -----------------------------------------------------------------------------------

    def order(self, *orders: Order) -> int:
        """Send a batch that is based on all received events; return its number."""
        return self.client.send(*orders)

    def drive_input(self, name: str, level: int) -> None:
        """Switch an input on or off now."""
        channel = self.channels[name]
        self.inputs_driven[name].append((self.probe.drive(self._pins[name], level ^ channel.inverted), level))

    async def until(self, t_us: float) -> None:
        """Wait until a time of the session."""
        passed = asyncio.get_running_loop().create_future()
        self.probe.call_at(
            t_us, lambda: None if passed.done() else passed.set_result(None)
        )  # the wait may be cancelled
        await passed

    async def wait(self, us: float) -> None:
        """Wait for a time."""
        await self.until(self.probe.now_us() + us)

    # --- what it does -----------------------------------------------------------------------------------------

    def changes(self, name: str) -> list[Change]:
        """Return the changes of an output, from its first on; 0 is off."""
        channel = self.channels[name]
        changes: list[Change] = []
        for t_us, pin, value in self.probe.transitions:
            level = value ^ channel.inverted
            # Configuring an output drives its pin to off, which is no change of the output.
            if pin == channel.pin and level != (changes[-1].value if changes else 0):
                changes.append(Change(t_us, pin, level))
        return changes

    def outputs(self) -> list[str]:
        """Return the names of the outputs."""
        return [channel.name for channel in self.wiring.channels if isinstance(channel, Output)]

    def last_write_us(self) -> float:
        """Return the time of the host's last write."""
        return self.probe.now_us() - (running().time() - self.line.last_write_at) * 1e6

    def all_off_at_us(self) -> float:
        """Return since when all outputs are off; infinity while one is on, 0 if none was on."""
        changes = [changes for name in self.outputs() if (changes := self.changes(name))]
        if any(change[-1].value for change in changes):
            return math.inf
        return max((change[-1].t_us for change in changes), default=0.0)

    def rises(self, name: str) -> list[float]:
        """Return the times at which an output went on."""
        return [change.t_us for change in self.changes(name) if change.value]

    def losses(self) -> Losses:
        """Return the counters of losses, after the session."""
        health = self.client.health
        # A Counter: a board that did not answer at its end reports no counters, which are then 0.
        counters = Counter(health.counters) if health is not None else Counter[str]()
        return Losses(
            self.probe.overruns(),
            counters["board_damaged"],
            counters["damaged"],
            counters["board_lost"],
            counters["resent"] + counters["board_resent"],
            counters["board_refused"],
        )


@dataclass(frozen=True)
class Losses:
    """Counters of losses between host and board, in the order of printing."""

    overruns: int
    damaged_at_board: int
    damaged_at_host: int
    events_lost: int
    resent: int
    orders_refused: int

    def __str__(self) -> str:
        told = (f"{count} {name.replace('_', ' ')}" for name, count in vars(self).items() if count)
        return ", ".join(told) or "nothing lost"


@asynccontextmanager
async def open_bench(
    make_probe: ProbeFactory, wiring: Wiring, seed: int, *, heard: frozenset[str] = frozenset(), late_s: float = 0.0
) -> AsyncIterator[TimingBench]:
    """Build a bench, open its board, and close it at the end. Raises ``BoardError``."""
    await asyncio.sleep(0.5)
    bench = TimingBench(wiring, make_probe(wiring, seed, heard), late_s)
    # All beams are clear before OPEN: the board reports an input that is on when it is configured.
    for pin, channel in wiring.wired:
        if isinstance(channel, Input):
            bench.probe.drive(pin, int(channel.inverted))
    try:
        async with bench.client.opened(wiring):
            yield bench
    finally:
        # The loop would otherwise simulate this chip during all later measurements.
        bench.probe.power_off()
