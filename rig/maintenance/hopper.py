"""``rig device cycles``: raise a hopper some times, and time each cycle."""

from __future__ import annotations

import argparse
import asyncio

from rig.boards.client import BoardClient
from rig.boards.driver_lookup import Connection
from rig.core.errors import ConfigError, TaskError
from rig.core.model.board import Board
from rig.devices.hopper import Hopper
from rig.maintenance.bench import Bench
from rig.maintenance.run_output import run_output
from rig.system.statuses import NO_HARDWARE, OK, STOPPED

MOST_CYCLES = 100
DOWN_S = 1.0
"""Between two cycles: the hopper comes to rest."""
TOLERANCE_US = 1_000


def time_cycles(bench: Bench, arguments: argparse.Namespace) -> int:
    """Run the cycles of a hopper, and print how long each lasted by the board's clock."""
    hopper, cycles, up_s = bench.device_as(Hopper), arguments.cycles, arguments.up_s
    if not 1 <= cycles <= MOST_CYCLES:
        raise ConfigError(f"--cycles {cycles}: wanted 1 to {MOST_CYCLES}")
    try:
        action = hopper.food(up_s)
    except TaskError as error:
        raise ConfigError(f"--up-s {up_s:g}: {error}") from None
    bench.confirm_empty(f"{hopper.name} rises {cycles} times")

    async def work(client: BoardClient[Board], connection: Connection) -> list[int]:
        lasted_us = []
        for number in range(1, cycles + 1):
            lasted_us.append(await run_output(client, action))
            bench.print(f"{hopper.name}: cycle {number}: up for {lasted_us[-1] / 1e6:.4f} s")
            await asyncio.sleep(DOWN_S)
        return lasted_us

    lasted_us = bench.run_on_board(work, on_key=lambda: None)
    if lasted_us is None:
        bench.print(f"{hopper.name}: stopped: everything is off")
        return STOPPED
    worst_us = max(abs(up_us - action.duration_us) for up_us in lasted_us)
    bench.print(f"{hopper.name}: {len(lasted_us)} cycles of {up_s:g} s, the largest error {worst_us / 1000:.3f} ms")
    return OK if worst_us <= TOLERANCE_US else NO_HARDWARE
