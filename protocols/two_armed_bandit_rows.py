"""Devices of the two-armed bandit's box, and the table of trials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from rig import (
    Choices,
    Histogram,
    Needs,
    Numbers,
    OneOf,
    Outcomes,
    Port,
    Raster,
    Reward,
    RewardStatus,
    RewardVolume,
    RunningShare,
    Share,
    TrialRow,
    TtlIn,
    TtlOut,
)


@dataclass
class Box:
    """Three ports in a row, water at the sides; optionally a laser, and a camera's frame signal."""

    left: Annotated[Port, Needs("light", "valve")]
    center: Annotated[Port, Needs("light")]
    right: Annotated[Port, Needs("light", "valve")]
    laser: TtlOut | None = None
    sync: TtlIn | None = None


@dataclass
class Trial(TrialRow):
    """One row of the trial table; times are seconds of the session, empty for events that did not happen."""

    letter = "choice"
    shares: ClassVar[Mapping[str, Share]] = {
        "reward_rate": Share("outcome", "equals", "rewarded", "rewarded"),
        "p_high": Share("choice", "same_as", "high_side", "to the high port"),
        "p_switch": Share("choice", "changes", label="switches"),
        "left_fraction": Share("choice", "equals", "left", "left"),
    }

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
    reward_ul: RewardVolume = 0.0
    error_pokes: int = 0
    drawn_left: int = 0
    drawn_right: int = 0
    ambiguous: int = 0
    drawn_laser: int = 0
    laser: int = 0
    t_laser: float | None = None

    def on_rewards(self, rewards: Sequence[Reward]) -> None:
        """Record the delivered reward; the choice of an interrupted trial is that of its reward."""
        super().on_rewards(rewards)
        if self.rewarded and not self.choice:
            self.choice = next(reward.source for reward in rewards if reward.status is RewardStatus.DELIVERED)


VIEWS = (
    Choices("choice", "rewarded", {"left": "p_left", "right": "p_right"}, title="choices, rewards and odds"),
    # A running average of left choices beside the odds, as in figure 1 of Beron et al. (2022).
    RunningShare("left_fraction", over=10, beside="p_left", title="choices of left, of the last 10 completed trials"),
    RunningShare(("reward_rate", "p_high", "p_switch"), over=50, title="shares of the last 50 completed trials"),
    Numbers("latency_s", by="choice", title="from the center to the choice"),
    Histogram("latency_s", by="choice", title="how often each time from the center to the choice occurs"),
    Numbers("initiation_s", log=True, title="from the last poke to the center"),
    Raster(
        ("left.beam", "center.beam", "right.beam"),
        at="t_center_in",
        before_s=2,
        after_s=4,
        title="pokes around the start of each trial",
    ),
    Outcomes(title="outcomes"),
)
"""What people look at during a session and after it."""
