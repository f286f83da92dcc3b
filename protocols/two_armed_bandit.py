"""The two-armed bandit of the nose ports (Beron et al. 2022), as a Markov task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from rig import CANCEL, NOTHING, Action, Edge, Gift, Needs, Next, Port, Row, Stream, Task, TaskParams, state, to_s


class Params(TaskParams):
    """What a PI may change."""

    p_high: float = Field(default=0.8, ge=0.5, le=1, description="reward probability of the high port")
    q_stay: float = Field(
        default=0.98, gt=0, le=1, description="probability per completed trial that the high port stays"
    )
    start_high_side: Literal["left", "right", "random"] = Field(default="random", description="high port at the start")
    choice_window_s: float = Field(default=2.0, ge=0.1, le=30, description="time to choose after the centre poke")
    iti_min_s: float = Field(default=1.0, ge=0, le=30, description="inter-trial interval, with every port empty")
    error_poke: Literal["restart_iti", "log_only"] = Field(
        default="restart_iti", description="a poke that is neither an initiation nor a decision"
    )
    center_repoke: Literal["abort", "ignore"] = Field(
        default="abort", description="a second centre poke while choosing"
    )
    omission_iti: Literal["none", "full"] = Field(
        default="none", description="interval after a window without a choice"
    )
    reward_ul: float = Field(default=2.5, ge=0.5, le=10, description="volume of a reward")


@dataclass
class Box:
    """Three ports in a row; water at the sides."""

    left: Annotated[Port, Needs("light", "valve")]
    centre: Annotated[Port, Needs("light")]
    right: Annotated[Port, Needs("light", "valve")]


@dataclass
class Trial(Row):
    """One row of the trial table; times are seconds of the session, empty where it never happened."""

    trial: int
    t_center_in: float
    t_center_out: float | None = None
    t_side_in: float | None = None
    t_side_out: float | None = None
    choice: str = ""
    rewarded: int = 0
    outcome: str = ""
    paid_by: str = ""
    p_left: float = 0.0
    p_right: float = 0.0
    high_side: str = ""
    block: int = 0
    trial_in_block: int = 0
    flipped_after: int = 0
    latency_s: float | None = None
    initiation_s: float | None = None
    reward_ul: float = 0.0
    error_pokes: int = 0

    def settle(self, gifts: Sequence[Gift]) -> None:
        """Say what left the valves, whatever was meant to."""
        given = [gift for gift in gifts if gift.status == "sure"]
        self.reward_ul = sum(gift.payment.ul for gift in given)
        self.rewarded = len(given)
        self.paid_by = ",".join(gift.by if gift.status == "sure" else gift.status for gift in gifts)
        if given and not self.choice:
            self.choice = given[0].payment.source
        if self.outcome == "chosen":
            self.outcome = "rewarded" if given else "unrewarded"

    def cut(self) -> None:
        """Mark the trial as one that could not be completed."""
        self.outcome = "cut"


class Blocks:
    """Which port is the high one: it stays with probability ``q_stay`` after every completed trial."""

    def __init__(self, params: Params, draw: Stream) -> None:
        self._params = params
        self._draw = draw
        self.number = 1
        self.trial = 1
        start = params.start_high_side
        self.high = start if start != "random" else "left" if draw.random() < 0.5 else "right"

    def odds(self) -> dict[str, float]:
        """Give each side's reward probability."""
        low = "right" if self.high == "left" else "left"
        return {self.high: self._params.p_high, low: round(1 - self._params.p_high, 12)}

    def step(self) -> bool:
        """Complete a trial; tell whether the high port has changed."""
        flips = self._draw.random() >= self._params.q_stay
        if flips:
            self.high = "right" if self.high == "left" else "left"
            self.number += 1
            self.trial = 0
        self.trial += 1
        return flips


class TwoArmedBandit(Task[Params, Box, Trial]):
    """Two ports pay with different odds; the odds swap without warning."""

    def prepare(self) -> None:
        """Draw the first high port."""
        box = self.box
        self.sides = (box.left, box.right)
        self.ports = (box.left, box.centre, box.right)
        self.any_poked = tuple(port.poked for port in self.ports)
        self.blocks = Blocks(self.params, self.stream("block"))
        self.trials = 0
        self.error_pokes = 0
        self.last_poke_us: int | None = None

    @state(to=("ready",), rest=True)
    async def iti(self) -> Next:
        """Every port must be empty for the whole interval; an error poke starts it anew."""
        left_s = self.params.iti_min_s
        while True:
            await self.all_empty()
            started_s = self.now_s
            poke = await self.first(*self.any_poked, within=left_s)
            if poke is None:
                return self.ready
            self.notice(poke)
            left_s = (
                self.params.iti_min_s if self.params.error_poke == "restart_iti" else left_s + started_s - self.now_s
            )

    @state(to=("choose", "iti", "ready"), rest=True)
    async def ready(self) -> Next:
        """The centre light calls the mouse; a poke there starts the trial."""
        with self.box.centre.light:
            poke = await self.first(*self.any_poked)
        if poke.source == "centre":
            self.open_trial(poke)
            return self.choose
        self.notice(poke)
        return self.iti if self.params.error_poke == "restart_iti" else self.ready

    @state(to=("outcome", "iti", "ready"))
    async def choose(self) -> Next:
        """The first side poked within the window is the choice, and is paid at once if it pays."""
        box, params = self.box, self.params
        answers = [(port.poked, self.prize(port)) for port in self.sides]
        if params.center_repoke == "abort":
            answers.append((box.centre.poked, CANCEL))
        with self.reflex(*answers), box.left.light, box.right.light:
            poke = await self.first(*(poked for poked, _ in answers), within=params.choice_window_s)
        self.notice_center_out()
        if poke is None:
            return self.close_trial("omission", self.iti if params.omission_iti == "full" else self.ready)
        self.last_poke_us = poke.t_us
        if poke.source == "centre":
            return self.close_trial("aborted", self.iti)
        self.row.choice = poke.source
        self.row.t_side_in = to_s(poke.t_us)
        self.row.latency_s = to_s(poke.t_us - self.center_in_us)
        return self.outcome

    @state(to=("iti",))
    async def outcome(self) -> Next:
        """The nose is in the chosen port; its leaving ends the trial."""
        port = self.box.left if self.row.choice == "left" else self.box.right
        gone = await self.first(port.freed)
        self.row.t_side_out = to_s(gone.t_us)
        self.notice_center_out()
        self.notice(*self.passed)
        self.row.flipped_after = int(self.blocks.step())
        return self.close_trial("chosen", self.iti)

    def carry(self) -> dict[str, Any]:
        """Keep which port was high at the end."""
        return {"last_high_side": self.blocks.high}

    # --- what the states share --------------------------------------------------------------------------------

    async def all_empty(self) -> None:
        """Wait until no nose is in any port."""
        while busy := [port.freed for port in self.ports if not self.holds(port.free)]:
            await self.first(*busy)
            self.notice(*self.passed)

    def open_trial(self, poke: Edge) -> None:
        """Begin the row, and decide which sides would pay: one draw, before the choice."""
        odds = self.blocks.odds()
        u = self.stream("reward").random()
        self.pays = {side: u < p for side, p in odds.items()}
        self.center_in_us = poke.t_us
        self.trials += 1
        self.begin(
            Trial(
                trial=self.trials,
                t_center_in=to_s(poke.t_us),
                p_left=odds["left"],
                p_right=odds["right"],
                high_side=self.blocks.high,
                block=self.blocks.number,
                trial_in_block=self.blocks.trial,
                initiation_s=None if self.last_poke_us is None else to_s(poke.t_us - self.last_poke_us),
                error_pokes=self.error_pokes,
            )
        )
        self.error_pokes = 0
        self.last_poke_us = poke.t_us

    def prize(self, port: Port) -> Action:
        """Give the deed that answers a poke at a side."""
        return port.drop(self.params.reward_ul) if self.pays[port.name] else NOTHING

    def notice(self, *edges: Edge) -> None:
        """Count pokes that are neither an initiation nor a decision."""
        for edge in edges:
            if edge.level:
                self.error_pokes += 1
                self.last_poke_us = edge.t_us

    def notice_center_out(self) -> None:
        """Write down when the nose left the centre, if the last wait passed over it, and came back to it."""
        for edge in self.passed:
            if edge.source == "centre" and edge.level:
                self.last_poke_us = edge.t_us
            elif edge.source == "centre" and self.row.t_center_out is None:
                self.row.t_center_out = to_s(edge.t_us)

    def close_trial(self, outcome: str, following: Next) -> Next:
        """Finish the row and go on."""
        self.row.outcome = outcome
        self.finish()
        return following
