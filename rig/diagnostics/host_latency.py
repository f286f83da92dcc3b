"""Measures a board from the host: how long an order takes to be acknowledged, how long a question to be answered."""

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
"""Between two questions a random while of one to two such times: the board's loop is met in every phase."""


@dataclass(frozen=True)
class LatencyMeasurement:
    """What was found: the board, its latencies, how much faster than the host's its clock ran, and its counters."""

    opened: BoardInfo
    latencies: tuple[Latencies, ...]
    rate_ppm: int | None
    counters: dict[str, int]


async def measure(make: Callable[[Inbox], Board], clock: Clock, n: int, seed: int = 1) -> LatencyMeasurement:
    """Open a board to which nothing is wired, measure, and close it. Raises ``BoardError``."""
    client = BoardClient(make)
    chance = random.Random(seed)

    async def order() -> None:
        await client.acknowledged(client.send(NOTHING))

    async def timed(ask: Callable[[], Awaitable[None]]) -> tuple[float, float]:
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
