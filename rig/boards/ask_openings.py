"""Ask a board what it has done: the openings of its dangerous outputs that it has kept."""

from __future__ import annotations

from rig.boards.client import BoardClient
from rig.boards.serial.board import SerialBoard
from rig.boards.transport import Transport
from rig.core.clock import Clock
from rig.core.model.board import BoardInfo, Wiring


async def ask_openings(transport: Transport, clock: Clock, nonce: int, uid: str | None = None) -> BoardInfo:
    """Return what a board reports when it is opened; close it again, and the port.

    Opening switches everything off: no reflex of a session that has died may fire afterwards. ``nonce`` must differ
    from the last one sent to this board. Raises ``BoardError``, also for a board with another id than
    ``uid``, the journal's.
    """
    client = BoardClient(lambda inbox: SerialBoard(transport, clock, inbox, uid, nonce, "journal"))
    async with client.opened(Wiring(())) as info:
        return info
