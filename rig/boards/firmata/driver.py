"""``driver: firmata``: an Arduino with the StandardFirmata sketch, as it comes with the Arduino program."""

from __future__ import annotations

from rig.boards.driver_lookup import Connection
from rig.boards.firmata.board import FirmataBoard
from rig.boards.serial.driver import SerialDriver
from rig.core.clock import running
from rig.core.engine.inbox import Inbox
from rig.core.errors import FirmwareMismatchError
from rig.core.model.board import Board
from rig.core.model.rig_spec import RigSpec


class FirmataDriver(SerialDriver):
    """Opens real ports with StandardFirmata behind them: for trying things out, and for tasks that can wait."""

    # The rate that the sketch StandardFirmata sets.
    baud = 57_600
    supports_hello = False
    has_panic_input = False
    max_sources = 0
    timing_unsupported_reason = (
        "Firmata has none: this computer stamps its edges and gives every drop; "
        "put the rig's own firmware on the board (`rig board flash`) and write `driver: serial`"
    )
    warnings = (
        "Firmata keeps no limit on the board: if this computer or the cable fails while a valve is open, it stays open",
        "Firmata has no clock: edges are stamped when they reach this computer, and drops fall when it gives them",
    )

    def board(self, connection: Connection, plan: RigSpec, inbox: Inbox, seed: int) -> Board:
        """Build the board. Raises ``FirmwareMismatchError`` for an ``id``, which Firmata boards do not have."""
        if plan.board.uid is not None:
            # The port is already open and locked; the error must free it for the next program.
            connection.transport.close()
            raise FirmwareMismatchError(
                f"the rig file names board {plan.board.uid}, and Firmata boards have no id: give `port:` instead"
            )
        return FirmataBoard(connection.transport, running(), inbox)
