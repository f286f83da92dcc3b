"""What delay discounting needs of a maze, and what it writes of a lap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from rig import Edge, Feeder, OneOf, Reward, RigError, Row, Speaker, Zone, to_s


@dataclass
class Box:
    """A maze with a beam at its start and at each reward site, and if there is one half-way up the stem."""

    start: Zone
    left: Zone
    right: Zone
    left_feeder: Feeder
    right_feeder: Feeder
    speaker: Speaker
    choice: Zone | None = None


@dataclass
class Lap(Row):
    """One lap; times are seconds of the session, empty where it never happened."""

    lap: int
    side: Annotated[str, OneOf("left", "right")]
    left_by: Annotated[str, OneOf("", "beam", "tracker")] = ""
    is_delayed_side: int = 0
    delay_before_s: int = 0
    delay_experienced_s: int | None = None
    n_tones: int = 0
    t_choice_enter: float | None = None
    t_choice_exit: float | None = None
    t_site_enter: float | None = None
    t_reward: float | None = None
    pellets: int | None = None
    outcome: Annotated[str, OneOf("rewarded", "skip", "withheld", "interrupted")] = ""
    delay_after_s: int = 0
    t_site_exit: float | None = None
    t_lap_end: float | None = None
    tracking_ok: int | None = None
    idphi: float | None = None
    zidphi: float | None = None
    t_start: float | None = None
    delayed_side: Annotated[str, OneOf("left", "right")] = ""
    large_pellets: int = 0
    initial_delay_s: int = 0
    pellets_given: int = 0
    pellets_retried: int = 0
    short_reward: int = 0
    reentries: int = 0
    unarmed_entries: int = 0

    def see_choice_point(self, edge: Edge) -> None:
        """Take note of the last exit from the choice point, though the rat is at its site when it is confirmed."""
        if not edge.level and self.t_choice_exit is None and self.t_choice_enter is not None:
            self.t_choice_exit = to_s(edge.t_us)

    def on_rewards(self, rewards: Sequence[Reward]) -> None:
        """Say what left the feeders, whatever was meant to; without a sensor it is what was asked of them."""
        given = [reward for reward in rewards if reward.status == "delivered"]
        self.pellets_given = sum(reward.amount.pellets for reward in given)
        if self.pellets is None:
            self.pellets = self.pellets_given
        if given:
            self.t_reward = to_s(given[0].t_us)
        elif self.outcome == "rewarded":  # a ceiling forbade the meal, so no countdown was armed that leads to it
            self.outcome, self.n_tones, self.delay_experienced_s = "withheld", 0, None

    def interrupted(self) -> None:
        """Mark a lap that could not be decided; what was decided stands, though the rat was not back at the start."""
        self.outcome = self.outcome or "interrupted"


class ChoicePoint:
    """When a rat on its way to a site was at the choice point: from its first entry to its last exit."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin anew at the foot of the stem."""
        self.entered_s: float | None = None
        self.left_s: float | None = None

    def see_choice_point(self, edge: Edge) -> None:
        """Take note of an entry or exit."""
        if self.entered_s is None:
            self.entered_s = to_s(edge.t_us)
        self.left_s = None if edge.level else to_s(edge.t_us)


class Jams:
    """Pellets in a row that did not drop, though each was tried twice."""

    def __init__(self, stop: int) -> None:
        self._stop = stop
        self._missed = 0

    def see(self, feeder: Feeder, missed_twice: int) -> None:
        """End the session when a feeder is jammed or empty: it would teach a false delay. Raises ``RigError``."""
        self._missed = self._missed + missed_twice if missed_twice > 0 else 0
        if self._missed >= self._stop:
            raise RigError(
                f"{feeder.name}: {self._missed} pellets in a row did not drop, each tried twice: it is empty or "
                "jammed, or its sensor is blind"
            )
