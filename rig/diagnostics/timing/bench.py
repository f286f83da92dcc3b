"""A board that is open, with leads on its pins: what every measurement starts from."""

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
    """Puts a new board on a bench, on the running loop; speakers in ``heard`` are known by their frequency."""

    def __call__(self, wiring: Wiring, seed: int, heard: frozenset[str] = frozenset()) -> PinProbe:
        """Switch it on."""


class TimingBench:
    """A board, the host's end of its cable, and leads on its pins; levels are those of channels, not of pins."""

    def __init__(self, wiring: Wiring, probe: PinProbe, late_s: float = 0.0) -> None:
        self.wiring = wiring
        self.probe = probe
        self.line = CountingTransport(probe.connect(), running(), late_s)
        self.channels = {channel.name: channel for channel in wiring.channels}
        self.inputs_driven: dict[str, list[tuple[float, int]]] = {channel.name: [] for channel in wiring.channels}
        """What was done to every input: exactly when, and the level."""
        self.client = BoardClient(lambda inbox: SerialBoard(self.line, running(), inbox))

    # --- what is done to it -----------------------------------------------------------------------------------

    def order(self, *orders: Order) -> int:
        """Send a batch, in the knowledge of every event that has arrived; return its number."""
        return self.client.send(*orders)

    def drive_input(self, name: str, level: int) -> None:
        """Put an input on or off now."""
        channel = self.channels[name]
        self.inputs_driven[name].append((self.probe.drive(channel.pin, level ^ channel.inverted), level))

    async def until(self, t_us: float) -> None:
        """Let time pass."""
        passed = asyncio.get_running_loop().create_future()
        self.probe.call_at(t_us, lambda: None if passed.done() else passed.set_result(None))  # who waited may have gone
        await passed

    async def wait(self, us: float) -> None:
        """Let so much time pass."""
        await self.until(self.probe.now_us() + us)

    # --- what it does -----------------------------------------------------------------------------------------

    def changes(self, name: str) -> list[Change]:
        """List what an output has done since it was off; 0 is off."""
        channel = self.channels[name]
        found: list[Change] = []
        for t_us, pin, value in self.probe.transitions:
            level = value ^ channel.inverted
            if pin == channel.pin and level != (found[-1].value if found else 0):
                found.append(Change(t_us, pin, level))
        return found

    def outputs(self) -> list[str]:
        """Name the outputs."""
        return [channel.name for channel in self.wiring.channels if isinstance(channel, Output)]

    def last_write_us(self) -> float:
        """Return when the host last said something."""
        return self.probe.now_us() - (running().time() - self.line.last_write_at) * 1e6

    def all_off_at_us(self) -> float:
        """Tell since when every output has been off; infinity while one of them is on, 0 if none ever was."""
        changes = [changes for name in self.outputs() if (changes := self.changes(name))]
        if any(each[-1].value for each in changes):
            return math.inf
        return max((each[-1].t_us for each in changes), default=0.0)

    def rises(self, name: str) -> list[float]:
        """List when an output went on."""
        return [change.t_us for change in self.changes(name) if change.value]

    def losses(self) -> Losses:
        """Count what went wrong in a session that is over."""
        health = self.client.health
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
    """What went wrong on the way, in the order of the words that are printed."""

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
    """Switch a board on, open it, and close it in the end. Raises ``BoardError``."""
    await asyncio.sleep(0.5)
    bench = TimingBench(wiring, make_probe(wiring, seed, heard), late_s)
    for channel in wiring.channels:
        if isinstance(channel, Input):
            bench.probe.drive(channel.pin, int(channel.inverted))
    try:
        async with bench.client.opened(wiring):
            yield bench
    finally:
        bench.probe.power_off()
