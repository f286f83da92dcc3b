"""``rig device flush`` and ``rig device prime``: let water through valves, for a bounded time."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from enum import Enum

from rig.boards.client import BoardClient
from rig.boards.driver_lookup import Connection
from rig.core.errors import ConfigError
from rig.core.model.actions import Train
from rig.core.model.board import Board
from rig.maintenance.bench import Bench
from rig.maintenance.run_output import run_output
from rig.maintenance.valves.target import ValveTarget, valves_of
from rig.system.statuses import OK, STOPPED

LONGEST_S = 300.0
OPEN_US, GAP_US = 450_000, 50_000
"""100 openings of 450 to 500 ms rinse a valve (Beron et al. 2022, code)."""


def flush(benches: Sequence[Bench], arguments: argparse.Namespace) -> int:
    """Run water through the valves; a key ends all."""
    return _open_all(benches, arguments.seconds, key_goes_on=False)


def prime(benches: Sequence[Bench], arguments: argparse.Namespace) -> int:
    """Run water into the tubes of the valves; a key goes on to the next one."""
    return _open_all(benches, arguments.seconds, key_goes_on=True)


def _open_all(benches: Sequence[Bench], seconds: float, *, key_goes_on: bool) -> int:
    """Open the valves of one rig after the other until the time is over; a key ends all, or goes on to the next."""
    if not 0 < seconds <= LONGEST_S:
        raise ConfigError(f"--seconds {seconds:g}: wanted more than 0, at most {LONGEST_S:g}")
    for bench in benches:
        bench.confirm_empty("water runs through the valves: put a vial under each")
    valves = [(bench, valve) for bench in benches for valve in valves_of(bench.rig, bench.devices)]
    for number, (bench, valve) in enumerate(valves, start=1):
        goes_on = key_goes_on and number < len(valves)
        name = valve.device if len(benches) == 1 else f"{valve.device} of {bench.word}"
        keys = "any key: water is there; Ctrl-C stops all" if goes_on else "any key or Ctrl-C stops it"
        bench.tell(f"{name}: water for at most {seconds:g} s; {keys}")
        ended = _let_through(bench, name, train_for(valve, seconds))
        if ended is _Ended.BY_CTRL_C and goes_on:
            return STOPPED
        if ended is not _Ended.BY_ITSELF and not key_goes_on:
            return STOPPED
    return OK


class _Ended(Enum):
    """How the openings of a valve ended."""

    BY_ITSELF = "by itself"
    BY_KEY = "by a key"
    BY_CTRL_C = "by Ctrl-C"


def _let_through(bench: Bench, name: str, train: Train) -> _Ended:
    is_pressed = False

    async def let_through(client: BoardClient[Board], connection: Connection) -> int:
        return await run_output(client, train)

    def press() -> None:
        nonlocal is_pressed
        is_pressed = True

    lasted_us = bench.run_on_board(let_through, on_key=press)
    if lasted_us is None:
        bench.print(f"{name}: stopped: everything is off")
        return _Ended.BY_KEY if is_pressed else _Ended.BY_CTRL_C
    bench.print(f"{name}: opened {train.count} times for {train.on_us / 1000:g} ms, in {lasted_us / 1e6:.0f} s")
    return _Ended.BY_ITSELF


def train_for(valve: ValveTarget, seconds: float) -> Train:
    """Return the openings that fill a time; none is longer than the rig file allows."""
    open_us = min(OPEN_US, valve.max_open_us)
    period_us = open_us + GAP_US
    return Train(valve.output, open_us, period_us, max(1, round(seconds * 1e6) // period_us))
