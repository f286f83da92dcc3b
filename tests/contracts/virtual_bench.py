"""Benches in virtual time: a board behind a cable in memory, and leads on its pins."""

import asyncio
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from rig.core.clock import running
from rig.core.model.board import Input, Wiring
from sim_hardware import loop as virtual
from sim_hardware.avr.chip import HZ, ResetCause
from sim_hardware.avr.firmware import firmware, firmware_image
from sim_hardware.avr.pin_probe import AvrProbe
from sim_hardware.avr.seam import MakeChip, firmware_on_simavr
from sim_hardware.avr8js.chip import Avr8jsChip
from sim_hardware.avr8js.firmware_chip import firmware_on_avr8js
from sim_hardware.board.pin_probe import SimProbe, VirtualProbe
from sim_hardware.board.ticks import Ticks
from sim_hardware.link_model import LinkFaults
from sim_hardware.rp2040.firmware_chip import firmware_on_rp2040js, firmware_on_usb
from tests.avr_tools import need_avr8js, need_avr_tools, need_pico_tools
from tests.contracts.bench import WIRING, ContractBench, Leash, Story
from tests.contracts.wrap import LAP_S, Advance

_ON_A_MEGA = {4: 18, 5: 19, 6: 20}
"""Pins that are no inputs there, because no interrupt watches them."""


class VirtualBench(ContractBench):
    """All but the board itself."""

    can = frozenset({"bad cable", "reset", "unplug", "reconnect", "block_input", "panic"})

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
        self._inputs = {channel.name: channel for _, channel in wiring.wired if isinstance(channel, Input)}
        self._sources = {source.name: source for source in wiring.sources}
        await asyncio.sleep(1.0)
        self.probe = self.wire_up(wiring, LinkFaults(**faults))
        self.cable = self.probe.cable
        for name in self._inputs:
            self.drive_input(name, (before or {}).get(name, 0))
        if wiring.panic is not None:
            self.press_panic((before or {}).get("panic", 0))
        self._nonce = 0
        await self.connect(uid)
        told = await story(self)
        await self.close()
        await asyncio.sleep(0.1)
        assert not self.on(), "something is on after the end"
        return told

    async def connect(self, uid: str | None = None) -> None:
        """Begin a session, after the first one as another host would."""
        await self.open_board(Leash(self.probe.connect()), self._wiring, uid)

    # --- what a kind of board has to offer ------------------------------------------------------------------

    @abstractmethod
    def wire_up(self, wiring: Wiring, faults: LinkFaults) -> VirtualProbe:
        """Switch the board on, with leads on its pins and a cable."""

    def fitted(self, wiring: Wiring) -> Wiring:
        """Wire the same channels to pins that can do it."""
        return wiring

    @abstractmethod
    async def reset(self, reason: str) -> None:
        """Have the board reset, and wait until it has."""

    # --- leads ----------------------------------------------------------------------------------------------

    def drive_input(self, name: str, level: int) -> None:
        """Put an input on or off."""
        channel = self._inputs[name]
        self.probe.drive(channel.pin, level ^ channel.inverted)

    def press_panic(self, level: int) -> None:
        """Press or release the panic button."""
        panic = self._wiring.panic
        assert panic is not None
        self.probe.drive(panic.pin, level ^ panic.inverted)

    def panic_at(self, t_us: int, level: int) -> None:
        """Press or release the panic button at a time to come."""
        self.probe.call_at(t_us, self.press_panic, level)

    def at(self, t_us: int, name: str, level: int) -> None:
        self.probe.call_at(t_us, self.drive_input, name, level)

    def now_us(self) -> int:
        return int(self.probe.now_us())

    def set_value(self, t_us: int, source: str, value: int) -> None:
        self.probe.call_at(t_us, self.probe.set_value, self._sources[source], value)

    async def until(self, t_us: int) -> None:
        passed = asyncio.get_running_loop().create_future()
        self.probe.call_at(t_us, passed.set_result, None)
        await passed

    def pins(self) -> list[tuple[int, str, int]]:
        return [(int(change.t_us), self._names[change.pin], change.value) for change in self.probe.transitions]

    def unplug(self) -> None:
        self.cable.disconnect()

    def block_input(self, deaf: bool) -> None:
        """Keep the host from reading; what has arrived meanwhile is read when it listens again."""
        (self.cable.to_host.hold if deaf else self.cable.to_host.release)()


class SimBench(VirtualBench):
    """The board in Python."""

    reflex_us = 0

    def __init__(self, tick_ns: int = 1000, start: int = 0, ppm: float = 0.0) -> None:
        self.resolution_us = max(1, tick_ns // 1000)
        self.punctual_us = 2 * self.resolution_us
        self._ticks = {"tick_ns": tick_ns, "start": start, "ppm": ppm}

    def wire_up(self, wiring: Wiring, faults: LinkFaults) -> SimProbe:
        probe = SimProbe(faults, Ticks(running(), **self._ticks))  # type: ignore[arg-type]
        self.device = probe.board
        return probe

    async def reset(self, reason: str) -> None:
        self.device.reset(reason)


class AvrBench(VirtualBench):
    """The firmware on a simulated chip; ``laps`` is how many laps of its timer before its clock wraps it is opened."""

    resolution_us = 8
    reflex_us = 300
    punctual_us = 50
    start_us = 500
    entry_us = 400
    order_us = 100
    fade_us = 508
    has_port_flags = True
    connecting_resets = True
    tone_error = 0.007
    need_tools = staticmethod(need_avr_tools)
    make_chip: MakeChip = staticmethod(firmware_on_simavr)

    def __init__(self, kind: str = "uno", ppm: float = 0.0, laps: int | None = None) -> None:
        self._kind = kind
        self._ppm = ppm
        self._laps = laps

    def wire_up(self, wiring: Wiring, faults: LinkFaults) -> AvrProbe:
        self.need_tools()
        heard, make_chip = frozenset({"speaker"}), self.make_chip
        probe = AvrProbe(self._kind, wiring.channels, heard=heard, faults=faults, ppm=self._ppm, make_chip=make_chip)
        self.device = probe.board
        if self._laps is not None:
            self._advance = Advance(probe.board.chip, firmware(self._kind), self._laps)
            probe.cable.to_board.deliver = self._advance.before(self.device.receive)
        return probe

    @property
    def wraps_at_us(self) -> int:
        """Tell when the clock wraps."""
        return self.device.us_of(self._advance.wraps_at)

    def fitted(self, wiring: Wiring) -> Wiring:
        if self._kind == "uno":
            return wiring
        channels = (replace(channel, pin=_ON_A_MEGA.get(channel.pin, channel.pin)) for channel in wiring.channels)
        panic = wiring.panic and replace(wiring.panic, pin=_ON_A_MEGA.get(wiring.panic.pin, wiring.panic.pin))
        return replace(wiring, channels=tuple(channels), panic=panic)

    async def reset(self, reason: str) -> None:
        if reason == "WATCHDOG":
            self.device.hang(interrupts=True)
            await asyncio.sleep(0.3)
        else:
            self.device.reset(ResetCause[reason])
            await asyncio.sleep(0.01)


class Avr8jsBench(AvrBench):
    """The firmware on the second simulator's chip."""

    need_tools = staticmethod(need_avr8js)
    make_chip = staticmethod(firmware_on_avr8js())


WRAP_US = 1 << 31
"""A Pico's timer counts microseconds: here they fill 32 bits as half microseconds, its firmware's ticks."""


class PicoBench(AvrBench):
    """The firmware on a simulated RP2040. It is switched on ``laps`` laps of 32.8 ms before its clock wraps."""

    resolution_us = 2
    reflex_us = 15
    punctual_us = 5
    start_us = 30
    entry_us = 20
    order_us = 20
    fade_us = 508
    has_port_flags = False
    connecting_resets = False
    # After a low voltage it reports the same reason as after a loss of power.
    told_resets: Mapping[str, str] = MappingProxyType({**AvrBench.told_resets, "BROWN_OUT": "power"})
    tone_error = 0.001
    need_tools = staticmethod(need_pico_tools)
    make_chip: MakeChip = staticmethod(firmware_on_rp2040js)

    def __init__(self, ppm: float = 0.0, laps: int | None = None) -> None:
        super().__init__("pico", ppm)
        if laps is not None:
            age_us = WRAP_US - round(laps * LAP_S * 1e6)
            self._wraps_at = (WRAP_US - age_us) * HZ // 1_000_000
            image = firmware_image("pico-uart")
            self.make_chip = lambda kind, baud, seed: Avr8jsChip(kind, [image], baud=baud, seed=seed, age_us=age_us)

    @property
    def wraps_at_us(self) -> int:
        return self.device.us_of(self._wraps_at)

    def fitted(self, wiring: Wiring) -> Wiring:
        return wiring


class PicoUsbBench(PicoBench):
    """The same firmware with USB as its port, on a computer that opens the port."""

    make_chip = staticmethod(firmware_on_usb)
