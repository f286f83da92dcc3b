"""Measure a board from the host: order to acknowledgement, and time query to answer."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from rig.boards.client import BoardClient
from rig.core.clock import Clock
from rig.core.engine.inbox import Inbox
from rig.core.model.actions import NOTHING
from rig.core.model.board import Board, BoardInfo, Wiring
from rig.diagnostics.latencies import Latencies, latencies

REST_S = 0.002
"""The unit of the random pause (1 to 2 units) between measurements, to hit every phase of the board's loop."""


@dataclass(frozen=True)
class LatencyMeasurement:
    """The result: the board, its latencies, its clock rate minus the host's, and its counters."""

    opened: BoardInfo
    latencies: tuple[Latencies, ...]
    rate_ppm: int | None
    counters: dict[str, int]


async def measure(make: Callable[[Inbox], Board], clock: Clock, n: int, seed: int = 1) -> LatencyMeasurement:
    """Return the latencies of a board; no wiring is needed. Raises ``BoardError``."""
    client = BoardClient(make)
    chance = random.Random(seed)

    async def order() -> None:
        # An empty order changes no output, whatever is wired to the board.
        await client.acknowledged(client.send(NOTHING))

    async def timed(ask: Callable[[], Awaitable[object]]) -> tuple[float, float]:
        await asyncio.sleep(REST_S * (1 + chance.random()))
        begun_s = clock.time()
        await ask()
        return begun_s * 1e6, clock.time() * 1e6

    async with client.opened(Wiring(())) as opened:
        found = (
            latencies("order to acknowledgement", [await timed(order) for _ in range(n)]),
            latencies("question to answer", [await timed(client.board_time) for _ in range(n)]),
        )
    counters = dict(client.health.counters if client.health is not None else {})
    return LatencyMeasurement(opened, found, counters.pop("rate_ppm", None), counters)
