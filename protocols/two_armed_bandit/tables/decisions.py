"""Decision files: sessions of mice in the public format of the 2ABT repositories, one decision per row.

``decision_s`` is from the first poke of the session and has five significant digits: its differences are good to a
tenth of a second only. ``since_last_poke_s`` of a first row may be the placeholder 0. ``port`` is 1 for right and 2 for
left.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

from rig.table_files.read_table import TRUTH, Order, Row, begins_with, is_missing, number_in, read_table, truth_in

COLUMNS = ("decision_s", "since_last_poke_s", "center_to_side_s", "port", "p_right", "p_left", "reward")

# The authors' table codes left as 1 instead; the two formats must not be mixed.
_SIDES = {1: "right", 2: "left"}
_ROUNDING = 1e-4
"""Error of the difference of two times with five significant digits, relative to them."""
_EXAMPLE = "11.147,2.652,0.309,1,0.8,0.2,1"


class Decision(NamedTuple):
    """One decision; times in seconds."""

    decision_s: float
    since_last_poke_s: float
    center_to_side_s: float
    side: str
    p_right: float
    p_left: float
    reward: int

    @property
    def center_s(self) -> float:
        """Return the time of the center poke, in seconds from the first poke of the session."""
        # Within one row, so the rounding of ``decision_s`` does not add up over trials.
        return self.decision_s - self.center_to_side_s

    @property
    def last_poke_s(self) -> float:
        """Return the latest time that the poke before the center poke may have."""
        return self.center_s - self.since_last_poke_s + _ROUNDING * self.decision_s


_ORDERS = (
    Order[Decision]("decision_s", lambda decision: decision.decision_s),
    Order[Decision](
        "decision_s - center_to_side_s - since_last_poke_s",
        lambda decision: decision.decision_s,
        begins=lambda decision: decision.last_poke_s,
        wanted="all three in seconds: the last poke is not before that decision",
    ),
)


def read_decisions(path: Path) -> list[Decision]:
    """Read one session. Raises ``ConfigError`` that names every line that is not a decision."""
    return read_table(path, COLUMNS, _decision, "decision", _EXAMPLE, orders=_ORDERS)


def is_decision_file(path: Path) -> bool:
    """Whether line 1 of a file has the columns of decisions."""
    return begins_with(path, COLUMNS)


def _decision(row: Row) -> Decision:
    decision_s, since_last_poke_s, center_to_side_s = (number_in(row, name, 0, float("inf")) for name in COLUMNS[:3])
    p_right, p_left = (number_in(row, name, 0, 1) for name in ("p_right", "p_left"))
    port = number_in(row, "port", -math.inf, math.inf)
    if port not in _SIDES:
        raise ValueError(f"port is {row['port']}, not 1 (right) or 2 (left)")
    if is_missing(row["reward"]):
        raise ValueError("has no reward")
    if row["reward"].lower() not in TRUTH:
        raise ValueError(f"reward is {row['reward']}, not 0 or 1")
    times = (decision_s, since_last_poke_s, center_to_side_s)
    return Decision(*times, _SIDES[int(port)], p_right, p_left, int(truth_in(row, "reward")))
