"""``rig board bench``: how fast the connected board is, seen from this computer."""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from rig.core.board import Wiring
from rig.core.clock import running
from rig.core.errors import ConfigError
from rig.core.plan import BoardSpec, Rehearsal, RigPlan
from rig.hardware.bench import Measured, measure
from rig.hardware.boards import Driver, find_driver
from rig.hardware.firmware import Workshop
from rig.hardware.latencies import Latencies
from rig.hardware.leads import Leads
from rig.hardware.timing.rows import Row
from rig.hardware.timing.table import PARTS, Part
from rig.status import FAILED, OK

WIDEST_BAR = 40
SEED = 1


def run(arguments: argparse.Namespace) -> int:
    """Measure, and print what was found."""
    if arguments.n < 1:
        raise ConfigError(f"-n {arguments.n}: wanted 1 or more")
    driver = find_driver(arguments.board)
    plan = _plan(arguments, driver)
    found = _measured(driver, plan, arguments.n)
    firmware = _firmware(arguments.chip or "uno")
    rows = list(pin_rows(driver, plan, arguments.pins))
    if arguments.json:
        print(json.dumps(_as_json(found, driver, firmware, rows), indent=2))
    else:
        _print(found, driver, firmware)
        print_rows(rows)
    return FAILED if arguments.strict and any(row.met is False for row in rows) else OK


def pin_rows(driver: Driver, plan: RigPlan, n: int) -> Iterator[Row]:
    """Measure at the pins of a board, if leads can be put on them."""
    if not driver.simulated or n == 0:
        return

    def bench(wiring: Wiring, seed: int, heard: frozenset[str] = frozenset()) -> Leads:
        leads = driver.leads(replace(plan, wiring=wiring), heard, seed)
        if leads is None:
            raise ConfigError(f"--board {plan.board.driver}: nothing can be seen of its pins")
        return leads

    async def measured(part: Part) -> list[Row]:
        return await part(bench, plan.board.chip or "uno", n, SEED)

    for part in PARTS:
        with asyncio.Runner(loop_factory=lambda: driver.loop(math.inf)) as runner:
            yield from runner.run(measured(part))


def print_rows(rows: Sequence[Row]) -> None:
    """Print the table, and what came out how often."""
    for row in rows:
        print()
        print(f"{row.what}: {row.verdict or row.got}")
        if row.met is not None:
            print(f"    must be {row.must}")
            print(f"    is      {row.got}, n {row.n}" + (f" ({row.note})" if row.note else ""))


def _plan(arguments: argparse.Namespace, driver: Driver) -> RigPlan:
    baud = arguments.baud or driver.baud
    board = BoardSpec("board", arguments.board, port=arguments.port, baud=baud, chip=arguments.chip)
    return RigPlan("bench", board, Wiring(()))


def _measured(driver: Driver, plan: RigPlan, n: int) -> Measured:
    nonce = 1 if driver.simulated else secrets.randbits(16)

    async def main() -> Measured:
        connection = driver.connect(plan, Rehearsal())
        return await measure(lambda inbox: driver.board(connection, plan, inbox, nonce), running(), n)

    with asyncio.Runner(loop_factory=lambda: driver.loop(math.inf if driver.simulated else None)) as runner:
        return runner.run(main())


def _firmware(chip: str) -> dict[str, str | None]:
    """Hash what `rig board flash` would write; say why when there is nothing."""
    try:
        image = Workshop().image(chip)
    except ConfigError as error:
        return {"chip": chip, "sha256": None, "why": str(error)}
    return {"chip": chip, "sha256": image.sha256, "why": None}


def _time(driver: Driver) -> str:
    return "virtual" if driver.simulated else "real"


def _print(found: Measured, driver: Driver, firmware: dict[str, str | None]) -> None:
    board = found.opened
    print(f"board      {board.name} {board.uid}, firmware {board.firmware}; in {_time(driver)} time")
    print(f"firmware   {firmware['chip']}.hex, SHA-256 {firmware['sha256'] or 'unknown: ' + str(firmware['why'])}")
    rate = "not known" if found.rate_ppm is None else f"{found.rate_ppm:+d} ppm against this computer's"
    print(f"its clock  {rate}")
    for each in found.latencies:
        print()
        _print_one(each)


def _print_one(each: Latencies) -> None:
    said = each.summary()
    quoted = ", ".join(f"{name.removesuffix('_us')} {said[name]:.0f}" for name in said if name != "n")
    print(f"{each.name}, us: n {each.n}, {quoted}")
    bars = each.histogram()
    most = max(count for _, _, count in bars)
    for low, high, count in bars:
        bar = "#" * math.ceil(WIDEST_BAR * count / most)
        print(f"{low:10.0f} to {high:8.0f}  {count:6d}  {bar}".rstrip())


def _as_json(found: Measured, driver: Driver, firmware: dict[str, str | None], rows: Sequence[Row]) -> dict[str, Any]:
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
