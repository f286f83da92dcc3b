"""A simulated board at a pseudo-terminal, with a world and a quick animal, which outlives the program that opens it."""

import asyncio
import os
from pathlib import Path

from rig.core.clock import running
from rig.core.model.rig_spec import RigSpec
from sim_hardware.board.board import SimBoard
from sim_hardware.world.body import Body, light
from sim_hardware.world.world import World

POKE_S = 0.012


class Chip:
    """The board: ``port`` is where it is opened, ``openings`` are the times at which a valve was opened."""

    def __init__(self, plan: RigSpec, seed: int) -> None:
        import tty  # here: Windows has none, and imports this file

        self._master, self._end = os.openpty()
        tty.setraw(self._end)
        os.set_blocking(self._master, False)
        self.port = Path(os.ttyname(self._end))
        clock = running()
        self.world = World(plan, self._now_us, drive=self._drive)
        self.world.trace = []
        self.board = SimBoard(clock, self._to_host, self.world.on_output)
        self.body = Body(self.world, clock, seed)
        self.world.clear()
        loop = asyncio.get_running_loop()
        loop.add_reader(self._master, self._from_host)
        self._living = loop.create_task(self._live(), name="animal")

    async def close(self) -> None:
        self._living.cancel()
        await asyncio.gather(self._living, return_exceptions=True)
        self.board.reset()
        asyncio.get_running_loop().remove_reader(self._master)
        os.close(self._master)
        os.close(self._end)

    def _drive(self, pin: int, level: int) -> None:
        self.board.chip.inputs.drive(pin, level)

    def _now_us(self) -> int:
        ticks = self.board.ticks
        return (ticks.now() - self.board.opened_at) * ticks.tick_ns // 1000

    def _from_host(self) -> None:
        self.board.receive(os.read(self._master, 4096))

    def _to_host(self, data: bytes) -> None:
        try:
            os.write(self._master, data)
        except BlockingIOError:  # no reader, and no room for more
            return

    async def _live(self) -> None:
        draw = self.body.random
        while True:
            await self.body.wait_for(light("center").on)
            await self._poke("center")
            await self.body.wait(0.006 * draw.random())
            await self._poke(draw.choice(["left", "right"]))

    async def _poke(self, place: str) -> None:
        self.body.enter(place)
        await self.body.wait(POKE_S)
        self.body.leave(place)

    @property
    def openings(self) -> list[tuple[str, int]]:
        """Every opening of a valve: where, and when."""
        return [(name, t_us) for t_us, name, value in self.world.trace or [] if name.endswith(".valve") and value]

    @property
    def on(self) -> list[str]:
        """What is on now."""
        last = {name: value for _, name, value in self.world.trace or [] if not name.endswith(".beam")}
        return sorted(name for name, value in last.items() if value)
