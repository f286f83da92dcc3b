"""The two-armed bandit of the nose ports (Beron et al. 2022), with the training that leads to it.

Where the paper is silent the original rig's program decides; where it was silent too, a parameter does.
"""

from __future__ import annotations

from typing import Any

from protocols.two_armed_bandit_odds import SIDES, blocks_of, carried_on, draw_outcomes
from protocols.two_armed_bandit_params import Params
from protocols.two_armed_bandit_rows import PORTS, Box, Trial
from rig import CANCEL, NOTHING, Action, Edge, Loaded, Next, NotReadyError, Task, state, to_s, to_us


class TwoArmedBandit(Task[Params, Box, Trial]):
    """Two ports pay with different odds; the odds swap without warning."""

    laser: tuple[Loaded, Loaded] | None = None
    laser_from_us: int | None = None

    def prepare(self) -> None:
        """Look that the ports are empty; draw the first high port."""
        params, box = self.params, self.box
        self.sides, self.ports = (box.left, box.right), (box.left, box.centre, box.right)
        self.any_poked = tuple(port.poked for port in self.ports)
        broken = [port.name for port in self.ports if not self.holds(port.free)]
        if broken:
            raise NotReadyError(f"the beam of {' and '.join(broken)} is broken before the session: a nose, or dirt?")
        self.laser = self.load_laser() if params.laser_p > 0 else None
        self.blocks = blocks_of(params, self.carried, self.stream("block"), self.stream("condition"))
        self.first_high = self.blocks.high
        self.trials = self.error_pokes = 0
        self.last_poke_us: int | None = None
        self.iti_from_us = self.now_us
        waits = params.iti_waits_for_empty_ports
        self.waits_for_empty = params.iti_reference == "side_withdrawal" if waits is None else waits

    @state(to=("ready", "forage"), rest=True)
    async def iti(self) -> Next:
        """An interval of rest; an error poke starts it anew."""
        whole_us = to_us(self.params.iti_min_s)
        left_us = max(0, self.iti_from_us + whole_us - self.now_us)
        while True:
            if self.waits_for_empty:
                await self.all_empty()
            started_us = self.now_us
            poke = await self.first(*self.any_poked, within=to_s(left_us)) if left_us else None
            if poke is None:
                return self.ready if self.params.center_required else self.forage
            self.notice(poke)
            left_us = whole_us if self.params.error_poke == "restart_iti" else left_us - (self.now_us - started_us)

    @state(to=("choose", "iti", "ready"), rest=True)
    async def ready(self) -> Next:
        """The centre light calls the mouse; a poke there starts the trial."""
        with self.box.centre.light:
            poke = await self.first(*self.any_poked, within=self.params.initiation_timeout_s)
        if poke is not None and poke.source == "centre":
            self.center_in_us = poke.t_us
            return self.choose
        if poke is not None:
            self.notice(poke)
            if self.params.error_poke == "log_only":
                return self.ready
        return self.rest()

    @state(to=("outcome", "iti", "ready"))
    async def choose(self) -> Next:
        """The first side poked within the window is the choice, and is paid at once if it pays."""
        box, params = self.box, self.params
        answers = self.answers()
        self.begin(self.new_row(self.center_in_us))
        if params.center_repoke == "abort":
            answers.append((box.centre.poked, CANCEL))
        closes_us = self.center_in_us + to_us(params.choice_window_s)
        self.fire_laser("initiation")
        with box.left.light, box.right.light:
            while True:
                with self.reflex(*answers):
                    poke = await self.first(*(poked for poked, _ in answers), within=to_s(closes_us - self.now_us))
                self.notice_center_out()
                if poke is None or poke.source != "centre" or not self.hovered(poke):
                    break
        if poke is None:
            return await self.omit()
        if poke.source == "centre":
            self.last_poke_us = poke.t_us
            return await self.close_trial("aborted", self.rest())
        self.take(poke)
        self.row.latency_s = to_s(poke.t_us - self.center_in_us)
        return self.outcome

    @state(to=("outcome", "iti"), rest=True)
    async def forage(self) -> Next:
        """Without a centre: both sides are lit and armed, and a poke at one is the choice."""
        with self.reflex(*self.answers()), self.box.left.light, self.box.right.light:
            poke = await self.first(self.box.left.poked, self.box.right.poked, within=self.params.initiation_timeout_s)
        self.notice(*self.passed)
        if poke is None:
            return self.rest()
        self.trial = self.new_row()  # what it was given belongs to it already
        self.take(poke)
        return self.outcome

    @state(to=("iti",))
    async def outcome(self) -> Next:
        """The nose is in the chosen port; its leaving ends the trial."""
        port = self.box.left if self.row.choice == "left" else self.box.right
        gone = await self.first(port.freed, within=self.params.max_dwell_s)
        self.row.t_side_out = None if gone is None else to_s(gone.t_us)
        self.row.ambiguous = int(any(edge.t_us == self.side_in_us and edge.source in SIDES for edge in self.passed))
        self.notice_center_out()
        self.notice(*self.passed)
        since_us = {
            "side_withdrawal": self.now_us,
            "last_poke_entry": self.last_poke_us,
            "decision_entry": self.side_in_us,
        }
        following = self.rest(since_us[self.params.iti_reference])
        if any(reward.status == "pending" for reward in self.rewards):
            await self.settled()
        rewarded = any(reward.status == "delivered" for reward in self.rewards)
        self.row.flipped_after = int(self.blocks.step(rewarded))
        return await self.close_trial("chosen", following)

    def carry(self) -> dict[str, Any]:
        """Keep what the next session's start depends on."""
        return carried_on(self.params, self.carried, self.blocks, self.first_high)

    def load_laser(self) -> tuple[Loaded, Loaded]:
        """Put the laser's pulses on the board, and the delay that starts them: so the board says when they began."""
        params = self.params
        if self.box.laser is None:
            raise NotReadyError("laser_p asks for a laser: give the rig file a device `laser: {kind: ttl_out, pin: N}`")
        flash = self.box.laser.flashes(params.laser_ms, params.laser_pulse_ms, params.laser_period_ms)
        flashes = self.sequence((0, flash))
        delay_ms = max(0.0, params.laser_delay_ms - params.min_poke_ms)  # the poke is so old when the board reports it
        return flashes, self.sequence((delay_ms / 1000, flashes.begin))

    def on_interrupted(self) -> None:
        """Begin an interval anew."""
        self.iti_from_us = self.now_us

    def finish_interrupted(self) -> None:
        """Close a trial that could not be completed; it says of its laser what was heard of it."""
        self.see_laser()
        self.laser_from_us = None
        super().finish_interrupted()

    # --- what the states share --------------------------------------------------------------------------------

    async def all_empty(self) -> None:
        """Wait until no nose is in any port."""
        while busy := [port.freed for port in self.ports if not self.holds(port.free)]:
            await self.first(*busy)
            self.notice(*self.passed)

    async def settled(self) -> None:
        """Pass over everything until the board has done what was ordered; a poke meanwhile is one in the interval."""
        await self.executed()
        self.notice(*self.passed)
        pokes_us = [edge.t_us for edge in self.passed if edge.level and edge.source in PORTS]
        if pokes_us and self.params.error_poke == "restart_iti":
            self.iti_from_us = max(pokes_us)

    def rest(self, since_us: int | None = None) -> Next:
        """Go to an interval that counts from now, or from ``since_us``."""
        self.iti_from_us = self.now_us if since_us is None else since_us
        return self.iti

    def answers(self) -> list[tuple[Any, Action]]:
        """Draw which sides would pay, before the choice, and say what the board does when a side is poked."""
        self.pays = draw_outcomes(self.blocks, self.params, self.stream("reward"))
        ul = self.params.reward_ul
        return [(port.poked, port.drop(ul) if self.pays[port.name] else NOTHING) for port in self.sides]

    def new_row(self, center_in_us: int | None = None) -> Trial:
        """Make the row of the next trial."""
        self.trials += 1
        odds = self.blocks.odds()
        row = Trial(
            trial=self.trials,
            p_left=odds["left"],
            p_right=odds["right"],
            high_side=self.blocks.high,
            block=self.blocks.number,
            trial_in_block=self.blocks.trial,
            error_pokes=self.error_pokes,
            drawn_left=int(self.pays["left"]),
            drawn_right=int(self.pays["right"]),
            drawn_laser=int(self.params.laser_p > 0 and self.stream("laser").bernoulli(self.params.laser_p)),
        )
        self.error_pokes = 0
        if center_in_us is not None:
            row.t_center_in = to_s(center_in_us)
            row.initiation_s = None if self.last_poke_us is None else to_s(center_in_us - self.last_poke_us)
            self.last_poke_us = center_in_us
        return row

    def take(self, poke: Edge) -> None:
        """Write down the choice."""
        self.row.choice = poke.source
        self.row.t_side_in = to_s(poke.t_us)
        self.last_poke_us = self.side_in_us = poke.t_us
        self.fire_laser("choice")

    async def omit(self) -> Next:
        """Close a trial without a choice."""
        if self.params.omission_steps_markov:
            self.row.flipped_after = int(self.blocks.step(rewarded=False))
        return await self.close_trial("omission", self.rest() if self.params.omission_iti == "full" else self.ready)

    def notice(self, *edges: Edge) -> None:
        """Count pokes that are neither an initiation nor a decision."""
        for edge in edges:
            if edge.level and edge.source in PORTS:
                self.error_pokes += 1
                self.last_poke_us = edge.t_us

    def notice_center_out(self) -> None:
        """Write down when the nose left the centre, if the last wait passed over it, and came back to it."""
        if self.row.t_center_in is None:
            return
        for edge in self.passed:
            if edge.source == "centre" and edge.level:
                self.last_poke_us = edge.t_us
            elif edge.source == "centre" and self.row.t_center_out is None:
                self.row.t_center_out = to_s(edge.t_us)
                self.center_out_us = edge.t_us

    def hovered(self, poke: Edge) -> bool:
        """Tell whether a nose at the centre only wobbled in the beam; if so it has not left yet."""
        if self.row.t_center_out is None or poke.t_us - self.center_out_us >= self.params.repoke_refractory_ms * 1000:
            return False
        self.row.t_center_out = None
        return True

    def fire_laser(self, at: str) -> None:
        """Start the laser, in a trial that has it, at the poke that it follows."""
        if self.laser is not None and self.row.drawn_laser and self.params.laser_at == at:
            _, delay = self.laser
            delay.start()
            self.laser_from_us = self.now_us

    def see_laser(self) -> bool:
        """Record when the laser came on in this trial; return whether its outcome is final."""
        if self.laser is None or self.laser_from_us is None or self.trial is None:
            return True
        began_us = self.began_us(self.laser[0])
        if began_us is None or began_us < self.laser_from_us:
            return False
        self.trial.laser, self.trial.t_laser = 1, to_s(began_us)
        return True

    async def close_trial(self, outcome: str, following: Next) -> Next:
        """Finish the row and go on; a laser that has not come on by now is called off."""
        if self.laser is not None and not self.see_laser():
            self.laser[1].stop()
            await self.settled()
            self.see_laser()
        self.laser_from_us = None
        self.row.outcome = outcome
        if self.blocks.over:
            self.end("task_finished")
        self.finish()
        return following
