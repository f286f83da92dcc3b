"""The two-armed bandit of the nose ports (Beron et al. 2022), with the training that leads to it.

Details follow the paper, then the original rig's program, then parameters of this project.
"""

from __future__ import annotations

from typing import ClassVar

from protocols.two_armed_bandit.blocks import blocks_of, carry_over, draw_outcomes, other
from protocols.two_armed_bandit.laser import Laser
from protocols.two_armed_bandit.params import Params
from protocols.two_armed_bandit.rows import VIEWS, Box, Trial
from rig import CANCEL, NOTHING, Action, Edge, EdgePattern, Next, RewardStatus, Task, state


class TwoArmedBandit(Task[Params, Box, Trial]):
    """Two ports pay with different probabilities, which swap without a signal."""

    views: ClassVar = VIEWS
    publications = ("https://doi.org/10.1073/pnas.2113961119",)

    def prepare(self) -> None:
        """Check that the ports are empty, and draw the first high port."""
        params, box = self.params, self.box
        self.sides, self.ports = {"left": box.left, "right": box.right}, (box.left, box.center, box.right)
        self.require_clear(*self.ports)
        self.laser = Laser(self, params.laser, box.laser, params.min_poke_ms)
        self.blocks = blocks_of(params, self.carried_over, self.stream("block"), self.stream("condition"))
        self.first_high = self.blocks.high
        self.iti_from_s = self.now_s
        self.center_in_s = self.at_center_s = self.now_s
        self.accounted_pokes = self.entries(*self.ports)

    @state(to=("ready", "forage"), can_end=True)
    async def iti(self) -> Next:
        """Wait for the inter-trial interval; an error poke restarts it."""
        params = self.params
        restart, clear = params.error_poke == "restart_iti", params.waits_for_empty_ports
        await self.quiet(params.iti_min_s, *self.ports, since_s=self.iti_from_s, restart=restart, clear=clear)
        return self.ready if params.center_required else self.forage

    @state(to=("choose", "iti", "ready"), can_end=True, when=lambda params: params.center_required)
    async def ready(self) -> Next:
        """Wait for a poke at the lit center, which starts the trial."""
        last_poke_s = self.last_entry_s(*self.ports)
        # A rebound is no new visit to the center: the visit began with its first poke.
        if last_poke_s == self.at_center_s:
            last_poke_s = self.center_in_s
        with self.box.center.light:
            poke = await self.first(*(port.poked for port in self.ports), within=self.params.initiation_timeout_s)
        if poke is not None and poke.source == "center":
            self.center_in_s = self.at_center_s = poke.t_s
            self.initiation_s = None if last_poke_s is None else poke.after_s(last_poke_s)
            return self.choose
        if poke is not None and self.params.error_poke == "log_only":
            return self.ready
        return self.start_iti()

    @state(to=("outcome", "iti", "ready"))
    async def choose(self) -> Next:
        """Wait for the choice, the first side poke within the window; the board rewards it at once if it pays."""
        box, params = self.box, self.params
        answers = self.draw_reflexes()
        row = self.begin_trial(self.new_row())
        row.t_center_in, row.initiation_s = self.center_in_s, self.initiation_s
        self.laser.start("initiation", row)
        if params.center_repoke == "abort":
            answers.append((box.center.poked, CANCEL))
        with box.left.light, box.right.light:
            while True:
                poke = await self.react(*answers, until_s=self.center_in_s + params.choice_window_s)
                if poke is None or not self.is_rebound(poke):
                    break
        self.accounted_pokes = self.entries(*self.ports)
        self.record_center_exit()
        if poke is None:
            # The odds may change after a completed trial only (Beron et al. 2022); an omission completes none.
            row.flipped_after = int(params.omission_steps_markov and self.blocks.advance(rewarded=False))
            return await self.complete_trial(
                self.ready if params.omission_iti == "none" else self.start_iti(), "omission"
            )
        if poke.source == "center":
            return await self.complete_trial(self.start_iti(), "aborted")
        row.latency_s = poke.after_s(self.center_in_s)
        return self.record_choice(poke)

    @state(to=("outcome", "iti"), can_end=True, when=lambda params: not params.center_required)
    async def forage(self) -> Next:
        """Wait for the choice without a center: the first poke at one of the lit and armed sides."""
        with self.box.left.light, self.box.right.light:
            poke = await self.react(*self.draw_reflexes(), within=self.params.initiation_timeout_s)
        if poke is None:
            return self.start_iti()
        # The board may have delivered the drop before this row begins.
        self.begin_trial(self.new_row(), keep_rewards=True)
        return self.record_choice(poke)

    @state(to=("iti",))
    async def outcome(self) -> Next:
        """Wait until the nose leaves the chosen port, which ends the trial."""
        row, chosen, unchosen = self.row, self.sides[self.row.choice], self.sides[other(self.row.choice)]
        gone = await self.first(chosen.freed, within=self.params.max_dwell_s)
        row.t_side_out = None if gone is None else gone.t_s
        # Of two entries in one microsecond the channel that comes first in the rig file counts.
        row.ambiguous = int(unchosen.last_entry_s == row.t_side_in)
        self.record_center_exit()
        # Beron et al. (2022) can be read as the first or the last: withdrawal started the interval, which followed
        # selection. The original program counts from the last entry into any port.
        references = {
            "side_withdrawal": self.now_s,
            "last_poke_entry": self.last_entry_s(*self.ports),
            "decision_entry": row.t_side_in,
        }
        following = self.start_iti(references[self.params.iti_reference])
        # A reward block counts delivered rewards, so that the switch rule needs the answer of the board.
        if any(reward.status is RewardStatus.PENDING for reward in self.rewards):
            await self.wait_settled()
        rewarded = any(reward.status is RewardStatus.DELIVERED for reward in self.rewards)
        row.flipped_after = int(self.blocks.advance(rewarded))
        return await self.complete_trial(following)

    def carry_over(self) -> dict[str, object]:
        """Return the state on which the start of the next session depends."""
        return carry_over(self.params, self.carried_over, self.blocks, self.first_high)

    def on_interrupted(self) -> None:
        """Start the interval again."""
        self.start_iti()

    def end_interrupted_trial(self) -> None:
        """Close the row of an interrupted trial, with the laser's state as far as known."""
        if self.trial is not None:
            self.laser.record(self.trial)
        super().end_interrupted_trial()

    # --- what the states share --------------------------------------------------------------------------------

    def start_iti(self, since_s: float | None = None) -> Next:
        """Return the interval's state; the interval counts from ``since_s``, or from now."""
        self.iti_from_s = self.now_s if since_s is None else since_s
        return self.iti

    def draw_reflexes(self) -> list[tuple[EdgePattern, Action]]:
        """Draw before the choice which sides would pay; return the reflexes for the board."""
        self.pays = draw_outcomes(self.blocks, self.params, self.stream("reward"))
        ul = self.params.reward_ul
        return [(port.poked, port.drop(ul) if self.pays[side] else NOTHING) for side, port in self.sides.items()]

    def new_row(self) -> Trial:
        """Build the next trial's row; pokes since the last trial that did not start this one are errors."""
        # One of them is the poke that starts this trial.
        error_pokes = self.entries(*self.ports) - self.accounted_pokes - 1
        self.accounted_pokes += error_pokes + 1
        return Trial(
            **self.blocks.described(),
            error_pokes=error_pokes,
            drawn_left=int(self.pays["left"]),
            drawn_right=int(self.pays["right"]),
            drawn_laser=int(self.laser.draw()),
        )

    def is_rebound(self, poke: Edge) -> bool:
        """Whether a center poke followed the last exit so soon that it is a rebound."""
        # A nose that wobbles at the beam's edge breaks it again at once, which must not void its trial.
        left_s = self.box.center.last_exit_s
        if poke.source != "center" or left_s is None or poke.after_s(left_s) >= self.params.repoke_refractory_ms / 1000:
            return False
        self.at_center_s = poke.t_s
        return True

    def record_center_exit(self) -> None:
        """Record when the nose left the center after the initiation, as far as known."""
        if self.row.t_center_in is not None:
            self.row.t_center_out = next(iter(self.box.center.exits_since(self.at_center_s)), None)

    def record_choice(self, poke: Edge) -> Next:
        """Record the choice, and return the outcome state."""
        self.row.choice, self.row.t_side_in = poke.source, poke.t_s
        self.laser.start("choice", self.row)
        return self.outcome

    async def complete_trial(self, following: Next, outcome: str = "") -> Next:
        """Close the row, and return the next state; a laser that has not started is cancelled."""
        if not self.laser.record(self.row):
            self.laser.cancel()
            await self.wait_settled()
            self.laser.record(self.row)
        self.row.outcome = outcome
        if self.blocks.finished:
            self.end("task_finished")
        self.end_trial()
        return following

    async def wait_settled(self) -> None:
        """Wait until the board has executed all orders; pokes meanwhile count as pokes in the interval."""
        pokes = self.entries(*self.ports)
        await self.wait_executed()
        if self.entries(*self.ports) > pokes and self.params.error_poke == "restart_iti":
            self.start_iti(self.last_entry_s(*self.ports))
