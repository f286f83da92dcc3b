"""The eight-disk bandit with pigeons (Racey et al. 2011, Experiment 1), with the training that leads to it.

Eight disks on a touch screen pay grain on variable intervals, the richest 2,187 times as often as the poorest. Their
assignment is drawn in each session. A peck on a disk whose interval has elapsed raises the hopper.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import ClassVar

from protocols.disk_bandit.assignment import carry_over, draw_assignment, has_pecks
from protocols.disk_bandit.disk_layout import CENTER, OFF_TARGET, DiskLayout, check_on_glass
from protocols.disk_bandit.params import LOCATIONS, Params
from protocols.disk_bandit.rows import DiskRecords, Peck
from protocols.disk_bandit.schedules import NONE_RUNNING, RUNNING, Interval, IntervalSchedule, RatioSchedule
from protocols.disk_bandit.views import disk_views
from rig import (
    ConfigError,
    Edge,
    Hopper,
    Houselight,
    Next,
    Task,
    TaskError,
    Touch,
    Touchscreen,
    exact_s,
    state,
    to_s,
    to_us,
)


@dataclass
class Box:
    """A chamber with a touch screen and a hopper."""

    screen: Touchscreen
    hopper: Hopper
    houselight: Houselight


class DiskBandit(Task[Params, Box, Peck]):
    """Pecks on disks with individual schedules of reward."""

    publications = ("https://doi.org/10.3758/s13420-011-0025-7",)
    # The board does not detect touches, so that no reflex can answer them.
    needs_board_timing = False
    tables: ClassVar = {"intervals": Interval}
    views: ClassVar = disk_views("pecks")

    @classmethod
    def check_history(cls, params: Params, carried_over: Mapping[str, object]) -> None:
        """Check that the subject has pecked disks before one is eliminated. Raises ``ConfigError``."""
        if not has_pecks(params, carried_over):
            raise ConfigError(
                f"params.n_disks: is {params.n_disks}, and elimination takes away the disk that was pecked most, which "
                "no session of this subject has counted: begin with n_disks: 8, as in disk_bandit_eliminate"
            )

    def prepare(self) -> None:
        """Draw the assignment of schedules, and start all intervals."""
        params, box = self.params, self.box
        try:
            box.hopper.food(params.hopper_s)
        except TaskError as error:
            raise ConfigError(f"params.hopper_s: {error}") from None
        self.day = draw_assignment(params, self.carried_over, self.stream("assignment"))
        self.note(what="assignment", **self.day.told(params.schedule))
        ring = DiskLayout(params, box.screen.width_cm, params.color_shift)
        self.scene = ring.scene(self.day.locations)
        check_on_glass(self.scene, box.screen.width_cm, box.screen.height_cm)
        vi_s, p = (self.day.values if params.schedule == kind else {} for kind in ("vi", "rr"))
        self.intervals = IntervalSchedule(params, vi_s, self.stream)
        self.intervals.start_all(self.now_s)
        # In autoshaping every peck on the white disk is rewarded (Racey et al. 2011).
        self.schedule = self.intervals if params.schedule == "vi" else RatioSchedule(p or {CENTER: 1.0}, self.stream)
        if vi_s:
            self.note(what=RUNNING, **self.intervals.running())
        self.disks = DiskRecords(
            {location: ring.color_of[location] for location in self.day.locations},
            vi_s=vi_s,
            previous_vi_s=self.day.previous_vi_s if vi_s else {},
            p=p,
            block_s=params.block_s,
        )
        self.shown_s = self.free_s = self.now_s
        self.raised: tuple[int, float] | None = None
        self.shown = self.not_entered = 0
        box.houselight.on()

    @state(to=("respond",), can_end=True)
    async def show(self) -> Next:
        """Show the disks."""
        self.box.screen.show(self.scene)
        appeared = await self.first(self.box.screen.appeared)
        self.handle_skipped("respond")
        self.shown_s = appeared.t_s
        self.shown += 1
        return self.respond

    @state(to=("respond", "reward"), can_end=True)
    async def respond(self) -> Next:
        """Wait for pecks: a peck on a disk with a waiting reward is rewarded, all others are only recorded."""
        params, screen = self.params, self.box.screen
        free_after_s = params.autoshape_free_after_s if self.is_autoshaping else None
        peck = await self.first(screen.pecked, until_s=None if free_after_s is None else self.shown_s + free_after_s)
        if peck is None:
            self.begin_trial(Peck(self.now_s, None, None, CENTER, block=self.disks.block(self.now_s), phase="free"))
            return self.reward if self.feed() else self.respond
        row = self.open_row(peck, "respond")
        if row.disk == OFF_TARGET or row.phase == "reward":
            self.write_down(row, peck.t_s)
            return self.respond
        row.armed_before = int(self.schedule.wins(row.disk, peck.t_s))
        if self.is_autoshaping:
            row.latency_s = peck.after_s(self.shown_s)
        self.disks.chosen(row)
        if not row.armed_before or not self.feed():
            self.end_trial()
            return self.respond
        self.collect(row)
        return self.reward

    @state(to=("respond", "show", "pause"))
    async def reward(self) -> Next:
        """Wait until the hopper is down; pecks are recorded without effect."""
        params, row, hopper = self.params, self.row, self.box.hopper
        up_s, inside = self.now_s, hopper.has("beam") and self.holds(hopper.inside)
        dark = self.is_autoshaping or params.disks_in_reward == "off"
        self.raised = (row.disk, up_s)
        if dark:
            self.box.screen.clear()
        try:
            await self.sleep(params.hopper_s)
        finally:  # a session that is stopped now still records pecks and eating
            self.free_s = self.lowered_s(up_s, *(edge.t_s for edge in self.skipped))
            if hopper.has("beam"):
                self.see_eating(row, self.skipped, up_s, inside)
            self.end_trial()
            self.handle_skipped("reward", since_s=up_s)
        self.go_on()
        if self.is_autoshaping:
            return self.pause
        return self.show if dark else self.respond

    @state(to=("show",), can_end=True, when=lambda params: params.schedule == "autoshaping")
    async def pause(self) -> Next:
        """Wait between two disks of autoshaping, with a dark screen."""
        params = self.params
        if self.shown >= params.autoshape_trials:
            self.end("task_finished")
            return self.show
        with ExitStack() as stack:
            if not params.iti_houselight:
                stack.enter_context(self.box.houselight.time_out())
            try:
                await self.sleep(params.autoshape_iti_s)
            finally:
                self.handle_skipped("iti")
        return self.show

    def on_interrupted(self) -> None:
        """Switch the houselight on again, after an all-off that has also lowered the hopper."""
        self.box.houselight.on()
        self.go_on()

    def conclude(self) -> None:
        """Record the intervals whose reward was not collected; the end has lowered the hopper."""
        self.go_on()
        for interval in self.intervals.left(self.now_s):
            self.record(interval)
        if self.schedule is self.intervals:
            self.note(what=RUNNING, **NONE_RUNNING)

    def carry_over(self) -> dict[str, object]:
        """Return the assignment, and the pecks by location, for the next session."""
        pecks = [self.disks.pecks.get(location, 0) for location in range(LOCATIONS)]
        return carry_over(self.params, self.carried_over, self.day, pecks)

    # --- what the states share --------------------------------------------------------------------------------

    @property
    def is_autoshaping(self) -> bool:
        """Whether there is one white disk, with a pause after each reward."""
        return self.params.schedule == "autoshaping"

    def feed(self) -> bool:
        """Raise the hopper, unless the reward limit forbids it."""
        self.box.hopper.feed(self.params.hopper_s)
        if self.is_autoshaping:
            self.row.trial = self.shown
        self.row.rewarded = int(bool(self.rewards))
        return bool(self.rewards)

    def collect(self, row: Peck) -> None:
        """Record the collected reward of a disk, and draw its next interval."""
        self.disks.paid(row)
        if self.schedule is self.intervals:
            self.record(self.intervals.collected(row.disk, row.t))
            row.interval_drawn_s = self.intervals.draw(row.disk)
            if self.params.vi_next_from == "collection":
                self.intervals.start(row.disk, row.t)

    def go_on(self) -> None:
        """Add the time with the hopper up to all intervals, which do not run meanwhile."""
        raised, self.raised = self.raised, None
        if raised is None or self.schedule is not self.intervals:
            return
        disk, up_s = raised
        down_s = self.lowered_s(up_s, self.free_s)
        # Before an interval starts at the end of the pause, which must not delay it.
        if self.params.vi_clock_in_reward == "stops":
            self.intervals.paused(up_s, down_s)
        if self.params.vi_next_from == "reward_end":
            self.intervals.start(disk, down_s)
        self.note(what=RUNNING, **self.intervals.running())

    def lowered_s(self, up_s: float, *known_s: float) -> float:
        """Return until when the hopper is up, as far as known; a stop or a fault may lower it early."""
        return min(exact_s(up_s + self.params.hopper_s), max((self.now_s, *known_s)))

    def handle_skipped(self, phase: str, since_s: float | None = None) -> None:
        """Record the pecks that the last wait skipped; ``since_s`` is the start of the reward, if there is one."""
        stops = since_s is not None and self.params.vi_clock_in_reward == "stops"
        for peck in [touch for touch in self.skipped_touches if touch.peck]:
            # With stopped clocks only those rewards wait that were waiting when the hopper rose.
            clock_s = min(peck.t_s, since_s) if stops and since_s is not None else peck.t_s
            self.write_down(self.open_row(peck, phase), clock_s)

    def open_row(self, peck: Touch, phase: str) -> Peck:
        """Open the row of a peck; a peck while the hopper was up may be read only afterwards."""
        return self.begin_trial(self.disks.row(peck, phase if peck.t_s >= self.free_s else "reward"))

    def write_down(self, row: Peck, clock_s: float) -> None:
        """Close the row of a peck without effect; it records whether a reward was waiting."""
        if row.disk != OFF_TARGET:
            row.armed_before = int(self.schedule.waits(row.disk, clock_s))
        self.end_trial()

    def see_eating(self, row: Peck, edges: Sequence[Edge], up_s: float, inside: bool) -> None:
        """Record for how long a head was in the hopper; warn after several rewards without one."""
        hopper = self.box.hopper
        row.eaten_s = to_s(hopper.access_us(edges, to_us(up_s), to_us(self.free_s), inside=inside))
        came = inside or any(edge.channel == hopper.entered.channel for edge in edges)
        self.not_entered = 0 if came else self.not_entered + 1
        # A hopper that is empty or jammed is reported, because pecks without grain extinguish pecking.
        if self.not_entered and self.not_entered % self.params.not_entered_alert == 0:
            self.note(what="hopper_not_entered", hopper=hopper.name, times=self.not_entered)
