"""``rig valve flush`` and ``rig valve prime``: let water through valves, for a bounded time."""

from __future__ import annotations

import argparse
import sys

from rig.boards.client import BoardClient
from rig.boards.registry import Connection
from rig.cli.maintenance.on_board import run_on_board
from rig.cli.maintenance.valves import ValveTarget, confirm_no_animal, plan_of, valves_of
from rig.core.errors import ConfigError
from rig.core.model.actions import Train
from rig.core.model.board import Board
from rig.maintenance.run_output import run_output
from rig.session.build.uncalibrated_rig import load_uncalibrated_rig
from rig.system.statuses import OK, STOPPED

LONGEST_S = 300.0
OPEN_US, GAP_US = 450_000, 50_000
"""100 openings of 450 to 500 ms rinse a valve (Beron et al. 2022, code)."""


def run(arguments: argparse.Namespace) -> int:
    """Open the valves one after the other until the time is over or a key is pressed."""
    if not 0 < arguments.seconds <= LONGEST_S:
        raise ConfigError(f"--seconds {arguments.seconds:g}: wanted more than 0, at most {LONGEST_S:g}")
    rig = load_uncalibrated_rig(arguments.rig, arguments.board)
    plan, driver = plan_of(rig, arguments.board)
    valves = valves_of(rig, arguments.device)
    confirm_no_animal(driver, yes=arguments.yes, what="water runs through the valves: put a vial under each")
    for valve in valves:
        train = train_for(valve, arguments.seconds)
        print(f"{valve.device}: water for at most {arguments.seconds:g} s; any key or Ctrl-C stops it", file=sys.stderr)

        async def let_through(client: BoardClient[Board], connection: Connection, train: Train = train) -> int:
            return await run_output(client, train)

        lasted_us = run_on_board(plan, let_through, any_key_stops=True)
        if lasted_us is None:
            print(f"{valve.device}: stopped: everything is off")
            return OK if arguments.what == "prime" else STOPPED
        print(f"{valve.device}: opened {train.count} times for {train.on_us / 1000:g} ms, in {lasted_us / 1e6:.0f} s")
    return OK


def train_for(valve: ValveTarget, seconds: float) -> Train:
    """Return the openings that fill a time; none is longer than the rig file allows."""
    open_us = min(OPEN_US, valve.max_open_us)
    period_us = open_us + GAP_US
    return Train(valve.output, open_us, period_us, max(1, round(seconds * 1e6) // period_us))
