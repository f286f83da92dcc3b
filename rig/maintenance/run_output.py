"""Run one action of an output to its end, by the board's own report."""

from __future__ import annotations

import asyncio
from typing import TypeVar

from rig.boards.client import BoardClient, BoardListener
from rig.core.errors import LinkLostError, OrderRefusedError
from rig.core.journal.kinds import BatchDone, OutputDone
from rig.core.model.actions import Pulse, RewardAction, Train, plain_action
from rig.core.model.board import Board
from rig.core.model.events import Event, Fault, LeaseExpired, Panic

LATE_S = 5.0
"""The board reports the end of an action so soon, or its link is lost."""

AnyBoard = TypeVar("AnyBoard", bound=Board)


class _Outcome(BoardListener):
    """The end of an output's action, or of the link to the board."""

    def __init__(self, output: str) -> None:
        self._output = output
        self.ended: asyncio.Future[tuple[int, str]] = asyncio.get_running_loop().create_future()
        self.began_us = 0

    def on_done(self, done: BatchDone | OutputDone) -> None:
        """Handle the end of a batch or an output's action."""
        if isinstance(done, BatchDone):
            self.began_us = done.t_us
        elif done.output == self._output:
            self._end(done.t_us, done.why)

    def on_event(self, event: Event) -> None:
        """Handle what ends every action."""
        if isinstance(event, Fault | LeaseExpired | Panic):
            self._end(0, "lost")

    def _end(self, t_us: int, why: str) -> None:
        if not self.ended.done():
            self.ended.set_result((t_us, why))


async def run_output(client: BoardClient[AnyBoard], action: RewardAction | Pulse | Train) -> int:
    """Send an action and wait until the board reports its end; return how long it lasted by the board's clock, in µs.

    Raises ``OrderRefusedError`` when the board refuses it or ends it early, and ``LinkLostError``.
    """
    plain = plain_action(action)
    if not isinstance(plain, Pulse | Train):
        raise OrderRefusedError(f"'{action}' is no pulse and no train")
    outcome = _Outcome(plain.output)
    client.listen(outcome)
    await client.execute(action)
    began_us = outcome.began_us
    lasts_us = plain.us if isinstance(plain, Pulse) else plain.period_us * (plain.count - 1) + plain.on_us
    try:
        async with asyncio.timeout(lasts_us / 1e6 + LATE_S):
            ended_us, why = await outcome.ended
    except TimeoutError:
        raise LinkLostError(f"the board does not report the end of '{plain}'") from None
    await client.board_time()  # raises what has ended the link
    if why != "finished":
        raise OrderRefusedError(f"the board ended '{plain}' early ({why})")
    return ended_us - began_us
