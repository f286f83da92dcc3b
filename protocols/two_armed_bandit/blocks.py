"""Reward probabilities of the two-armed bandit: the high port, and the switch rules."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from protocols.two_armed_bandit.params import OddsParams
from protocols.two_armed_bandit.tables.recorded_trials import RecordedTrials
from rig import Stream

SIDES = ("left", "right")


def other(side: str) -> str:
    """Return the opposite side."""
    return SIDES[1 - SIDES.index(side)]


class Blocks(ABC):
    """Blocks of trials with one high port: ``number`` counts blocks, ``trial`` the trials of this block, from 1."""

    def __init__(self, high: str) -> None:
        self.high = high
        self.number = 1
        self.trial = 1
        self.finished = False

    @abstractmethod
    def odds(self) -> dict[str, float]:
        """Return each side's reward probability."""

    def would_reward(self, side: str) -> bool | None:
        """Return whether a side pays in this trial, if it is recorded; otherwise None."""
        return None

    def described(self) -> dict[str, Any]:
        """Return the columns of the trial table with high side and probabilities."""
        odds = {f"p_{side}": p for side, p in self.odds().items()}
        return {**odds, "high_side": self.high, "block": self.number, "trial_in_block": self.trial}

    @abstractmethod
    def next_high(self, rewarded: bool) -> str:
        """Return which port is high after a completed trial."""

    def advance(self, rewarded: bool) -> bool:
        """Update block and trial by a completed trial; return whether the high port has changed."""
        following = self.next_high(rewarded)
        flips = following != self.high
        self.trial = 1 if flips else self.trial + 1
        self.number += flips
        self.high = following
        return flips


class DrawnBlocks(Blocks):
    """Blocks drawn by one of the switch rules."""

    def __init__(self, params: OddsParams, p_high: float, high: str, draw: Stream) -> None:
        super().__init__(high)
        self._params = params
        self._p_high = p_high
        self._draw = draw
        self._rewards = 0
        self._wanted = self._new_length()

    def odds(self) -> dict[str, float]:
        """Return each side's reward probability."""
        return {self.high: self._p_high, other(self.high): self._params.low_of(self._p_high)}

    def next_high(self, rewarded: bool) -> str:
        """Return which port is high after a completed trial, by the switch rule."""
        self._rewards += rewarded
        if not self._ends():
            return self.high
        self._rewards = 0
        self._wanted = self._new_length()
        return other(self.high)

    def _ends(self) -> bool:
        rule = self._params.switch_rule
        if rule == "markov":
            return not self._draw.bernoulli(self._params.q_stay)
        if rule == "reward_block":
            return self._rewards >= self._wanted
        return rule == "fixed_block" and self.trial >= self._params.block_trials

    def _new_length(self) -> int:
        low, high = self._params.block_rewards_min, self._params.block_rewards_max
        return self._draw.integer(low, high) if low < high else low


class RecordedBlocks(Blocks):
    """Blocks of a recorded session; after its last row the last probabilities stay."""

    def __init__(self, recorded: RecordedTrials, *, outcomes: bool) -> None:
        self._rows = recorded.rows
        self._row = 0
        self._outcomes = outcomes
        super().__init__(self._high())

    def _high(self) -> str:
        p_left, p_right, *_ = self._rows[self._row]
        return "left" if p_left >= p_right else "right"

    def odds(self) -> dict[str, float]:
        """Return each side's reward probability."""
        p_left, p_right, *_ = self._rows[self._row]
        return {"left": p_left, "right": p_right}

    def would_reward(self, side: str) -> bool | None:
        """Return the row's outcome for the chosen side; the other side gives nothing."""
        _, _, chosen, reward = self._rows[self._row]
        return side == chosen and bool(reward) if self._outcomes else None

    def next_high(self, rewarded: bool) -> str:
        """Move to the next row; return which port is high in it."""
        last = self._row + 1 == len(self._rows)
        self.finished = self._outcomes and last
        self._row += not last
        return self._high()


def blocks_of(params: OddsParams, carried_over: Mapping[str, object], stream: Stream, condition: Stream) -> Blocks:
    """Build the session's blocks; the condition and the first high side are drawn unless they are given."""
    recorded = params.trials_from or params.blocks_from
    if recorded is not None:
        return RecordedBlocks(recorded, outcomes=params.trials_from is not None)
    high = _first_side(params, carried_over, stream)
    return DrawnBlocks(params, _condition(params, carried_over, condition), high, stream)


def _first_side(params: OddsParams, carried_over: Mapping[str, object], stream: Stream) -> str:
    last = carried_over.get("start_high_side")
    if params.start_high_side == "alternate" and last in SIDES:
        return other(last)
    if params.start_high_side in SIDES:
        return params.start_high_side
    return stream.choice(SIDES)


def _condition(params: OddsParams, carried_over: Mapping[str, object], stream: Stream) -> float:
    left = conditions_left(params, carried_over)
    if not left:
        return params.p_high
    return left[0] if params.condition_order == "listed" else stream.choice(left)


def draw_outcomes(blocks: Blocks, params: OddsParams, stream: Stream) -> dict[str, bool]:
    """Return which sides would pay; nothing is drawn if the outcomes are recorded."""
    on_record = {side: blocks.would_reward(side) for side in SIDES}
    if None not in on_record.values():
        return {side: bool(pays) for side, pays in on_record.items()}
    odds = blocks.odds()
    if params.reward_draw == "at_initiation_both":
        return {side: stream.bernoulli(odds[side]) for side in SIDES}
    # One number for both sides: the chosen one pays as often as with a draw after its entry (Beron et al. 2022). The
    # columns `drawn_left` and `drawn_right` are then not independent.
    once = stream.random()
    return {side: once < odds[side] for side in SIDES}


def carry_over(
    params: OddsParams, carried_over: Mapping[str, object], blocks: Blocks, first_high: str
) -> dict[str, object]:
    """Return the state for the subject's next session: first and last high side, and the conditions used."""
    kept = {"start_high_side": first_high, "last_high_side": blocks.high}
    if not params.conditions:  # a session without conditions does not end the round
        return kept | (
            {"conditions_used": carried_over["conditions_used"]} if "conditions_used" in carried_over else {}
        )
    left = list(conditions_left(params, carried_over))
    # The condition of a session is the higher one of its odds.
    left.remove(max(blocks.odds().values()))
    had = list(params.conditions)
    for p_high in left:
        had.remove(p_high)
    return {**kept, "conditions_used": had if left else []}


def conditions_left(params: OddsParams, carried_over: Mapping[str, Any]) -> Sequence[float]:
    """Return the conditions of this round that the subject has not had yet."""
    had = [*carried_over.get("conditions_used", ())]
    left = list(params.conditions)
    for p_high in had:
        if p_high in left:
            left.remove(p_high)
    return left or params.conditions
