"""Benches in virtual time: a board behind a cable in memory, and leads on its pins."""

import asyncio
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from rig.core.board import Input, Wiring
from rig.core.clock import Clock, running
from rig.hardware.serial_board import SerialBoard
from rig.hardware.transport import Transport
from sim_hardware import loop as virtual
from sim_hardware.avr.board import AvrBoard
from sim_hardware.avr.chip import Cause, Chip
from sim_hardware.avr.driver import ResettingTransport
from sim_hardware.avr.firmware import firmware
from sim_hardware.avr.lockstep import Background
from sim_hardware.board import SimBoard
from sim_hardware.chip.ticks import Ticks
from sim_hardware.wire import Cable, CableTransport, Faults
from tests.avr_tools import need_avr_tools
from tests.contracts.bench import WIRING, Bench, Leash, Story
from tests.contracts.wrap import Advance

_ON_A_MEGA = {4: 18, 5: 19}
"""Pins that are no inputs there, because no interrupt watches them."""


class VirtualBench(Bench):
    """All but the board itself."""

    can = frozenset({"bad cable", "reset", "unplug", "reconnect", "deafen"})

    def run(self, story: Story, **conditions: Any) -> Any:
        return virtual.run(self._run(story, **conditions), t_max=600.0)

    async def _run(
        self,
        story: Story,
        wiring: Wiring = WIRING,
        uid: str | None = None,
        before: Mapping[str, int] | None = None,
        **faults: Any,
    ) -> Any:
        self._wiring = wiring = self.fitted(wiring)
        self._names = {channel.pin: channel.name for channel in wiring.channels}
        self._inputs = {channel.name: channel for channel in wiring.channels if isinstance(channel, Input)}
        self._trace: list[tuple[int, str, int]] = []
        await asyncio.sleep(1.0)
        self.cable = Cable(self.cable_clock(), Faults(**faults))
        self.switch_on(wiring)
        for name in self._inputs:
            self.lead(name, (before or {}).get(name, 0))
        self._nonce = 0
        await self.connect(uid)
        told = await story(self)
        self.leash.mute = False
        self.health = await self.board.close()
        await asyncio.sleep(0.1)
        assert not self.on(), "something is on after the end"
        return told

    async def connect(self, uid: str | None = None) -> None:
        """Begin a session, after the first one as another host would."""
        self._nonce += 1
        self.make_inbox()
        self.leash = Leash(self.plug())
        self.board = SerialBoard(self.leash, running(), self.inbox, uid, self._nonce)
        try:
            self.opened = await self.board.open(self._wiring)
        except BaseException:
            self.board.abort()
            raise

    # --- what a kind of board has to offer ------------------------------------------------------------------

    def cable_clock(self) -> Clock:
        """Give the clock of the cable."""
        return running()

    @abstractmethod
    def switch_on(self, wiring: Wiring) -> None:
        """Make the board, at the end of the cable."""

    def fitted(self, wiring: Wiring) -> Wiring:
        """Wire the same channels to pins that can do it."""
        return wiring

    def plug(self) -> Transport:
        """Open the port."""
        return CableTransport(self.cable)

    @abstractmethod
    def put(self, pin: int, level: int) -> None:
        """Put a level on a pin."""

    @abstractmethod
    def call_at(self, t_us: int, callback: Callable[..., object], *args: Any) -> None:
        """Have something done at a time of the session."""

    @abstractmethod
    async def reset(self, reason: str) -> None:
        """Have the board reset, and wait until it has."""

    # --- leads ----------------------------------------------------------------------------------------------

    def lead(self, name: str, level: int) -> None:
        """Put an input on or off."""
        channel = self._inputs[name]
        self.put(channel.pin, level ^ channel.inverted)

    def at(self, t_us: int, name: str, level: int) -> None:
        self.call_at(t_us, self.lead, name, level)

    async def until(self, t_us: int) -> None:
        passed = asyncio.get_running_loop().create_future()
        self.call_at(t_us, passed.set_result, None)
        await passed

    def pins(self) -> list[tuple[int, str, int]]:
        return self._trace

    def unplug(self) -> None:
        self.cable.unplug()

    def deafen(self, deaf: bool) -> None:
        """Keep the host from reading; what has arrived meanwhile is read when it listens again."""
        (self.cable.to_host.hold if deaf else self.cable.to_host.release)()


class SimBench(VirtualBench):
    """The board in Python."""

    reflex_us = 0

    def __init__(self, tick_ns: int = 1000, start: int = 0, ppm: float = 0.0) -> None:
        self.resolution_us = max(1, tick_ns // 1000)
        self.punctual_us = 2 * self.resolution_us
        self._ticks = {"tick_ns": tick_ns, "start": start, "ppm": ppm}

    def switch_on(self, wiring: Wiring) -> None:
        ticks = Ticks(running(), **self._ticks)  # type: ignore[arg-type]
        self.device = SimBoard(running(), self.cable.to_host.send, self._drive, ticks=ticks)
        self.cable.to_board.deliver = self.device.receive

    def _drive(self, pin: int, value: int) -> None:
        self._trace.append((self.now_us(), self._names[pin], value))

    def put(self, pin: int, level: int) -> None:
        self.device.chip.inputs.drive(pin, level)

    def now_us(self) -> int:
        ticks = self.device.ticks
        return (ticks.now() - self.device.opened_at) * ticks.tick_ns // 1000

    def call_at(self, t_us: int, callback: Callable[..., object], *args: Any) -> None:
        ticks = self.device.ticks
        ticks.at(self.device.opened_at + t_us * 1000 // ticks.tick_ns, callback, *args)

    async def reset(self, reason: str) -> None:
        self.device.reset(reason)


class AvrBench(VirtualBench):
    """The firmware on a simulated chip; ``laps`` is how many laps of its timer before its clock wraps it is opened."""

    resolution_us = 8
    reflex_us = 100
    punctual_us = 20
    order_us = 50
    fade_us = 500
    tone_error = 0.007

    def __init__(self, kind: str = "uno", ppm: float = 0.0, laps: int | None = None) -> None:
        self._kind = kind
        self._ppm = ppm
        self._laps = laps

    def cable_clock(self) -> Clock:
        return Background(running())

    def switch_on(self, wiring: Wiring) -> None:
        need_avr_tools()
        elf = firmware(self._kind)
        chip = Chip(self._kind, elf)
        speakers = frozenset({"speaker"})
        self.device = AvrBoard(
            chip, wiring.channels, self.cable.to_host.send, self._drive, speakers=speakers, ppm=self._ppm
        )
        self.cable.to_board.deliver = self.device.receive
        if self._laps is not None:
            self._advance = Advance(chip, elf, self._laps)
            self.cable.to_board.deliver = self._advance.before(self.device.receive)

    @property
    def wraps_at_us(self) -> int:
        """Tell when the clock wraps."""
        return self.device.us_of(self._advance.wraps_at)

    def fitted(self, wiring: Wiring) -> Wiring:
        if self._kind == "uno":
            return wiring
        channels = (replace(channel, pin=_ON_A_MEGA.get(channel.pin, channel.pin)) for channel in wiring.channels)
        return replace(wiring, channels=tuple(channels))

    def plug(self) -> Transport:
        return ResettingTransport(self.cable, self.device.reset)

    def _drive(self, pin: int, value: int) -> None:
        self._trace.append((self.device.us_of(self.device.driven_at), self._names[pin], value))

    def put(self, pin: int, level: int) -> None:
        self.device.put(pin, level)

    def now_us(self) -> int:
        return self.device.now_us()

    def call_at(self, t_us: int, callback: Callable[..., object], *args: Any) -> None:
        asyncio.get_running_loop().call_at(self.device.time_of_us(t_us), callback, *args)

    async def reset(self, reason: str) -> None:
        if reason == "WATCHDOG":
            self.device.hang(interrupts=True)
            await asyncio.sleep(0.3)
        else:
            self.device.reset(Cause[reason])
            await asyncio.sleep(0.01)
