"""Spatial delay discounting on a T-maze (Papale et al. 2012), with the training that leads to it.

A rat runs laps. One side of the maze gives a small reward after a second, the other a larger one after a delay that
grows with every choice of it and shrinks with every choice of the other. A countdown of tones tells the delay.

All that happens at a reward site happens on the board. Of each side it holds two sequences: the countdown, which the
entry's edge starts and the exit's edge stops, and the meal, which the countdown starts with its last tone and nothing
stops: the first pellet closes the cancel.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import asdict
from typing import Any

from protocols.delay_discounting_maze import Box, ChoicePoint, Jams, Lap
from protocols.delay_discounting_params import Params
from protocols.delay_discounting_pools import SIDES, Titration, draw_condition
from rig import Action, Edge, Feeder, Next, NotReadyError, Task, state, to_s, to_us

MARGIN_US = 1_000
"""An exit may stop the countdown a little beyond its end: a board takes a moment to begin it and to begin the meal."""


class DelayDiscounting(Task[Params, Box, Lap]):
    """Laps on a T-maze: a small reward soon, or a larger one after a delay that follows the choices."""

    def prepare(self) -> None:
        """Look that the sites are empty; draw the session's condition; load the meals and the countdowns."""
        params, box = self.params, self.box
        self.zones = {"left": box.left, "right": box.right}
        self.feeders = {"left": box.left_feeder, "right": box.right_feeder}
        broken = [side for side, zone in self.zones.items() if not self.holds(zone.empty)]
        if broken:
            raise NotReadyError(f"the beam of {' and '.join(broken)} is broken before the session: a rat, or dirt?")
        self.condition, self.kept = draw_condition(params, self.carried, self.stream("pool"), self.stream("side"))
        self.titration = Titration(params, self.condition.initial_delay_s)
        self.open_sides = [side for side in SIDES if side != self.condition.blocked]
        self.pellets = {
            side: self.condition.large_pellets if self.is_delayed(side) else params.small_pellets for side in SIDES
        }
        self.meals = {side: self.sequence((0, self.feeders[side].pellets(self.pellets[side]))) for side in SIDES}
        self.loaded_s = {side: self.delay_of(side) for side in SIDES}
        self.countdowns = {side: self.sequence(*self.countdown_of(side, self.loaded_s[side])) for side in SIDES}
        self.laps = self.seen = 0
        self.jams = Jams(params.jams_stop)
        self.start_us = self.home_us = self.now_us
        self.unarmed = 0
        self.choice = ChoicePoint()
        self.exit: Edge | None = None
        self.tell_condition()

    @state(to=("run",), rest=True)
    async def ready(self) -> Next:
        """The lap begins in the start zone, with both countdowns on the board."""
        await self.until(self.box.start.occupied)
        self.start_us = max(self.now_us, self.home_us)
        self.choice.forget()
        self.unarmed = 0
        for side in SIDES:
            self.load_countdown(side, self.delay_of(side))
        return self.run

    @state(to=("countdown",), rest=True)
    async def run(self) -> Next:
        """Up the stem; entering a site is the choice, and starts its countdown."""
        sites = [self.zones[side].entered for side in SIDES]
        while True:
            begins = [(self.zones[side].entered, self.countdowns[side].begin) for side in self.open_sides]
            with self.reflex(*begins):
                entry = await self.first(*sites)
            self.look()
            if entry.source in self.open_sides:
                break
            self.unarmed += 1
        self.begin(self.new_lap(entry))
        await self.start_countdown(entry, self.chosen_s)
        return self.countdown

    @state(to=("deliver", "back"))
    async def countdown(self) -> Next:
        """Tones, one a second; leaving stops them, and the reward with them, until the first pellet."""
        row, zone = self.row, self.zones[self.row.side]
        closes_us = self.reward_us + MARGIN_US - (zone.confirm_off_us if zone.told_by == "beam" else 0)
        end = self.countdowns[row.side].end
        if (gone := self.exit) is not None:  # while the board was still to say when it began
            self.do(end)
        else:
            with self.reflex((zone.left, end)):
                gone = await self.first(zone.left, within=to_s(max(0, closes_us - self.now_us)))
            self.look(gone)
        stopped_us = await self.stopped(gone)
        if gone is None or self.rewards:
            row.n_tones += self.counts_s + 1
            return self.deliver
        sounded = min((stopped_us - self.begun_us) // 1_000_000 + 1, self.counts_s)
        row.n_tones += sounded
        row.outcome = "skip"
        if not self.params.skip_updates:
            self.move_delay(row, row.delay_before_s)
        self.left_s = self.counts_s - sounded + 1
        return self.back

    @state(to=("consume",))
    async def deliver(self) -> Next:
        """The pellets, whether or not the rat stays; one that is not seen to drop is tried once more."""
        row = self.row
        feeder, wanted = self.feeders[row.side], self.pellets[row.side]
        row.outcome, row.delay_experienced_s = "rewarded", self.chosen_s
        self.move_delay(row, self.moved_s)
        falls_us = to_us(feeder.takes_s(wanted))
        try:
            await self.sleep(to_s(max(0, self.reward_us + falls_us - self.now_us)))
        finally:  # a session that is stopped now still says what was seen
            self.look()
            self.count_pellets(feeder, wanted)
        if feeder.dropped is not None and self.rewards:
            for _ in range(wanted - self.seen):
                self.note(what="pellet_missing", feeder=feeder.name, lap=row.lap)
                given = len(self.rewards)
                self.do(feeder.pellets())
                if len(self.rewards) == given:
                    break  # a ceiling forbids it
                row.pellets_retried += 1
                await self.sleep(feeder.drop_s)
                self.look()
                self.count_pellets(feeder, wanted)
            self.jams.see(feeder, min(wanted - self.seen, row.pellets_retried))
        return self.consume

    @state(to=("back",), rest=True)
    async def consume(self) -> Next:
        """The rat eats, and leaves when it likes."""
        if self.row.t_site_exit is None:
            self.look(await self.first(self.zones[self.row.side].left))
        return self.back

    @state(to=("ready", "countdown"), rest=True)
    async def back(self) -> Next:
        """Back to the start, where the lap ends; sites are not armed, but for a rat that may come back to its own."""
        row = self.row
        returns = row.outcome == "skip" and self.params.reentry != "no_restart"
        site, countdown = self.zones[row.side], self.countdowns[row.side]
        if row.t_site_exit is not None and to_s(self.home_us) > row.t_site_exit:
            return self.end_lap()  # it was there before its exit was confirmed
        if returns:
            self.load_countdown(row.side, self.left_s if self.params.reentry == "resume" else self.counts_s)
        while True:
            with self.reflex((site.entered, countdown.begin)) if returns else nullcontext():
                edge = await self.first(self.box.start.entered, *(zone.entered for zone in self.zones.values()))
            self.look(edge if edge.source == "start" else None)
            if edge.source == "start":
                return self.end_lap()
            if edge.source != row.side:
                row.unarmed_entries += 1
                continue
            row.reentries += 1
            if returns:
                row.outcome, row.t_site_exit, self.exit = "", None, None
                await self.start_countdown(edge, self.loaded_s[row.side])
                return self.countdown

    def carry(self) -> dict[str, Any]:
        """Keep what the subject has had, and in training the days on which it ran enough."""
        if self.params.blocked == "none":
            return self.kept
        enough = self.laps >= self.params.criterion_laps
        return {**self.kept, "full_days": self.carried.get("full_days", 0) + 1 if enough else 0}

    # --- what the states share --------------------------------------------------------------------------------

    def is_delayed(self, side: str) -> bool:
        """Tell whether a side is the one with the large reward and the delay."""
        return side == self.condition.delayed_side

    def delay_of(self, side: str) -> int:
        """Tell the delay in force at a side."""
        return self.titration.delay_s if self.is_delayed(side) else self.params.small_delay_s

    def countdown_of(self, side: str, seconds: int) -> list[tuple[float, Action]]:
        """List what a countdown does: tones as one ramp, and with the last of them the meal."""
        params = self.params
        tones = self.box.speaker.ramp(params.tone_hz(seconds), -params.tone_step_hz, params.tone_ms, seconds + 1, 1.0)
        return [(0, tones), (seconds, self.meals[side].begin)]

    def load_countdown(self, side: str, seconds: int) -> None:
        """Put a countdown on the board, unless it is there already."""
        if self.loaded_s[side] != seconds:
            self.loaded_s[side] = seconds
            self.countdowns[side].load(*self.countdown_of(side, seconds))

    def new_lap(self, entry: Edge) -> Lap:
        """Make the row of a lap whose choice has just been made; the delay follows it."""
        self.laps += 1
        side, before_s = entry.source, self.titration.delay_s
        if not self.condition.blocked:
            self.titration.follow(delayed=self.is_delayed(side))
        self.moved_s = self.titration.delay_s
        self.exit = None
        self.chosen_s = self.loaded_s[side]
        return Lap(
            lap=self.laps,
            side=side,
            is_delayed_side=int(self.is_delayed(side)),
            delay_before_s=before_s,
            t_choice_enter=self.choice.entered_s,
            t_choice_exit=self.choice.left_s,
            t_site_enter=to_s(entry.t_us),
            delay_after_s=self.moved_s,
            t_start=to_s(self.start_us),
            delayed_side=self.condition.delayed_side,
            large_pellets=self.condition.large_pellets,
            initial_delay_s=self.condition.initial_delay_s,
            unarmed_entries=self.unarmed,
        )

    def move_delay(self, row: Lap, delay_s: int) -> None:
        """Set the delay of the next lap."""
        self.titration.delay_s = row.delay_after_s = delay_s

    def end_lap(self) -> Next:
        """End the lap of a rat that has come back to the start."""
        self.row.t_lap_end = to_s(self.home_us)
        self.finish()
        return self.ready

    async def start_countdown(self, entry: Edge, seconds: int) -> None:
        """Take note of a countdown that an entry has started: it runs from the moment that confirms the entry.

        After an entry that the tracker has told the host starts it, and the board says when.
        """
        zone = self.zones[entry.source]
        self.counts_s, self.seen = seconds, 0
        self.begun_us = entry.t_us + zone.confirm_on_us
        self.reward_us = self.begun_us + to_us(seconds)
        if zone.told_by == "tracker":
            await self.executed()
            self.begun_us = max(self.begun_us, self.began_us(self.countdowns[entry.source]) or 0)
            self.reward_us = self.begun_us + to_us(seconds)
            self.look()

    async def stopped(self, gone: Edge | None) -> int:
        """Tell when a countdown stopped, by an exit or at its end; near that, let the board say which was first."""
        zone = self.zones[self.row.side]
        if gone is None:
            stopped_us = self.reward_us
        elif zone.told_by == "tracker":  # the host stops it
            stopped_us = await self.executed()
            self.look()
        else:
            stopped_us = gone.t_us + zone.confirm_off_us
        if stopped_us >= self.reward_us - MARGIN_US:
            await self.sleep(to_s(max(0, self.reward_us + 2 * MARGIN_US - self.now_us)))
            self.look()
        return stopped_us

    def look(self, *taken: Edge | None) -> None:
        """Take note of what the last wait passed over, and of what it took."""
        for edge in (*self.passed, *(edge for edge in taken if edge is not None)):
            if edge.source == "choice":
                (self.choice if self.trial is None else self.row).see_choice_point(edge)
            elif edge.source == "start" and edge.level:
                self.home_us = edge.t_us
                self.choice.forget()  # of one that has turned back and comes up the stem once more
            elif self.trial is not None and edge.source == self.row.side:
                self.see_site(edge)
            elif self.trial is not None and edge.channel == f"{self.feeders[self.row.side].name}.sensor":
                self.seen += edge.level and edge.t_us >= self.reward_us

    def count_pellets(self, feeder: Feeder, wanted: int) -> None:
        """Write down what a feeder's sensor has seen of the reward; one without is believed."""
        if feeder.dropped is not None and self.rewards:
            self.row.pellets, self.row.short_reward = self.seen, int(self.seen < wanted)

    def see_site(self, edge: Edge) -> None:
        """Follow the rat at the site that it has chosen."""
        if edge.level:
            self.row.reentries += 1
            self.row.t_site_exit = self.exit = None
        elif self.row.t_site_exit is None:
            self.exit = edge
            self.row.t_site_exit, self.row.left_by = to_s(edge.t_us), self.zones[edge.source].told_by

    def tell_condition(self) -> None:
        """Write what this session is, and how the board makes its tones."""
        self.note(what="condition", **asdict(self.condition))
        tones = self.box.speaker.tones
        if tones is not None:
            asked = [self.params.tone_hz(seconds) for seconds in range(self.condition.initial_delay_s + 1)]
            made = {str(hz): round(tones.made_hz(hz), 3) for hz in asked}
            self.note(what="tones", waveform=tones.waveform, made_hz=made)
