"""A board without function: the events of its session come from the journal."""

from __future__ import annotations

from collections.abc import Sequence

from rig.core.errors import OrderRefusedError
from rig.core.model.actions import Order
from rig.core.model.board import Board, BoardInfo, Health, Wiring


class ReplayBoard(Board):
    """Board without function: its events come from the journal."""

    async def open(self, wiring: Wiring) -> BoardInfo:
        """Raise ``OrderRefusedError``: a replay opens no board."""
        raise OrderRefusedError("a replay has no board to open")

    def batch(self, orders: Sequence[Order], seen: int, epoch: int, number: int) -> None:
        """Send nothing: the recorded board has executed these orders."""

    def ask_time(self, at_us: int | None) -> None:
        """Wait for the journal's answer."""

    def estimate_us(self) -> tuple[int, int]:
        """Return time 0 without uncertainty: a replay has no clock."""
        return 0, 0

    def all_off(self) -> None:
        """Send nothing: a replay has no outputs."""

    async def close(self) -> Health:
        """Return counters of a board that did not answer."""
        return Health(False, 0, 0)

    def abort(self) -> None:
        """Send nothing: a replay holds no board."""
