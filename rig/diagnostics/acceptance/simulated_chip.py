"""What a simulated chip does, to compare a board with in its acceptance."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine
from dataclasses import replace

from rig.boards.chips import CHIPS
from rig.boards.driver_lookup import find_driver
from rig.core.errors import ConfigError
from rig.core.model.board import Wiring
from rig.core.model.rig_spec import BoardSpec, RigSpec
from rig.diagnostics.acceptance.results import AcceptanceRow
from rig.diagnostics.timing.bench import ProbeFactory
from rig.diagnostics.timing.firmware_hang import hangs
from rig.diagnostics.timing.reflexes import quiet
from rig.diagnostics.timing.report_rows import Row
from rig.system.plugins import BOARDS, installed_plugins

REFLEXES = 200


HANGS = 2_000
"""Reflexes for which the bench tries four hangs of each kind."""


def simulated_reflex(chip: str) -> AcceptanceRow:
    """Return what `rig board bench` measures at the pins of the same chip, simulated; or why it cannot."""

    async def measured(make: ProbeFactory) -> list[Row]:
        return await quiet(make, chip, REFLEXES, 1)

    return _simulated(chip, f"for comparison: rig board bench --board {CHIPS[chip].simulator} --chip {chip}", measured)


def simulated_watchdog(chip: str) -> AcceptanceRow:
    """Return how long outputs stay on when the program hangs on a simulated chip: a real one cannot be made to hang."""

    async def measured(make: ProbeFactory) -> list[Row]:
        return await hangs(make, chip, HANGS, 1)

    row = _simulated(chip, "watchdog, when the program hangs", measured)
    return replace(row, found=f"not tried on this board: no order lets it hang. On a simulated {chip}: {row.found}")


def _simulated(
    chip: str, what: str, measured: Callable[[ProbeFactory], Coroutine[object, None, list[Row]]]
) -> AcceptanceRow:
    name = CHIPS[chip].simulator
    if name not in installed_plugins(BOARDS):
        return AcceptanceRow(what, "info", "the simulator is not installed")
    driver = find_driver(name)
    plan = RigSpec("bench", BoardSpec("board", name, baud=driver.baud, chip=chip), Wiring(()))
    make = lambda wiring, seed, heard=frozenset(): driver.probe(replace(plan, wiring=wiring), heard, seed)  # noqa: E731
    try:
        with asyncio.Runner(loop_factory=lambda: driver.loop(math.inf)) as runner:
            rows = runner.run(measured(make))
    except ConfigError as error:
        return AcceptanceRow(what, "info", f"not available: {error.lines[0]}")
    return AcceptanceRow(what, "info", "; ".join(f"{row.what}: {row.got}, n {row.n}" for row in rows))
