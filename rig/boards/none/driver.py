"""``driver: none``: a rig without a board."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from rig.boards.driver_lookup import Connection, Driver, real_time_loop
from rig.boards.none.board import NoBoard
from rig.boards.transport import Transport
from rig.core.clock import running
from rig.core.engine.inbox import Inbox
from rig.core.model.board import Board
from rig.core.model.rig_spec import RigSpec, SimulationOptions


class NoTransport(Transport):
    """The connection to no board: nothing arrives, and nothing is sent."""

    def start(self, on_bytes: Callable[[bytes], None], on_lost: Callable[[str], None]) -> None:
        """Start nothing."""

    def write(self, data: bytes) -> None:
        """Send nothing."""

    def close(self) -> None:
        """Close nothing."""


class NoBoardDriver(Driver):
    """Driver of rigs of which everything is connected to the computer, such as a screen alone."""

    has_board = False
    supports_hello = False
    timing_unsupported_reason = (
        "this rig has no board: wire one, and name it in the rig file: boards: {uno: {driver: serial}}"
    )

    def loop(self, speed: float | None) -> asyncio.AbstractEventLoop:
        """Build a standard event loop, in real time."""
        return real_time_loop(speed)

    def connect(self, plan: RigSpec, options: SimulationOptions) -> Connection:
        """Return a connection without a port."""
        return Connection(NoTransport())

    def board(self, connection: Connection, plan: RigSpec, inbox: Inbox, seed: int) -> Board:
        """Build the time axis."""
        return NoBoard(running(), inbox)
