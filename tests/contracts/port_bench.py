"""The bench of a board at a port of this computer: no leads, real time, and what can be promised without them."""

import asyncio
from typing import Any

import pytest

from rig.boards.serial.driver import SerialDriver
from rig.core.model.board import Wiring
from rig.core.model.rig_spec import BoardSpec, RigSpec, SimulationOptions
from tests.contracts.bench import WIRING, ContractBench, Leash, Story


class PortBench(ContractBench):
    """What needs leads on its pins is skipped; nothing dangerous should be wired to it."""

    resolution_us = 8
    reflex_us = 100
    punctual_us = 20
    order_us = 150

    def __init__(self, port: str) -> None:
        self._port = port

    def run(self, story: Story, **conditions: Any) -> Any:
        with asyncio.Runner(loop_factory=lambda: SerialDriver().loop(None)) as runner:
            return runner.run(self._run(story, **conditions))

    async def _run(self, story: Story, wiring: Wiring = WIRING, uid: str | None = None, **conditions: Any) -> Any:
        if conditions:
            self.needs(*conditions)
        self._wiring = wiring
        self._nonce = 0
        await self.connect(uid)
        try:
            told = await story(self)
            await self.close()
        except BaseException:
            self.board.abort()
            raise
        return told

    async def connect(self, uid: str | None = None) -> None:
        """Open the port, which resets the board."""
        plan = RigSpec("bench", BoardSpec("bench", "serial", port=self._port), self._wiring)
        leash = Leash(SerialDriver().connect(plan, SimulationOptions()).transport)
        await self.open_board(leash, self._wiring, uid)

    def now_us(self) -> int:
        return self.board.estimate_us()[0]

    def at(self, t_us: int, name: str, level: int) -> None:
        pytest.skip("there are no leads on this board's inputs")

    async def until(self, t_us: int) -> None:
        await asyncio.sleep(max(0.0, (t_us - self.now_us()) / 1e6))

    def pins(self) -> list[tuple[int, str, int]]:
        pytest.skip("there are no leads on this board's outputs")
