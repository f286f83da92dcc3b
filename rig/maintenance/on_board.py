"""Open the board of a rig for a piece of work; Ctrl-C ends it, and everything is off."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from functools import partial
from typing import TypeVar

from rig.boards.client import BoardClient
from rig.boards.registry import Connection, Driver
from rig.core.model.board import Board
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from rig.maintenance.any_key import on_any_key
from rig.session.run.stop import StopSignals

T = TypeVar("T")
Work = Callable[[BoardClient[Board], Connection], Awaitable[T]]


def run_on_board(
    driver: Driver, plan: RigSpec, work: Work[T], seed: int = 1, *, on_key: Callable[[], None] | None = None
) -> T | None:
    """Run a piece of work on the board of a rig and close the board; return None if the operator stopped it.

    Any key stops it with ``on_key``, which is then called. Raises ``BoardError``.
    """

    async def main() -> T | None:
        connection = driver.connect(plan, SimulationOptions(seed=seed))
        client = BoardClient(lambda inbox: driver.board(connection, plan, inbox, seed=seed))

        async def open_and_work() -> T:
            async with client.opened(plan.wiring):
                return await work(client, connection)

        working = asyncio.ensure_future(open_and_work())

        def cancel() -> None:
            working.cancel()

        def press(pressed: Callable[[], None]) -> None:
            pressed()
            cancel()

        try:
            with ExitStack() as watched:
                watched.enter_context(stop.deliver_to(cancel, cancel))
                if on_key is not None and driver.records == "real":
                    watched.enter_context(on_any_key(partial(press, on_key)))
                return await working
        except asyncio.CancelledError:
            return None

    with StopSignals() as stop, asyncio.Runner(loop_factory=lambda: driver.loop(driver.fastest)) as runner:
        return runner.run(main())
