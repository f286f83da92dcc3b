"""Run one burst of drops of a valve."""

from __future__ import annotations

import sys

from rig.boards.client import BoardClient
from rig.boards.registry import Connection
from rig.cli.maintenance.on_board import run_on_board
from rig.cli.maintenance.valves import ValveTarget
from rig.cli.maintenance.weights import Judge, StoppedError, Weigher
from rig.core.errors import ScaleError
from rig.core.model.board import Board
from rig.core.model.rig_spec import RigSpec
from rig.maintenance.run_output import run_output
from rig.maintenance.valves.schedule import Burst


def weigh_burst(plan: RigSpec, valve: ValveTarget, burst: Burst, weigher: Weigher, judge: Judge) -> float:
    """Run one burst, again until it is weighed; return the weight of its water in mg.

    Raises ``StoppedError`` when the operator stops, ``BoardError``.
    """
    while True:
        weigher.before(valve.device)
        if (read_mg := give_burst(plan, valve, burst, weigher, seed=1)) is not None:
            check_scale(valve, burst, read_mg, judge)
            return read_mg
        if isinstance(typed := weigher.after(valve.device, burst, judge), float):
            return typed


def give_burst(plan: RigSpec, valve: ValveTarget, burst: Burst, weigher: Weigher, seed: int) -> float | None:
    """Run the drops of a burst; return their weight in mg if the rig has a scale of its own.

    The board is open during the burst only: while a person weighs, no host needs to keep its lease. Raises
    ``StoppedError`` when the operator stops, ``BoardError``.
    """
    train = burst.train(valve.output)

    async def give(client: BoardClient[Board], connection: Connection) -> float:
        await run_output(client, train)
        return connection.scale.stable_mg() if weigher.on_board and connection.scale is not None else -1.0

    if not weigher.on_board:
        print(f"{valve.device}: the board gives the drops; wait {burst.lasts_s:.0f} s", file=sys.stderr)
    virtual_mg = run_on_board(plan, give, seed)
    if virtual_mg is None:
        raise StoppedError("stopped during the burst: everything is off")
    return virtual_mg if weigher.on_board and virtual_mg >= 0 else None


def check_scale(valve: ValveTarget, burst: Burst, weight: float, judge: Judge) -> None:
    """Check the weight that a scale has read. Raises ``ScaleError`` for one that cannot be right."""
    if impossible := judge(weight).impossible:
        raise ScaleError(f"{valve.device}: {weight:.0f} mg for {burst.pulses} drops {impossible}")
