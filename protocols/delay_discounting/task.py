"""Spatial delay discounting on a T-maze (Papale et al. 2012), with the training that leads to it.

A rat runs laps. One side of the maze gives a small reward after a second, the other a larger one after a delay that
grows with every choice of it and shrinks with every choice of the other. A countdown of tones tells the delay.

The board does everything at a reward site. For each side it holds two sequences: the countdown and the meal. The
entry's edge starts the countdown, and the exit's edge stops it. The countdown starts the meal with its last tone.
Nothing stops the meal: an exit after the first pellet cancels nothing.
"""

from __future__ import annotations

from typing import ClassVar

from protocols.delay_discounting.conditions import draw_condition
from protocols.delay_discounting.maze import VIEWS, Box, ChoicePoint, JamDetector, Lap, Site, log_condition, sites_of
from protocols.delay_discounting.params import Params
from protocols.delay_discounting.titration import Titration
from rig import NOTHING, Edge, Feeder, Next, Task, exact_s, state

MARGIN_S = 0.001
"""An exit may stop the countdown slightly after its end, because the board starts countdown and meal with a delay."""


class DelayDiscounting(Task[Params, Box, Lap]):
    """Laps on a T-maze: a small reward soon, or a larger one after a delay that follows the choices."""

    views: ClassVar = VIEWS
    publications = ("https://doi.org/10.3758/s13415-012-0097-7",)

    def prepare(self) -> None:
        """Check that the sites are empty, draw the session's condition, and load meals and countdowns."""
        params, box = self.params, self.box
        self.require_clear(box.left, box.right)
        self.condition, self.next_carry_over = draw_condition(
            params, self.carried_over, self.stream("pool"), self.stream("side")
        )
        self.titration = Titration(params, self.condition.initial_delay_s)
        self.sites = sites_of(self, self.condition)
        self.choice = ChoicePoint(box.choice)
        self.jam_detector = JamDetector()
        self.start_s = self.now_s
        log_condition(self, self.condition)

    @state(to=("run",), can_end=True)
    async def ready(self) -> Next:
        """Wait for the rat in the start zone, and load both countdowns on the board."""
        await self.until(self.box.start.occupied)
        self.start_s = max(self.now_s, self.start_zone_s)
        for side, site in self.sites.items():
            delayed = self.condition.is_delayed(side)
            site.countdown.load(self.titration.delay_s if delayed else self.params.small_delay_s)
        return self.run

    @state(to=("countdown",), can_end=True)
    async def run(self) -> Next:
        """Wait for the choice: the entry to a site, which starts its countdown."""
        unarmed = 0
        starts = [(site.zone.entered, site.countdown.start_action) for site in self.sites.values() if site.is_open]
        # In training a wooden block closes a side (Papale et al. 2012); an entry all the same starts nothing.
        blocked = [(site.zone.entered, NOTHING) for site in self.sites.values() if not site.is_open]
        while (entry := await self.react(*starts, *blocked)).source == self.condition.blocked:
            unarmed += 1
        row = self.begin_trial(self.new_lap(entry))
        row.unarmed_entries = unarmed
        await self.start_countdown(entry)
        return self.countdown

    @state(to=("deliver", "back"))
    async def countdown(self) -> Next:
        """Run the countdown, one tone per second; leaving before the first pellet cancels tones and reward."""
        row, zone, countdown = self.row, self.site.zone, self.site.countdown
        if zone.is_clear:  # the rat left before the board reported the start of the countdown
            self.do(countdown.stop_action)
            left_s = zone.last_exit_s
        else:
            # The reflex fires `confirm_off_s` after the exit's stamp: a later exit cannot stop the countdown any more.
            confirmed_s = zone.confirm_off_s if zone.detector == "beam" else 0
            gone = await self.react((zone.left, countdown.stop_action), until_s=self.reward_s + MARGIN_S - confirmed_s)
            left_s = None if gone is None else gone.t_s
        self.record_visit()
        stopped_s = await self.wait_stopped(left_s)
        if left_s is None or self.rewards:
            row.n_tones += self.counts_s + 1
            return self.deliver
        # The first tone sounds at the start, the others one second apart.
        sounded = min(int(exact_s(stopped_s - self.countdown_start_s)) + 1, self.counts_s)
        row.n_tones += sounded
        row.outcome = "skip"
        if not self.params.skip_updates:
            self.set_next_delay(row.delay_before_s)
        self.remaining_s = self.counts_s - sounded + 1
        return self.back

    @state(to=("consume",))
    async def deliver(self) -> Next:
        """Wait for the pellets, whether or not the rat stays; a pellet that a proven sensor misses is tried again."""
        row, feeder, wanted = self.row, self.site.feeder, self.site.pellets
        row.outcome, row.delay_experienced_s = "rewarded", self.chosen_s
        self.set_next_delay(self.moved_s)
        try:
            await self.sleep(until_s=self.reward_s + feeder.takes_s(wanted))
        finally:  # a session that is stopped now still records the pellets
            self.record_visit()
            missing = wanted - self.count_pellets(feeder, wanted)
        if feeder.dropped is not None and self.rewards:
            # A sensor that has seen no pellet of this feeder yet may be blind: a second try could give a second pellet.
            is_proven = bool(feeder.dropped_since(0))
            if missing and not is_proven:
                self.note(what="pellets_unseen", feeder=feeder.name, lap=row.lap, pellets=missing)
            for _ in range(missing if is_proven else 0):
                self.note(what="pellet_missing", feeder=feeder.name, lap=row.lap)
                given = len(self.rewards)
                self.do(feeder.pellets())
                if len(self.rewards) == given:
                    break  # the reward limit forbids it
                row.pellets_retried += 1
                await self.sleep(feeder.drop_s)
                self.record_visit()
                missing = wanted - self.count_pellets(feeder, wanted)
            # A second try that the reward limit forbids is no sign of a jam.
            missed = min(missing, row.pellets_retried) if is_proven else missing
            self.jam_detector.update(feeder, missed, self.params.jams_stop)
        return self.consume

    @state(to=("back",), can_end=True)
    async def consume(self) -> Next:
        """Wait until the rat leaves the site."""
        await self.until(self.site.zone.empty)
        return self.back

    @state(to=("ready", "countdown"), can_end=True)
    async def back(self) -> Next:
        """Wait for the start zone, which ends the lap; sites are not armed, except for a permitted re-entry."""
        row, site = self.row, self.site
        self.record_visit()
        if row.t_site_exit is not None and self.start_zone_s > row.t_site_exit:
            return self.end_lap()  # the rat was there before its exit was confirmed
        returns = row.outcome == "skip" and self.params.reentry != "no_restart"
        if returns:
            site.countdown.load(self.remaining_s if self.params.reentry == "resume" else self.counts_s)
        while True:
            with self.reflex(*[(site.zone.entered, site.countdown.start_action)] * returns):
                edge = await self.first(*(zone.entered for zone in (self.box.start, self.box.left, self.box.right)))
            if edge.source == "start":
                return self.end_lap()
            if edge.source != row.side:
                row.unarmed_entries += 1
                continue
            row.reentries += 1
            if returns:
                row.outcome, row.t_site_exit = "", None
                await self.start_countdown(edge)
                return self.countdown

    def carry_over(self) -> dict[str, object]:
        """Return the conditions used, and in training the number of days with enough laps."""
        if self.params.blocked == "none":
            return self.next_carry_over
        # Days in a row, because the rat must run the laps reliably (Papale et al. 2012).
        enough = self.trial_number >= self.params.criterion_laps
        return {
            **self.next_carry_over,
            "criterion_days": self.carried_over.get("criterion_days", 0) + 1 if enough else 0,
        }

    # --- what the states share --------------------------------------------------------------------------------

    @property
    def start_zone_s(self) -> float:
        """Return the time of the last entry to the start zone."""
        return self.box.start.last_entry_s or 0.0

    @property
    def site(self) -> Site:
        """Return the chosen site of this lap."""
        return self.sites[self.row.side]

    def new_lap(self, entry: Edge) -> Lap:
        """Build the row of a lap after its choice, and update the delay."""
        side, before_s, delayed = entry.source, self.titration.delay_s, self.condition.is_delayed(entry.source)
        if not self.condition.blocked:
            self.titration.update(delayed=delayed)
        # The countdown that is loaded is this lap's: a choice moves the delay of the next lap (Papale et al. 2012).
        self.moved_s, self.chosen_s = self.titration.delay_s, self.sites[side].countdown.seconds
        t_choice_enter, t_choice_exit = self.choice.visit(max(self.start_s, self.start_zone_s))
        return Lap(
            lap=self.trial_number + 1,
            side=side,
            is_delayed_side=int(delayed),
            delay_before_s=before_s,
            t_choice_enter=t_choice_enter,
            t_choice_exit=t_choice_exit,
            t_site_enter=entry.t_s,
            delay_after_s=self.moved_s,
            t_start=self.start_s,
            delayed_side=self.condition.delayed_side,
            large_pellets=self.condition.large_pellets,
            initial_delay_s=self.condition.initial_delay_s,
        )

    def set_next_delay(self, delay_s: int) -> None:
        """Set the delay of the next lap."""
        self.titration.delay_s = self.row.delay_after_s = delay_s

    def end_lap(self) -> Next:
        """Record the end of the lap, and return the next state."""
        if self.row.t_site_exit is None:
            self.record_visit()
        self.row.t_choice_exit = self.row.t_choice_exit or self.choice.exit_s
        self.row.t_lap_end = self.start_zone_s
        self.end_trial()
        return self.ready

    async def start_countdown(self, entry: Edge) -> None:
        """Set start and end of a countdown, which runs from the confirmation of the entry.

        After an entry of the tracker the host starts it, and the board reports when.
        """
        zone, countdown = self.site.zone, self.site.countdown
        self.counts_s = countdown.seconds
        self.countdown_start_s = exact_s(entry.t_s + zone.confirm_on_s)
        if zone.detector == "tracker":
            executed_s = await self.wait_executed()
            if (self.began_s(countdown.sequence) or 0) < entry.t_s:
                # The answer may be older than the start by a tick. A countdown that is timed too early requests a
                # pellet before the last one has fallen, and so delivers one too many.
                await self.sleep(until_s=executed_s + MARGIN_S)
            self.countdown_start_s = max(self.countdown_start_s, self.began_s(countdown.sequence) or 0)
        self.reward_s = exact_s(self.countdown_start_s + self.counts_s)

    async def wait_stopped(self, left_s: float | None) -> float:
        """Return when an exit or its end stopped the countdown; within the margin the board decides which was first."""
        zone = self.site.zone
        if left_s is None:
            stopped_s = self.reward_s
        elif zone.detector == "tracker":  # the host stops it
            stopped_s = await self.wait_executed()
        else:
            stopped_s = exact_s(left_s + zone.confirm_off_s)
        if stopped_s >= exact_s(self.reward_s - MARGIN_S):
            await self.sleep(until_s=self.reward_s + 2 * MARGIN_S)
        return stopped_s

    def record_visit(self) -> None:
        """Record when the rat left choice point and site, and its re-entries, as far as known."""
        row, zone = self.row, self.site.zone
        row.t_choice_exit = row.t_choice_exit or self.choice.exit_s
        row.t_site_exit = zone.last_exit_s if zone.is_clear else None
        row.left_by = row.left_by if row.t_site_exit is None else zone.detector
        row.reentries = len(zone.entries_since(row.t_site_enter or 0)) - 1

    def count_pellets(self, feeder: Feeder, wanted: int) -> int:
        """Return the pellets that the feeder's sensor saw, and record them; without a sensor only the orders count."""
        seen = len(feeder.dropped_since(self.reward_s))
        if feeder.dropped is not None and self.rewards:
            self.row.pellets, self.row.short_reward = seen, int(seen < wanted)
        return seen
