"""What a PI may change in the two-armed bandit.

Defaults are those of the paper, then of the original rig's program, then this project's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from protocols.two_armed_bandit.tables.recorded_trials import RecordedTrials
from rig import Live, RewardVolume, TaskParams

PAPER = "Beron et al. 2022, Methods"
PROGRAM = "the original rig's program"
RECORD = "the laboratory's session record of 2017"
OURS = "ours"
LONGEST_DWELL_S = 10.0
"""Longest stay in a port for which a laser may be planned, unless max_dwell_s is given."""


class OddsParams(TaskParams):
    """Parameters of reward probabilities and switch rules."""

    sources: ClassVar = {
        "p_high": f"{PAPER}: 80-20 is the main condition, 90-10 and 70-30 the others",
        "p_low": f"{PAPER}: one port pays with p, the other with 1 - p",
        "allow_asymmetric": f"{OURS}: the paper's odds sum to 1; training, and a few public sessions, have others",
        "conditions": f"{PAPER}: 90-10, 80-20 or 70-30 for a given session; {RECORD}: weeks of each",
        "condition_order": f"{OURS}: the paper does not tell the order",
        "switch_rule": f"{PAPER}: markov; {PROGRAM}: reward_block",
        "q_stay": f"{PAPER}: q = 0.98 after completion of each trial, so that a block has 50 trials on average",
        "block_rewards_min": f"{PROGRAM}: 50 (30 in training)",
        "block_rewards_max": f"{PROGRAM}: 50 (30 in training)",
        "block_trials": f"{OURS}: as many as a block of the paper has on average",
        "start_high_side": f"{OURS}: set by hand in {RECORD}",
        "reward_draw": f"{PAPER}: after side entry, of which this draw has the distribution; {PROGRAM}: one for each",
        "trials_from": OURS,
        "blocks_from": OURS,
    }

    p_high: float = Field(default=0.8, ge=0.5, le=1, description="reward probability of the high port")
    p_low: float | None = Field(
        default=None, ge=0, le=1, description="reward probability of the low port; what p_high leaves when not given"
    )
    allow_asymmetric: bool = Field(default=False, description="p_high and p_low need not sum to 1")
    conditions: tuple[float, ...] = Field(
        default=(),
        description="values of p_high, one a session, instead of p_high; kept track of per subject",
    )
    condition_order: Literal["listed", "shuffled"] = Field(
        default="shuffled", description="take the conditions as listed, or at random, each once before any comes again"
    )
    switch_rule: Literal["markov", "reward_block", "fixed", "fixed_block"] = Field(
        default="markov",
        description="the sides swap: at random after each trial; after so many rewards; never; after so many trials",
    )
    q_stay: float = Field(
        default=0.98, gt=0, le=1, description="markov: probability per completed trial that the high port stays"
    )
    block_rewards_min: int = Field(default=50, ge=1, description="reward_block: fewest rewards in a block")
    block_rewards_max: int = Field(default=50, ge=1, description="reward_block: most rewards in a block")
    block_trials: int = Field(default=50, ge=1, description="fixed_block: completed trials in a block")
    start_high_side: Literal["left", "right", "random", "alternate"] = Field(
        default="random", description="high port at the start; alternate: not the one that the last session began with"
    )
    reward_draw: Literal["at_side_entry", "at_initiation_both"] = Field(
        default="at_side_entry",
        description="one draw a trial, or one for each side; both before the choice, so that the board can pay",
    )
    trials_from: RecordedTrials | None = Field(
        default=None,
        description="a file of decisions: odds and outcomes are those of its rows, and nothing is drawn; "
        "the session ends after the last",
    )
    blocks_from: RecordedTrials | None = Field(
        default=None, description="a file of decisions: the odds are those of its rows, the outcomes are drawn"
    )

    @model_validator(mode="after")
    def _agree(self) -> OddsParams:
        if self.low_of(self.p_high) > self.p_high:
            raise ValueError(f"p_low is {self.p_low:g}, more than p_high ({self.p_high:g}): swap them")
        if self.p_low is not None and not self.allow_asymmetric and abs(self.p_high + self.p_low - 1) > 1e-9:
            raise ValueError(
                f"p_high and p_low sum to {self.p_high + self.p_low:g}, not 1: change one of them, or set "
                "allow_asymmetric: true"
            )
        if self.block_rewards_max < self.block_rewards_min:
            raise ValueError(
                f"block_rewards_max is {self.block_rewards_max}, less than block_rewards_min ({self.block_rewards_min})"
            )
        if wrong := [p for p in self.conditions if not 0.5 <= p <= 1]:
            percent = f"; {wrong[0]:g} % is {wrong[0] / 100:g}" if 1 < wrong[0] <= 100 else ""
            raise ValueError(f"conditions are values of p_high, 0.5 to 1, not {wrong[0]:g}{percent}")
        if self.conditions and self.p_low is not None:
            raise ValueError("with conditions the low port pays with what is left to 1: take p_low out")
        if self.conditions and (self.trials_from or self.blocks_from):
            raise ValueError("a file of decisions has odds of its own: take conditions out")
        if self.trials_from is not None and self.blocks_from is not None:
            raise ValueError("trials_from and blocks_from both say which port is high: take one out")
        return self

    def low_of(self, p_high: float) -> float:
        """Return the low port's probability."""
        # Rounded: 1 - 0.9 is 0.09999999999999998, which would be in every row.
        return round(1 - p_high, 12) if self.p_low is None else self.p_low


class LaserParams(TaskParams):
    """Parameters of the laser, for rigs that have one."""

    sources: ClassVar = {
        "p": f"{PAPER}: no laser",
        "at": f"{PROGRAM}: at side-port entry",
        "delay_ms": f"{PROGRAM}: at once",
        "duration_ms": f"{PROGRAM}: one pulse of 10 ms",
        "pulse_ms": f"{PROGRAM}: one pulse of 10 ms",
        "period_ms": OURS,
    }

    p: float = Field(ge=0, le=1, description="probability of a trial with laser")
    at: Literal["choice", "initiation"] = Field(default="choice", description="the poke that the laser follows")
    delay_ms: float = Field(
        default=0,
        ge=0,
        le=60_000,
        description="from that poke to the laser, min_poke_ms at least; a trial that is over by then has none",
    )
    duration_ms: float = Field(default=10, gt=0, le=10_000, description="how long the laser goes on")
    pulse_ms: float = Field(default=10, gt=0, le=1_000, description="length of each of its pulses")
    period_ms: float = Field(default=50, gt=0, le=10_000, description="from pulse to pulse")

    @model_validator(mode="after")
    def _can_flash(self) -> LaserParams:
        if self.pulse_ms >= self.period_ms:
            raise ValueError(
                f"pulse_ms is {self.pulse_ms:g} and period_ms {self.period_ms:g}: "
                "a pulse must be over before the next begins"
            )
        return self


class Params(OddsParams):
    """What a PI may change."""

    sources: ClassVar = {
        "center_required": f"{PROGRAM}; not in the first stage of training",
        "choice_window_s": f"{PAPER}: the mouse had 2 s to make its selection; {RECORD}: 15 s down to 2 s in training",
        "min_poke_ms": f"{OURS}: a nose that wobbles at a beam's edge breaks it for moments",
        "iti_min_s": f"{PAPER}: 1 s minimum inter-trial interval",
        "iti_reference": f"{PAPER}: withdrawal from the side port started the interval; {PROGRAM}: last_poke_entry",
        "iti_waits_for_empty_ports": OURS,
        "initiation_timeout_s": f"{PAPER}: no upper limit to trial initiation time",
        "max_dwell_s": f"{OURS}: paper and program have no limit",
        "error_poke": f"{PROGRAM}; the paper is silent",
        "center_repoke": f"{PROGRAM}, since April 2016; the paper is silent",
        "repoke_refractory_ms": OURS,
        "omission_iti": f"{PROGRAM}; the paper is silent",
        "omission_steps_markov": f"{PAPER}: the odds may change after completion of a trial",
        "reward_ul": f"{PAPER}: water was delivered in 2.5 ul increments",
        "laser": f"{PAPER}: no laser",
    }

    center_required: bool = Field(
        default=True, description="a trial begins at the center; false: a poke at a side is a choice at any time"
    )
    choice_window_s: Annotated[float, Live] = Field(
        default=2.0, ge=0.1, le=30, description="time to choose after the center poke"
    )
    min_poke_ms: float = Field(
        default=10,
        ge=0,
        le=50,
        description="a shorter poke is none: the board neither reports nor pays it; the rig file may ask for more",
    )
    iti_min_s: Annotated[float, Live] = Field(default=1.0, ge=0, le=30, description="inter-trial interval")
    iti_reference: Literal["side_withdrawal", "last_poke_entry", "decision_entry"] = Field(
        default="side_withdrawal",
        description="what the interval counts from; the original rig: the last nose into any port",
    )
    iti_waits_for_empty_ports: bool | None = Field(
        default=None,
        description="the interval stands still while a nose is in a port; by default with side_withdrawal",
    )
    initiation_timeout_s: Annotated[float | None, Live] = Field(
        default=None, gt=0, description="a center light that is not answered goes off for another interval"
    )
    max_dwell_s: float | None = Field(default=None, gt=0, description="a nose that stays longer ends its trial too")
    error_poke: Literal["restart_iti", "log_only"] = Field(
        default="restart_iti", description="what a poke does that is neither an initiation nor a decision"
    )
    center_repoke: Literal["abort", "ignore"] = Field(
        default="abort", description="what a second center poke does while choosing"
    )
    repoke_refractory_ms: float = Field(
        default=30, ge=0, le=1000, description="a nose that comes back to the center so soon only hovered"
    )
    omission_iti: Literal["none", "full"] = Field(
        default="none", description="interval after a window without a choice"
    )
    omission_steps_markov: bool = Field(default=False, description="an omission counts for the switch rule too")
    reward_ul: Annotated[RewardVolume, Live] = Field(default=2.5, ge=0.5, le=10, description="volume of a reward")
    laser: LaserParams | None = Field(
        default=None, description="a laser, of a rig with a device `laser`; none when not given"
    )

    @property
    def waits_for_empty_ports(self) -> bool:
        """Whether the interval stands still while a nose is in a port."""
        by_default = self.iti_reference == "side_withdrawal"
        return by_default if self.iti_waits_for_empty_ports is None else self.iti_waits_for_empty_ports

    def min_on_us(self) -> Mapping[str, int]:
        """Return the shortest poke that the board reports and rewards, in microseconds, for each port."""
        return dict.fromkeys(("left", "center", "right"), round(self.min_poke_ms * 1000))

    @model_validator(mode="after")
    def _laser_is_in_time(self) -> Params:
        if self.laser is None:
            return self
        window_s = self.choice_window_s if self.laser.at == "initiation" and self.center_required else 0.0
        longest_s = window_s + (LONGEST_DWELL_S if self.max_dwell_s is None else self.max_dwell_s)
        if self.laser.delay_ms > 1000 * longest_s:
            raise ValueError(
                f"laser.delay_ms is {self.laser.delay_ms:g}, and a trial is over {1000 * longest_s:g} ms after that "
                f"poke at the latest (without max_dwell_s a stay of {LONGEST_DWELL_S:g} s is reckoned with)"
            )
        return self
