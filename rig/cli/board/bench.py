"""``rig board bench``: how fast a board is, seen from this computer, and where it has leads at its pins."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import replace

from rig.boards.chips import CHIPS, USUAL_CHIP
from rig.boards.driver_lookup import Driver, find_driver
from rig.boards.firmware import FirmwareBuilder, image_name
from rig.cli.board.timing_report import USUAL, print_bars, print_rows, timing_rows
from rig.cli.terminal.printing import print_json
from rig.core.clock import running
from rig.core.errors import ConfigError
from rig.core.model.board import Wiring
from rig.core.model.rig_spec import BoardSpec, RigSpec, SimulationOptions
from rig.diagnostics.host_latency import LatencyMeasurement, measure
from rig.diagnostics.latencies import Latencies
from rig.diagnostics.timing.report_rows import Row
from rig.system.statuses import FAILED, OK

USUAL_TRIPS = 1_000
"""How often the host asks, unless asked for otherwise."""


def run(arguments: argparse.Namespace) -> int:
    """Run the measurements, and print the results."""
    if arguments.n is not None and arguments.n < 1:
        raise ConfigError(f"-n {arguments.n}: wanted 1 or more")
    driver = find_driver(arguments.board)
    plan = _plan(arguments, driver)
    found = _measured(driver, plan, arguments.n or USUAL_TRIPS)
    if arguments.chip is None and found.opened.name in CHIPS:  # the board says what it is
        plan = replace(plan, board=replace(plan.board, chip=found.opened.name))
    firmware = _firmware(driver.image or plan.board.chip or USUAL_CHIP)
    rows = timing_rows(driver, plan, arguments.n or USUAL)
    if arguments.json:
        kept = list(rows)
        print_json(_as_json(found, driver, firmware, kept))
    else:
        _print(found, driver, firmware)
        kept = list(print_rows(rows))
    return FAILED if arguments.strict and any(row.met is False for row in kept) else OK


def _plan(arguments: argparse.Namespace, driver: Driver) -> RigSpec:
    baud = arguments.baud or driver.baud
    board = BoardSpec("board", arguments.board, port=arguments.port, baud=baud, chip=arguments.chip)
    return RigSpec("bench", board, Wiring(()))


def _measured(driver: Driver, plan: RigSpec, n: int) -> LatencyMeasurement:
    async def main() -> LatencyMeasurement:
        connection = driver.connect(plan, SimulationOptions())
        return await measure(lambda inbox: driver.board(connection, plan, inbox, seed=1), running(), n)

    with asyncio.Runner(loop_factory=lambda: driver.loop(driver.fastest)) as runner:
        return runner.run(main())


def _firmware(image: str) -> dict[str, str | None]:
    """Return file and hash of an image: the one that the driver names, or what `rig board flash` would write."""
    file = image_name(image)
    try:
        return {"image": file, "sha256": FirmwareBuilder().image(image).sha256, "why": None}
    except ConfigError as error:
        return {"image": file, "sha256": None, "why": str(error)}


def _time(driver: Driver) -> str:
    return "real" if driver.fastest is None else "virtual"


def _print(found: LatencyMeasurement, driver: Driver, firmware: dict[str, str | None]) -> None:
    board = found.opened
    print(f"board      {board.name} {board.uid}, firmware {board.firmware}; in {_time(driver)} time")
    why = f"unknown: {firmware['why']}"
    print(f"firmware   {firmware['image']}, SHA-256 {firmware['sha256'] or why}")
    rate = "not known" if found.rate_ppm is None else f"{found.rate_ppm:+d} ppm against this computer's"
    print(f"its clock  {rate}")
    for each in found.latencies:
        print()
        _print_one(each)


def _print_one(each: Latencies) -> None:
    said = each.summary()
    quoted = ", ".join(f"{name.removesuffix('_us')} {said[name]:.0f}" for name in said if name != "n")
    print(f"{each.name}, us: n {each.n}, {quoted}")
    print_bars(each)


def _as_json(
    found: LatencyMeasurement, driver: Driver, firmware: dict[str, str | None], rows: Sequence[Row]
) -> dict[str, object]:
    return {
        "board": {"name": found.opened.name, "id": found.opened.uid, "firmware": found.opened.firmware},
        "time": _time(driver),
        "flash": firmware,
        "rate_ppm": found.rate_ppm,
        "latencies": {
            each.name: {**each.summary(), "histogram": [list(bar) for bar in each.histogram()]}
            for each in found.latencies
        },
        "counters": found.counters,
        "rows": [row.to_dict() for row in rows],
    }
