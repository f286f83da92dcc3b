"""The line between computer and board: its round trip, and the frames that it damages."""

from __future__ import annotations

import statistics

from rig.boards.client import BoardClient
from rig.core.clock import running
from rig.core.model.board import Board, Health
from rig.diagnostics.acceptance.results import AcceptanceRow, Verdict

TRIPS = 50
MEDIAN_MS = 10.0
"""Half of the shortest retransmission timeout. The USB chip of an Uno adds up to 4.1 ms, an FTDI chip up to 16 ms."""
DAMAGE = ("damaged", "board_damaged")


async def measure_round_trip(client: BoardClient[Board]) -> AcceptanceRow:
    """Return the time from a question to the board's answer. Raises ``BoardError``."""
    trips_ms = []
    for _ in range(TRIPS):
        asked_at = running().time()
        await client.board_time()
        trips_ms.append((running().time() - asked_at) * 1000)
    median = statistics.median(trips_ms)
    text = f"median {median:.1f} ms, most {max(trips_ms):.1f} ms, n {TRIPS}"
    if median > MEDIAN_MS:
        text += "; an FTDI chip? `rig board check` prints the command that sets its latency timer"
    # A busy computer is as slow as such a chip, so this fails nothing.
    verdict: Verdict = "pass" if median <= MEDIAN_MS else "info"
    return AcceptanceRow("round trip", verdict, text, f"median at most {MEDIAN_MS:g} ms")


def damage_row(health: Health | None) -> AcceptanceRow:
    """Return whether the line has damaged frames, by the counters of both ends."""
    what, must = "damaged frames", "none"
    if health is None or not health.complete:
        return AcceptanceRow(what, "fail", "the board did not report its counters", must)
    to_host, to_board = (health.counters[name] for name in DAMAGE)
    if not to_host and not to_board:
        return AcceptanceRow(what, "pass", "none", must)
    text = f"{to_host} from the board, {to_board} from the computer: another cable, another socket, no hub"
    return AcceptanceRow(what, "fail", text, must)
