"""Give pellets one by one and count those that the sensor sees."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from rig.boards.client import BoardClient
from rig.core.model.actions import Pulse
from rig.core.model.board import Board
from rig.devices.feeder import Feeder
from rig.maintenance.run_output import run_output

AnyBoard = TypeVar("AnyBoard", bound=Board)


@dataclass(frozen=True)
class PelletCount:
    """How many pulses were given and how many pellets the sensor saw; ``missing`` are pulses, counted from 1."""

    pulses: int
    seen: int | None
    missing: tuple[int, ...] = ()


async def count_pellets(
    client: BoardClient[AnyBoard], feeder: Feeder, pulses: int, report: Callable[[int, bool], None]
) -> PelletCount:
    """Return the count; without a sensor ``seen`` is None. Raises ``BoardError``.

    ``report`` is called after each pulse, with its number and whether its pellet was seen. A second pellet of one pulse
    counts too.
    """
    action = feeder.reward().action
    pattern = feeder.dropped
    missing, before_all = [], len(client.edges)
    for number in range(1, pulses + 1):
        since = len(client.edges)
        await run_output(client, action)
        if pattern is None:
            await asyncio.sleep(feeder.gap_s)
            report(number, True)
            continue
        seen = pattern.channel in await client.edge(pattern.channel, (1,), feeder.drop_s, since)
        if not seen:
            missing.append(number)
        report(number, seen)
        if seen and isinstance(action, Pulse):
            await asyncio.sleep(max(0.0, feeder.gap_s - action.us / 1e6))
    if pattern is None:
        return PelletCount(pulses, None)
    seen_all = sum(1 for edge in client.edges[before_all:] if edge.channel == pattern.channel and edge.level == 1)
    return PelletCount(pulses, seen_all, tuple(missing))
