"""``rig feeder``: test a pellet feeder, and keep its stock."""

from __future__ import annotations

import argparse
import datetime
import sys

from rig.boards.client import BoardClient
from rig.boards.registry import Connection, Driver
from rig.cli import common
from rig.cli.maintenance.on_board import run_on_board
from rig.cli.maintenance.valves import confirm_no_animal, plan_of
from rig.config import find
from rig.config.errors.formatting import unknown_name
from rig.core.errors import ConfigError
from rig.core.model.board import Board
from rig.devices.feeder import Feeder
from rig.maintenance.pellets import PelletCount, count_pellets
from rig.records.stock.stock import MOST_PELLETS, WARN_PELLETS, StockFile
from rig.session.spec.compatibility import check_rig
from rig.session.spec.rig_file import Rig, read_rig
from rig.system.statuses import NO_HARDWARE, OK, STOPPED

MOST_TESTED = 500


def run(arguments: argparse.Namespace) -> int:
    """Run the requested sub-command."""
    rig = read_rig(find("rigs", arguments.rig))
    feeders = {name: device for name, device in rig.devices.items() if isinstance(device, Feeder)}
    if not feeders:
        raise ConfigError(f"{rig.name} has no feeder: give it a device of kind: feeder")
    if arguments.what == "stock":
        return _stock(arguments, rig, feeders)
    if arguments.device not in feeders:
        raise ConfigError(
            unknown_name(f"{rig.name} has no feeder {arguments.device!r}", arguments.device, list(feeders))
        )
    return _fill(arguments, rig) if arguments.what == "fill" else _test(arguments, rig, feeders[arguments.device])


def _test(arguments: argparse.Namespace, rig: Rig, feeder: Feeder) -> int:
    if not 1 <= arguments.pellets <= MOST_TESTED:
        raise ConfigError(f"--pellets {arguments.pellets}: wanted 1 to {MOST_TESTED}")
    if mistakes := list(check_rig(rig, arguments.board)):
        raise ConfigError(*mistakes)
    plan, driver = plan_of(rig, arguments.board, needs_timing=False)
    confirm_no_animal(driver, yes=arguments.yes, what=f"{feeder.name} gives {arguments.pellets} pellets")
    given, is_open = 0, False

    def report(number: int, seen: bool) -> None:
        nonlocal given
        given = number
        if not seen:
            print(f"{feeder.name}: pulse {number}: no pellet was seen in {feeder.drop_s:g} s", file=sys.stderr)

    async def work(client: BoardClient[Board], connection: Connection) -> PelletCount:
        nonlocal is_open
        is_open = True
        return await count_pellets(client, feeder, arguments.pellets, report)

    # All of them before the first one: a test that is killed leaves the stock too low, never too high.
    _took(arguments, rig, feeder, driver, arguments.pellets)
    try:
        count = run_on_board(plan, work, on_key=lambda: None)
    finally:
        unconfirmed = int(is_open and given < arguments.pellets)
        _took(arguments, rig, feeder, driver, given + unconfirmed - arguments.pellets)
    if count is None:
        print(f"{feeder.name}: stopped after {given} pulses: everything is off")
        return STOPPED
    return _judge(feeder, count, common.now().date())


def _took(arguments: argparse.Namespace, rig: Rig, feeder: Feeder, driver: Driver, pellets: int) -> None:
    if driver.records == "real" and pellets:
        StockFile(common.data_folder(arguments)).took(rig.name, feeder.name, pellets, "rig feeder test", common.now())


def _judge(feeder: Feeder, count: PelletCount, today: datetime.date) -> int:
    if count.seen is None:
        print(f"{feeder.name}: {count.pulses} pulses; it has no sensor: count the pellets in the dish")
        return OK
    print(f"{feeder.name}: {count.pulses} pulses gave {count.seen} pellets")
    if count.seen == count.pulses and not count.missing:
        print(f"for the rig file: measured: {{date: {today}, pulses: {count.pulses}, pellets: {count.seen}}}")
        return OK
    few = "look for a jam, fill it, and clean the sensor"
    print(f"one pulse is to give one pellet: {few if count.missing else 'shorten pulse_ms'}", file=sys.stderr)
    return NO_HARDWARE


def _fill(arguments: argparse.Namespace, rig: Rig) -> int:
    if not 0 <= arguments.pellets <= MOST_PELLETS:
        raise ConfigError(f"--pellets {arguments.pellets}: wanted 0 to {MOST_PELLETS}")
    file = StockFile(common.data_folder(arguments))
    file.fill(
        rig.name, arguments.device, {"pellets": arguments.pellets}, common.experimenter(arguments.by), common.now()
    )
    print(f"{arguments.device} of {rig.name} holds {arguments.pellets} pellets: recorded in {file.path}")
    return OK


def _stock(arguments: argparse.Namespace, rig: Rig, feeders: dict[str, Feeder]) -> int:
    file = StockFile(common.data_folder(arguments))
    for name in feeders:
        found = file.stock(rig.name, name)
        if found is None:
            print(f"{name}: not known: `rig feeder fill {arguments.rig} {name} --pellets N`")
            continue
        low = "; fill it soon" if found.left <= WARN_PELLETS else ""
        doubt = "".join(f"; at most: {reason}" for reason in found.unknown)
        print(f"{name}: {found.left} pellets, filled {found.filled}{low}{doubt}")
    return OK
