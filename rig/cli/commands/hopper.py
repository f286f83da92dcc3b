"""``rig hopper``: time the cycles of a hopper, and record its grain."""

from __future__ import annotations

import argparse
import asyncio
import sys

from rig.boards.client import BoardClient
from rig.boards.registry import Connection
from rig.cli import common
from rig.cli.maintenance.on_board import run_on_board
from rig.cli.maintenance.valves import confirm_no_animal, plan_of
from rig.config import find
from rig.config.errors.formatting import unknown_name
from rig.core.errors import ConfigError, TaskError
from rig.core.model.board import Board
from rig.devices.hopper import Hopper
from rig.maintenance.run_output import run_output
from rig.records.stock.stock import MOST_G, REFILL_G, StockFile
from rig.session.spec.compatibility import check_rig
from rig.session.spec.rig_file import Rig, read_rig
from rig.system.statuses import NO_HARDWARE, OK, STOPPED

MOST_CYCLES = 100
DOWN_S = 1.0
"""Between two cycles: the hopper comes to rest."""
TOLERANCE_US = 1_000


def run(arguments: argparse.Namespace) -> int:
    """Run the requested sub-command."""
    rig = read_rig(find("rigs", arguments.rig))
    hoppers = {name: device for name, device in rig.devices.items() if isinstance(device, Hopper)}
    if arguments.device not in hoppers:
        raise ConfigError(
            unknown_name(f"{rig.name} has no hopper {arguments.device!r}", arguments.device, list(hoppers))
        )
    return _fill(arguments, rig) if arguments.what == "fill" else _test(arguments, rig, hoppers[arguments.device])


def _test(arguments: argparse.Namespace, rig: Rig, hopper: Hopper) -> int:
    if not 1 <= arguments.cycles <= MOST_CYCLES:
        raise ConfigError(f"--cycles {arguments.cycles}: wanted 1 to {MOST_CYCLES}")
    try:
        action = hopper.food(arguments.up_s)
    except TaskError as error:
        raise ConfigError(f"--up-s {arguments.up_s:g}: {error}") from None
    if mistakes := list(check_rig(rig, arguments.board)):
        raise ConfigError(*mistakes)
    plan, driver = plan_of(rig, arguments.board)
    confirm_no_animal(driver, yes=arguments.yes, what=f"{hopper.name} rises {arguments.cycles} times")

    async def work(client: BoardClient[Board], connection: Connection) -> list[int]:
        lasted_us = []
        for number in range(1, arguments.cycles + 1):
            lasted_us.append(await run_output(client, action))
            print(f"{hopper.name}: cycle {number}: up for {lasted_us[-1] / 1e6:.4f} s")
            await asyncio.sleep(DOWN_S)
        return lasted_us

    lasted_us = run_on_board(plan, work, on_key=lambda: None)
    if lasted_us is None:
        print(f"{hopper.name}: stopped: everything is off")
        return STOPPED
    worst_us = max(abs(each - action.duration_us) for each in lasted_us)
    print(f"{hopper.name}: {len(lasted_us)} cycles of {arguments.up_s:g} s, the largest error {worst_us / 1000:.3f} ms")
    return OK if worst_us <= TOLERANCE_US else NO_HARDWARE


def _fill(arguments: argparse.Namespace, rig: Rig) -> int:
    if not 0 <= arguments.grain_g <= MOST_G:
        raise ConfigError(f"--grain-g {arguments.grain_g:g}: wanted 0 to {MOST_G:g} g")
    file = StockFile(common.data_folder(arguments))
    file.fill(
        rig.name, arguments.device, {"grain_g": arguments.grain_g}, common.experimenter(arguments.by), common.now()
    )
    print(f"{arguments.device} of {rig.name} holds {arguments.grain_g:g} g of grain: recorded in {file.path}")
    if arguments.grain_g < REFILL_G:
        print(f"a session needs {REFILL_G:g} g or more: refill it before", file=sys.stderr)
    return OK
