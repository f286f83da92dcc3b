"""Run one burst of drops of a valve, and read its weight from the scale or the operator."""

from __future__ import annotations

import sys

from rig.boards.client import BoardClient
from rig.boards.registry import Connection
from rig.cli.maintenance.on_board import run_on_board
from rig.cli.maintenance.weights import StoppedError, Weigher, implausible
from rig.core.errors import ScaleError
from rig.core.model.board import Board
from rig.core.model.rig_spec import RigSpec
from rig.maintenance.run_output import run_output
from rig.maintenance.valves.schedule import Burst, lasts_us


def weigh_burst(plan: RigSpec, device: str, output: str, burst: Burst, weigher: Weigher, seed: int) -> float:
    """Return the weight of the water of one burst in mg.

    The board is open during the burst only: while a person weighs, no host needs to keep its lease. Raises
    ``StoppedError`` when the operator stops, ``BoardError``.
    """
    train = burst.train(output)

    async def give(client: BoardClient[Board], connection: Connection) -> float:
        await run_output(client, train)
        return connection.scale.stable_mg() if weigher.on_board and connection.scale is not None else -1.0

    while True:
        weigher.before(device)
        if not weigher.on_board:
            print(f"{device}: the board gives the drops; wait {lasts_us(train) / 1e6:.0f} s", file=sys.stderr)
        virtual_mg = run_on_board(plan, give, seed)
        if virtual_mg is None:
            raise StoppedError("stopped during the burst: everything is off")
        if weigher.on_board and virtual_mg >= 0:
            if problem := implausible(virtual_mg, burst):
                raise ScaleError(f"{device}: {virtual_mg:.0f} mg for {burst.pulses} drops {problem}")
            return virtual_mg
        weight = weigher.after(device, burst)
        if weight is not None:
            return weight
