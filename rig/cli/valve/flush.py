"""``rig valve flush`` and ``rig valve prime``: let water through valves, for a bounded time."""

from __future__ import annotations

import argparse
import sys
from enum import Enum

from rig.boards.client import BoardClient
from rig.boards.registry import Connection
from rig.cli.maintenance.on_board import run_on_board
from rig.cli.maintenance.valves import ValveTarget, confirm_no_animal
from rig.cli.valve.targets import rig_targets
from rig.core.errors import ConfigError
from rig.core.model.actions import Train
from rig.core.model.board import Board
from rig.core.model.rig_spec import RigSpec
from rig.maintenance.run_output import run_output
from rig.system.statuses import OK, STOPPED

LONGEST_S = 300.0
OPEN_US, GAP_US = 450_000, 50_000
"""100 openings of 450 to 500 ms rinse a valve (Beron et al. 2022, code)."""


def run(arguments: argparse.Namespace) -> int:
    """Open the valves of one rig after the other until the time is over; a key ends one, or with flush all."""
    if not 0 < arguments.seconds <= LONGEST_S:
        raise ConfigError(f"--seconds {arguments.seconds:g}: wanted more than 0, at most {LONGEST_S:g}")
    targets = rig_targets(arguments)
    for target in targets:
        what = "water runs through the valves: put a vial under each"
        named = "the rig" if len(targets) == 1 else target.word
        confirm_no_animal(target.driver, yes=arguments.yes, what=what, rig=named)
    valves = [(target, valve) for target in targets for valve in target.valves]
    for number, (target, valve) in enumerate(valves, start=1):
        goes_on = arguments.what == "prime" and number < len(valves)
        name = valve.device if len(targets) == 1 else f"{valve.device} of {target.word}"
        keys = "any key: water is there; Ctrl-C stops all" if goes_on else "any key or Ctrl-C stops it"
        print(f"{name}: water for at most {arguments.seconds:g} s; {keys}", file=sys.stderr)
        ended = _let_through(target.plan, name, train_for(valve, arguments.seconds))
        if ended is _Ended.BY_CTRL_C and goes_on:
            return STOPPED
        if ended is not _Ended.BY_ITSELF and arguments.what == "flush":
            return STOPPED
    return OK


class _Ended(Enum):
    """How the openings of a valve ended."""

    BY_ITSELF = "by itself"
    BY_KEY = "by a key"
    BY_CTRL_C = "by Ctrl-C"


def _let_through(plan: RigSpec, name: str, train: Train) -> _Ended:
    is_pressed = False

    async def let_through(client: BoardClient[Board], connection: Connection) -> int:
        return await run_output(client, train)

    def press() -> None:
        nonlocal is_pressed
        is_pressed = True

    lasted_us = run_on_board(plan, let_through, on_key=press)
    if lasted_us is None:
        print(f"{name}: stopped: everything is off")
        return _Ended.BY_KEY if is_pressed else _Ended.BY_CTRL_C
    print(f"{name}: opened {train.count} times for {train.on_us / 1000:g} ms, in {lasted_us / 1e6:.0f} s")
    return _Ended.BY_ITSELF


def train_for(valve: ValveTarget, seconds: float) -> Train:
    """Return the openings that fill a time; none is longer than the rig file allows."""
    open_us = min(OPEN_US, valve.max_open_us)
    period_us = open_us + GAP_US
    return Train(valve.output, open_us, period_us, max(1, round(seconds * 1e6) // period_us))
