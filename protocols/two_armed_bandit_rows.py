"""What the two-armed bandit needs of a box, and what it writes of a trial."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from protocols.two_armed_bandit_odds import SIDES
from rig import Needs, OneOf, Port, Reward, Row, TtlIn, TtlOut

PORTS = (*SIDES, "centre")


@dataclass
class Box:
    """Three ports in a row, water at the sides; a laser, and a camera that says when it takes a frame."""

    left: Annotated[Port, Needs("light", "valve")]
    centre: Annotated[Port, Needs("light")]
    right: Annotated[Port, Needs("light", "valve")]
    laser: TtlOut | None = None
    sync: TtlIn | None = None


@dataclass
class Trial(Row):
    """One row of the trial table; times are seconds of the session, empty where it never happened."""

    trial: int
    t_center_in: float | None = None
    t_center_out: float | None = None
    t_side_in: float | None = None
    t_side_out: float | None = None
    choice: Annotated[str, OneOf("", "left", "right")] = ""
    rewarded: int = 0
    outcome: Annotated[str, OneOf("rewarded", "unrewarded", "omission", "aborted", "interrupted")] = ""
    delivered_by: str = ""
    p_left: float = 0.0
    p_right: float = 0.0
    high_side: Annotated[str, OneOf("left", "right")] = ""
    block: int = 0
    trial_in_block: int = 0
    flipped_after: int = 0
    latency_s: float | None = None
    initiation_s: float | None = None
    reward_ul: float = 0.0
    error_pokes: int = 0
    drawn_left: int = 0
    drawn_right: int = 0
    ambiguous: int = 0
    drawn_laser: int = 0
    laser: int = 0
    t_laser: float | None = None

    def on_rewards(self, rewards: Sequence[Reward]) -> None:
        """Say what left the valves, whatever was meant to."""
        given = [reward for reward in rewards if reward.status == "delivered"]
        self.reward_ul = sum(reward.amount.ul for reward in given)
        self.rewarded = len(given)
        self.delivered_by = ",".join(
            reward.delivered_by if reward.status == "delivered" else reward.status for reward in rewards
        )
        if given and not self.choice:
            self.choice = given[0].source
        if self.outcome == "chosen":
            self.outcome = "rewarded" if given else "unrewarded"

    def interrupted(self) -> None:
        """Mark the trial as one that could not be completed."""
        self.outcome = "interrupted"
