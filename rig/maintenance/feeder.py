"""``rig device test``: give pellets one by one, and count those that the feeder's sensor sees."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from rig.boards.client import BoardClient
from rig.boards.driver_lookup import Connection
from rig.core.errors import ConfigError
from rig.core.model.actions import Pulse
from rig.core.model.board import Board
from rig.devices.feeder import Feeder
from rig.maintenance.bench import Bench
from rig.maintenance.run_output import run_output
from rig.records.stock.stock import StockFile
from rig.system.statuses import NO_HARDWARE, OK, STOPPED

MOST_TESTED = 500

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


def give_test_pellets(bench: Bench, arguments: argparse.Namespace) -> int:
    """Run the feeder pellet by pellet, print what the sensor saw, and take them from the stock of a real feeder."""
    feeder, pellets = bench.device_as(Feeder), arguments.pellets
    if not 1 <= pellets <= MOST_TESTED:
        raise ConfigError(f"--pellets {pellets}: wanted 1 to {MOST_TESTED}")
    bench.confirm_empty(f"{feeder.name} gives {pellets} pellets")
    given, is_open = 0, False

    def report(number: int, seen: bool) -> None:
        nonlocal given
        given = number
        if not seen:
            bench.tell(f"{feeder.name}: pulse {number}: no pellet was seen in {feeder.drop_s:g} s")

    async def work(client: BoardClient[Board], connection: Connection) -> PelletCount:
        nonlocal is_open
        is_open = True
        return await count_pellets(client, feeder, pellets, report)

    # All of them before the first one: a test that is killed leaves the stock too low, never too high.
    _took(bench, pellets)
    try:
        count = bench.run_on_board(work, on_key=lambda: None)
    finally:
        unconfirmed = int(is_open and given < pellets)
        _took(bench, given + unconfirmed - pellets)
    if count is None:
        bench.print(f"{feeder.name}: stopped after {given} pulses: everything is off")
        return STOPPED
    return _judge(bench, count)


def _took(bench: Bench, pellets: int) -> None:
    if bench.driver.records == "real" and pellets:
        StockFile(bench.data).took(bench.rig.name, bench.device.name, pellets, "rig device test", bench.now())


def _judge(bench: Bench, count: PelletCount) -> int:
    feeder = bench.device
    if count.seen is None:
        bench.print(f"{feeder.name}: {count.pulses} pulses; it has no sensor: count the pellets in the dish")
        return OK
    bench.print(f"{feeder.name}: {count.pulses} pulses gave {count.seen} pellets")
    if count.seen == count.pulses and not count.missing:
        counted = f"date: {bench.now().date()}, pulses: {count.pulses}, pellets: {count.seen}"
        bench.print(f"for the rig file: measured: {{{counted}}}")
        return OK
    few = "look for a jam, fill it, and clean the sensor"
    bench.tell(f"one pulse is to give one pellet: {few if count.missing else 'shorten pulse_ms'}")
    return NO_HARDWARE
