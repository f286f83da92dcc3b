"""Devices of the maze of delay discounting, the table of laps, and the sequences on the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from protocols.delay_discounting.conditions import SIDES, Condition
from protocols.delay_discounting.params import Params
from rig import (
    Action,
    Choices,
    Column,
    Cumulative,
    Feeder,
    LoadedSequence,
    Numbers,
    OneOf,
    Outcomes,
    Raster,
    Reward,
    RigError,
    Row,
    Speaker,
    Task,
    Track,
    Zone,
    to_s,
)


@dataclass
class Box:
    """A maze with a zone at its start and at each reward site, and optionally half-way up the stem."""

    start: Zone
    left: Zone
    right: Zone
    left_feeder: Feeder
    right_feeder: Feeder
    speaker: Speaker
    choice: Zone | None = None


@dataclass
class Lap(Row):
    """One lap; times are seconds of the session, empty for events that did not happen."""

    letter = "side"

    lap: Annotated[int, Column("number of the lap, counted from 1")]
    side: Annotated[str, OneOf("left", "right"), Column("the chosen reward site")]
    left_by: Annotated[
        str, OneOf("", "beam", "tracker"), Column("what detected the exit from the site; empty without an exit")
    ] = ""
    is_delayed_side: Annotated[int, Column("1 if the chosen side was the one with the large, delayed reward")] = 0
    delay_before_s: Annotated[int, Column("delay of the delayed side in this lap")] = 0
    delay_experienced_s: Annotated[
        int | None, Column("delay that the rat waited at the chosen side; empty if it left before the reward")
    ] = None
    n_tones: Annotated[int, Column("number of countdown tones that sounded in this lap")] = 0
    t_choice_enter: Annotated[float | None, Column("when the rat entered the choice point, if the maze has one")] = None
    t_choice_exit: Annotated[float | None, Column("when the rat left the choice point toward a site")] = None
    t_site_enter: Annotated[float | None, Column("when the rat entered the reward site, which is the choice")] = None
    t_reward: Annotated[float | None, Column("when the first pellet was ordered from the feeder")] = None
    pellets: Annotated[
        int | None,
        Column("pellets that the sensor saw to drop; without a sensor, those that were given", unit="pellets"),
    ] = None
    outcome: Annotated[
        str,
        OneOf("rewarded", "skip", "withheld", "interrupted"),
        Column("how the lap ended: skip is an exit before the reward, withheld a reward that a limit forbade"),
    ] = ""
    delay_after_s: Annotated[int, Column("delay of the delayed side in the next lap")] = 0
    t_site_exit: Annotated[float | None, Column("when the rat last left the reward site in this lap")] = None
    t_lap_end: Annotated[float | None, Column("when the rat was back in the start zone, which ended the lap")] = None
    tracking_ok: Annotated[
        int | None, Column("1 if the tracker followed the rat on its whole way past the choice point")
    ] = None
    idphi: Annotated[
        float | None, Column("how much the rat turned on its way past the choice point, integrated", unit="rad")
    ] = None
    zidphi: Annotated[float | None, Column("idphi in standard deviations from the mean of the session", unit="sd")] = (
        None
    )
    pause_s: Annotated[float | None, Column("how long the rat stood on its way past the choice point")] = None
    t_start: Annotated[float | None, Column("when the rat was in the start zone, which began the lap")] = None
    delayed_side: Annotated[str, OneOf("left", "right"), Column("the side with the large, delayed reward")] = ""
    large_pellets: Annotated[int, Column("pellets of the large reward in this session", unit="pellets")] = 0
    initial_delay_s: Annotated[int, Column("delay of the delayed side at the start of the session")] = 0
    pellets_given: Annotated[int, Column("pellets that the feeder was made to give in this lap", unit="pellets")] = 0
    pellets_retried: Annotated[int, Column("second tries after pellets that the sensor did not see")] = 0
    short_reward: Annotated[int, Column("1 if the sensor saw fewer pellets than the reward has")] = 0
    reentries: Annotated[int, Column("how often the rat came back to the chosen site in this lap")] = 0
    unarmed_entries: Annotated[
        int, Column("entries that started no countdown: to a blocked site, or to the other site after the choice")
    ] = 0

    def on_rewards(self, rewards: Sequence[Reward]) -> None:
        """Record the delivered pellets; without a sensor these are the ordered ones."""
        given = [reward for reward in rewards if reward.status == "delivered"]
        self.pellets_given = sum(reward.amount.pellets for reward in given)
        if self.pellets is None:
            self.pellets = self.pellets_given
        if given:
            self.t_reward = to_s(given[0].t_us)
        elif self.outcome == "rewarded":  # the reward limit forbade the meal, so that its countdown was not armed
            self.outcome, self.n_tones, self.delay_experienced_s = "withheld", 0, None

    def interrupted(self) -> None:
        """Set the outcome of a lap that has none; an outcome stays, though the rat did not return to the start."""
        self.outcome = self.outcome or "interrupted"


VIEWS = (
    Choices("side", "pellets", title="sides of the laps, with pellets or without"),
    # After figure 2 of Papale et al. (2012): the adjusting delay lap by lap.
    Numbers("delay_before_s", by="side", over=0, joined=True, beside="initial_delay_s", title="the adjusting delay"),
    Raster(
        "speaker.tone",
        at="t_site_enter",
        before_s=1,
        after_s=60,
        until="t_lap_end",
        title="tones after the entry to the site",
    ),
    Cumulative("t_site_enter", "pellets", rows="laps", title="laps over the session"),
    Track(by="side", title="the rat's path, the last laps by side"),
    Outcomes(title="outcomes"),
)
"""What people look at during a session and after it."""


class ChoicePoint:
    """The optional zone half-way up the stem: times of the rat's visits on its way to a site."""

    def __init__(self, zone: Zone | None) -> None:
        self._zone = zone
        self._last_entry_s: float | None = None

    def visit(self, since_s: float) -> tuple[float | None, float | None]:
        """Return the first entry since a time, and the last exit; None if there was none."""
        entries = () if self._zone is None else self._zone.entries_since(since_s)
        if self._zone is None or not entries:
            self._last_entry_s = None
            return None, None
        self._last_entry_s = entries[-1]
        return entries[0], self._zone.last_exit_s if self._zone.is_clear else None

    @property
    def exit_s(self) -> float | None:
        """Return the time of the exit toward the site, which is confirmed only when the rat is at the site."""
        if self._zone is None or self._last_entry_s is None:
            return None
        return next(iter(self._zone.exits_since(self._last_entry_s)), None)


class Countdown:
    """The countdown of one side as a sequence on the board: a ramp of tones, and the meal with the last tone."""

    def __init__(
        self, task: Task[Any, Any, Any], params: Params, speaker: Speaker, meal: LoadedSequence, seconds: int
    ) -> None:
        self._params, self._speaker, self._meal = params, speaker, meal
        self.seconds = seconds
        self.sequence = task.sequence(*self._entries())

    @property
    def start_action(self) -> Action:
        """Return the action that starts the countdown."""
        return self.sequence.start_action

    @property
    def stop_action(self) -> Action:
        """Return the action that stops the countdown; a meal that has started continues."""
        return self.sequence.stop_action

    def load(self, seconds: int) -> None:
        """Load a countdown of another length, unless it is loaded already."""
        if self.seconds != seconds:
            self.seconds = seconds
            self.sequence.load(*self._entries())

    def _entries(self) -> list[tuple[float, Action]]:
        params, seconds = self._params, self.seconds
        # One tone more than seconds: the last one, of 1 kHz, comes with the first pellet (Papale et al. 2012).
        tones = self._speaker.ramp(params.tone_hz(seconds), -params.tone_step_hz, params.tone_ms, seconds + 1, 1.0)
        return [(0, tones), (seconds, self._meal.start_action)]


@dataclass(frozen=True)
class Site:
    """A reward site: its zone, feeder, pellets and countdown, and whether it is open."""

    zone: Zone
    feeder: Feeder
    pellets: int
    countdown: Countdown
    is_open: bool


def sites_of(task: Task[Params, Box, Lap], condition: Condition) -> dict[str, Site]:
    """Build the two reward sites of a session, with meals and countdowns on the board."""
    params, box = task.params, task.box
    places = {"left": (box.left, box.left_feeder), "right": (box.right, box.right_feeder)}
    delayed = {side: condition.is_delayed(side) for side in SIDES}
    pellets = {side: condition.large_pellets if delayed[side] else params.small_pellets for side in SIDES}
    meals = {side: task.sequence((0, places[side][1].pellets(pellets[side]))) for side in SIDES}
    delays_s = {side: condition.initial_delay_s if delayed[side] else params.small_delay_s for side in SIDES}
    return {
        side: Site(
            *places[side],
            pellets[side],
            Countdown(task, params, box.speaker, meals[side], delays_s[side]),
            is_open=side != condition.blocked,
        )
        for side in SIDES
    }


def log_condition(task: Task[Params, Box, Lap], condition: Condition) -> None:
    """Write the session's condition, and how the board makes the tones, as notes."""
    task.note(what="condition", **asdict(condition))
    tones = task.box.speaker.tones
    if tones is not None:
        asked = [task.params.tone_hz(seconds) for seconds in range(condition.initial_delay_s + 1)]
        made = {str(hz): round(tones.actual_hz(hz), 3) for hz in asked}
        task.note(what="tones", waveform=tones.waveform, actual_hz=made)


class JamDetector:
    """Counts successive pellets that were not seen to drop, also not at a second try where there was one."""

    def __init__(self) -> None:
        self._missed = 0

    def update(self, feeder: Feeder, missed: int, stop: int) -> None:
        """Update the count. Raises ``RigError`` for a jammed or empty feeder, which would teach a false delay."""
        self._missed = self._missed + missed if missed > 0 else 0
        if self._missed >= stop:
            raise RigError(
                f"{feeder.name}: {self._missed} pellets in a row were not seen to drop: it is empty or jammed, or its "
                "sensor is blind: take the animal out, then run `rig device test`"
            )
